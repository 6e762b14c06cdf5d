// SPDX-License-Identifier: BSL-1.0
// The contract of line sources, for sources that need no server.
#include <freehold/line/disk_tier.hpp>
#include <freehold/line/file_source.hpp>
#include <freehold/line/limited_source.hpp>

#include "contracts/line_sources.hpp"
#include "line/memory_objects.hpp"
#include "program/temporary_folder.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace freehold::contracts::sources_contract_test {
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

// Reads what a test puts, so that the test finds it on the disk.
template <class Inner, std::size_t LineSize>
class on_disk {
public:
    void put(const std::string& object, const std::vector<std::byte>& bytes) {
        inner_.put(object, bytes);
        if (bytes.empty()) return;
        observed_read whole(object, 0, bytes.size());
        tier_->fetch(whole);
        tier_->flush();
    }
    auto& source() { return *tier_; }
    void end_source() { tier_.reset(); }

private:
    using inner_source = std::remove_reference_t<decltype(std::declval<Inner&>().source())>;

    temporary_folder folder_;
    Inner inner_;
    std::unique_ptr<disk_tier<inner_source>> tier_ = std::make_unique<disk_tier<inner_source>>(
        inner_.source(),
        disk_tier_options{
            .folder = folder_.path(), .capacity = 64 << 20, .line_size = LineSize, .threads = 2});
};

// The same, read by a guest of the tier that keeps it.
template <class Inner, std::size_t LineSize>
class on_a_shared_disk {
public:
    void put(const std::string& object, const std::vector<std::byte>& bytes) {
        inner_.put(object, bytes);
    }
    auto& source() { return *guest_; }
    void end_source() { guest_.reset(); }

private:
    using inner_source = std::remove_reference_t<decltype(std::declval<Inner&>().source())>;

    auto open() {
        return std::make_unique<disk_tier<inner_source>>(inner_.source(),
                                                         disk_tier_options{.folder = folder_.path(),
                                                                           .capacity = 64 << 20,
                                                                           .line_size = LineSize,
                                                                           .threads = 2,
                                                                           .shared = true});
    }

    temporary_folder folder_;
    Inner inner_;
    std::unique_ptr<disk_tier<inner_source>> owner_ = open();
    std::unique_ptr<disk_tier<inner_source>> guest_ = open();
};

// Kinds of limits: none, one read at once, and rates that let most reads wait.
enum class limits { none, one_at_once, rates };

template <class Inner, limits Kind>
class limited {
public:
    void put(const std::string& object, std::vector<std::byte> bytes) {
        inner_.put(object, std::move(bytes));
    }
    auto& source() { return *limited_; }
    void end_source() { limited_.reset(); }

private:
    using inner_source = std::remove_reference_t<decltype(std::declval<Inner&>().source())>;

    static limited_source_options options() {
        limited_source_options options;
        options.burst = std::chrono::milliseconds(0);
        if (Kind == limits::one_at_once) options.in_flight = 1;
        if (Kind == limits::rates) {
            options.bytes_per_second = 1e9;
            options.requests_per_second = 1'000;
        }
        return options;
    }

    Inner inner_;
    std::unique_ptr<limited_source<inner_source>> limited_ =
        std::make_unique<limited_source<inner_source>>(inner_.source(), options());
};

using subjects = testing::Types<
    objects_in_memory, files<false, 1>, files<false, 3>, files<true, 1>,
    on_disk<objects_in_memory, 4096>, on_disk<objects_in_memory, 1 << 20>,
    on_disk<files<false, 3>, 65536>, on_a_shared_disk<objects_in_memory, 4096>,
    on_a_shared_disk<files<false, 3>, 65536>, limited<objects_in_memory, limits::none>,
    limited<objects_in_memory, limits::one_at_once>, limited<files<false, 3>, limits::rates>,
    on_disk<limited<objects_in_memory, limits::one_at_once>, 4096>>;
INSTANTIATE_TYPED_TEST_SUITE_P(without_a_server, line_sources, subjects);

}  // namespace
}  // namespace freehold::contracts::sources_contract_test
