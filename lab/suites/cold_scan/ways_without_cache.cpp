// SPDX-License-Identifier: BSL-1.0
#include <freehold/memory/pages.hpp>

#include "subjects/shared_identities.hpp"
#include "suites/cold_scan/way.hpp"

#include <atomic>
#include <cerrno>
#include <deque>
#include <mutex>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <curl/curlver.h>
#include <fcntl.h>
#include <unistd.h>

namespace lab::cold_scan {
namespace {

/// The article's line, as it was published and as it was corrected.
struct line_as_published {
    char data[line_bytes];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
};
struct line_with_constructor {
    char data[line_bytes];
    std::mutex mutex;
    std::atomic<std::size_t> size = 0;
    line_with_constructor() {}
};

/// Returns memory that exists before the scan, with all its pages touched.
std::vector<std::byte> used_memory(std::size_t bytes) {
    return std::vector<std::byte>(bytes, std::byte{1});
}

/// Reads lines from the server, over its own connection.
class over_s3 {
public:
    explicit over_s3(const object_store& store) : store_(store), client_(store.access()) {}

    void read(std::size_t line, std::span<std::byte> to) {
        const auto [object, offset] = object_store::place_of(line);
        client_.get(store_.objects()[object], offset, to);
    }

private:
    const object_store& store_;
    s3_client client_;
};

/// Reads lines from the server's files.
class from_files {
public:
    explicit from_files(const object_store& store) {
        for (std::size_t object = 0; object < store.objects().size(); ++object) {
            const auto file = store.file_of(object);
            if (!file) {
                throw std::runtime_error("the server's files cannot be read: it is not ours");
            }
            const int descriptor = open(file->c_str(), O_RDONLY | O_CLOEXEC);
            if (descriptor < 0) throw std::system_error(errno, std::generic_category(), *file);
            descriptors_.push_back(descriptor);
        }
    }
    ~from_files() {
        for (const int each : descriptors_) close(each);
    }
    from_files(const from_files&) = delete;
    from_files& operator=(const from_files&) = delete;

    void read(std::size_t line, std::span<std::byte> to) {
        const auto [object, offset] = object_store::place_of(line);
        auto at = static_cast<off_t>(offset);
        while (!to.empty()) {
            const ssize_t got = pread(descriptors_[object], to.data(), to.size(), at);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw std::system_error(errno, std::generic_category(), "pread");
            if (got == 0) throw std::runtime_error("the server's file is too short");
            at += got;
            to = to.subspan(static_cast<std::size_t>(got));
        }
    }

private:
    std::vector<int> descriptors_;
};

/// The lines of ways whose threads share nothing.
template <class Reader>
class unshared final : public lines {
public:
    explicit unshared(const object_store& store) : store_(store) {}
    std::unique_ptr<reader> make_reader() override { return std::make_unique<Reader>(store_); }

private:
    const object_store& store_;
};

/// Reads every line into the same memory.
template <class Origin>
class into_one_buffer final : public reader {
public:
    explicit into_one_buffer(const object_store& store) : origin_(store) {}
    std::int64_t sum(std::size_t line) override {
        origin_.read(line, buffer_);
        return sum_of_prices(buffer_);
    }

private:
    Origin origin_;
    std::vector<std::byte> buffer_ = used_memory(line_bytes);
};

/// Reads each line into its own vector, and drops the vector after the scan of the line.
class into_vectors final : public reader {
public:
    explicit into_vectors(const object_store& store) : origin_(store) {}
    std::int64_t sum(std::size_t line) override {
        std::vector<char> body(line_bytes);
        const std::span<std::byte> bytes = std::as_writable_bytes(std::span(body));
        origin_.read(line, bytes);
        return sum_of_prices(bytes);
    }

private:
    over_s3 origin_;
};

template <class Line>
std::span<std::byte> bytes_of(Line& line) {
    return std::as_writable_bytes(std::span(line.data));
}

/// Keeps every line, at its place in the table. No two threads read the same line.
template <class Line>
class kept_lines final : public lines {
public:
    explicit kept_lines(const object_store& store) : store_(store), table_(store.lines()) {}
    std::unique_ptr<reader> make_reader() override { return std::make_unique<one>(*this); }

private:
    class one final : public reader {
    public:
        explicit one(kept_lines& all) : all_(all), origin_(all.store_) {}
        std::int64_t sum(std::size_t number) override {
            std::shared_ptr<Line>& line = all_.table_[number];
            if (line == nullptr) {
                line = std::make_shared<Line>();
                origin_.read(number, bytes_of(*line));
                line->size = line_bytes;
            }
            return sum_of_prices(bytes_of(*line));
        }

