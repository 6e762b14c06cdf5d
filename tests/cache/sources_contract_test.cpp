// SPDX-License-Identifier: BSL-1.0
// The contract of line sources, for sources that need no server.
#include <freehold/cache/file_source.hpp>

#include "cache/memory_objects.hpp"
#include "contracts/line_sources.hpp"
#include "program/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace freehold::contracts {
namespace {

class objects_in_memory {
public:
    void put(const std::string& object, std::vector<std::byte> bytes) {
        source_->put(object, std::move(bytes));
    }
    memory_objects& source() { return *source_; }
    void end_source() { source_.reset(); }

private:
    std::unique_ptr<memory_objects> source_ = std::make_unique<memory_objects>();
};

template <bool Direct, unsigned Threads>
class files {
public:
    files() {
        std::filesystem::create_directories(folder_ / "objects");
        source_ = std::make_unique<file_source>(
            folder_ / "objects", file_source_options{.direct = Direct, .threads = Threads});
    }

    // Replaces a file by renaming, so that no reader sees half of it.
    void put(const std::string& object, const std::vector<std::byte>& bytes) {
        const std::filesystem::path file = folder_ / ("objects/" + object);
        std::filesystem::create_directories(file.parent_path());
        const std::filesystem::path beside = folder_ / "new";
        std::ofstream(beside, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
        std::filesystem::rename(beside, file);
    }
    file_source& source() { return *source_; }
    void end_source() { source_.reset(); }

private:
    temporary_folder folder_;
    std::unique_ptr<file_source> source_;
};

using subjects =
    testing::Types<objects_in_memory, files<false, 1>, files<false, 3>, files<true, 1>>;
INSTANTIATE_TYPED_TEST_SUITE_P(without_a_server, line_sources, subjects);

}  // namespace
}  // namespace freehold::contracts