    private:
        kept_lines& all_;
        over_s3 origin_;
    };

    const object_store& store_;
    std::vector<std::shared_ptr<Line>> table_;
};

/// Keeps the lines that were read last, as many as a bounded cache holds.
template <class Line>
class last_lines final : public lines {
public:
    explicit last_lines(const object_store& store) : store_(store), most_(lines_held(store)) {}
    std::unique_ptr<reader> make_reader() override { return std::make_unique<one>(*this); }

private:
    class one final : public reader {
    public:
        explicit one(last_lines& all) : all_(all), origin_(all.store_) {}
        std::int64_t sum(std::size_t number) override {
            all_.make_room();
            auto line = std::make_shared<Line>();
            origin_.read(number, bytes_of(*line));
            line->size = line_bytes;
            const std::int64_t result = sum_of_prices(bytes_of(*line));
            all_.keep(std::move(line));
            return result;
        }

    private:
        last_lines& all_;
        over_s3 origin_;
    };

    void make_room() {
        const std::lock_guard lock(mutex_);
        if (last_.size() >= most_) last_.pop_front();
    }
    void keep(std::shared_ptr<Line> line) {
        const std::lock_guard lock(mutex_);
        last_.push_back(std::move(line));
    }

    const object_store& store_;
    const std::size_t most_;
    std::mutex mutex_;
    std::deque<std::shared_ptr<Line>> last_;  // the oldest first; guarded by the mutex
};

/// Memory for as many lines as a bounded cache holds, on huge pages that exist beforehand. A read
/// takes the memory that was not used for the longest time.
class recycled_lines final : public lines {
public:
    explicit recycled_lines(const object_store& store)
        : store_(store), bytes_(lines_held(store) * line_bytes), memory_(pages_.allocate(bytes_)) {
        for (std::size_t at = 0; at < bytes_; at += line_bytes) {
            free_.push_back({static_cast<std::byte*>(memory_) + at, line_bytes});
        }
    }
    ~recycled_lines() override { pages_.deallocate(memory_, bytes_); }
    std::unique_ptr<reader> make_reader() override { return std::make_unique<one>(*this); }

private:
    class one final : public reader {
    public:
        explicit one(recycled_lines& all) : all_(all), origin_(all.store_) {}
        std::int64_t sum(std::size_t number) override {
            const std::span<std::byte> line = all_.take();
            origin_.read(number, line);
            const std::int64_t result = sum_of_prices(line);
            all_.give_back(line);
            return result;
        }

    private:
        recycled_lines& all_;
        over_s3 origin_;
    };

    std::span<std::byte> take() {
        const std::lock_guard lock(mutex_);
        const std::span<std::byte> line = free_.front();
        free_.pop_front();
        return line;
    }
    void give_back(std::span<std::byte> line) {
        const std::lock_guard lock(mutex_);
        free_.push_back(line);
    }

    freehold::page_resource pages_{{.huge = freehold::huge_pages::transparent, .prefault = true}};
    const object_store& store_;
    const std::size_t bytes_;
    void* const memory_;
    std::mutex mutex_;
    std::deque<std::span<std::byte>> free_;  // guarded by the mutex
};

constexpr origin libcurl_library = {"libcurl", LIBCURL_VERSION, ""};

template <class Lines>
std::unique_ptr<lines> make(const object_store& store) {
    return std::make_unique<Lines>(store);
}

}  // namespace

std::vector<way> ways_without_cache() {
    const auto libcurl = [](const char* name, int order) {
        return identity{
            .name = name, .family = family::other, .order = order, .from = &libcurl_library};
    };
    return {
        {identities::lower_bound, make<unshared<into_one_buffer<from_files>>>},
        {libcurl("libcurl, one buffer", 1), make<unshared<into_one_buffer<over_s3>>>},
        {libcurl("libcurl, std::vector<char>", 3), make<unshared<into_vectors>>},
        {libcurl("libcurl, std::make_shared", 4), make<kept_lines<line_as_published>>, true},
        {libcurl("libcurl, std::make_shared, constructor", 5),
         make<kept_lines<line_with_constructor>>, true},
        {libcurl("libcurl, std::make_shared, bounded", 6), make<last_lines<line_as_published>>},
        {libcurl("libcurl, recycled huge lines", 2), make<recycled_lines>},
    };
}

}  // namespace lab::cold_scan
