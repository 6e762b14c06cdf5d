// SPDX-License-Identifier: BSL-1.0
// A process in a control group whose memory is limited, as containers are. Linux kills the process
// at the limit. Therefore what pools and caches give back must leave the process.
#include <freehold/buffer/buffer_cache.hpp>
#include <freehold/detail/sanitizers.hpp>
#include <freehold/freehold.hpp>

#include "skip.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::control_groups_test {
namespace {

constexpr std::size_t limit = std::size_t{64} << 20;
constexpr std::size_t peak = std::size_t{48} << 20;

// A control group of version 2 or 1, if this process may make one. The destructor removes it.
class memory_group {
public:
    memory_group() {
        const std::string name = "freehold_test_" + std::to_string(::getpid());
        for (const auto& [parent, file] : {std::pair{"/sys/fs/cgroup/", "memory.max"},
                                           {"/sys/fs/cgroup/memory/", "memory.limit_in_bytes"}}) {
            const std::filesystem::path path = parent + name;
            std::error_code error;
            if (!std::filesystem::create_directory(path, error)) continue;
            path_ = path;
            if (std::filesystem::exists(path / file) && write(file, limit)) return;
            remove();
        }
    }
    memory_group(const memory_group&) = delete;
    memory_group& operator=(const memory_group&) = delete;
    ~memory_group() { remove(); }

    [[nodiscard]] bool is_made() const { return !path_.empty(); }
    [[nodiscard]] bool join() const {
        return write("cgroup.procs", static_cast<std::size_t>(::getpid()));
    }

private:
    [[nodiscard]] bool write(const char* file, std::size_t value) const {
        std::ofstream stream(path_ / file);
        stream << value << std::flush;
        return stream.good();
    }
    void remove() {
        // A group is a directory whose files cannot be removed one by one.
        if (!path_.empty()) ::rmdir(path_.c_str());
        path_.clear();
    }

    std::filesystem::path path_;
};

class control_groups : public testing::Test {
protected:
    void SetUp() override {
        if (detail::under_address_sanitizer || detail::under_thread_sanitizer)
            return tests::does_not_apply("sanitizers keep freed memory");
        if (!group_.is_made())
            return tests::skip_without("memory_cgroup", "no control group can be made");
    }
    // The wait status of a child that works in the group.
    template <class Work>
    [[nodiscard]] int status_of(Work work) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(60);
            if (!group_.join()) ::_exit(2);
            work();
            ::_exit(0);
        }
        int status = -1;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        return status;
    }

    memory_group group_;
};

template <std::size_t Words>
struct filled {
    std::array<std::uint64_t, Words> words;
    filled() { words.fill(1); }
};

// Reaches the peak with objects of two sizes, which come from two pools.
template <class Between>
void use_two_common_pools(Between between) {
    const auto use = []<std::size_t Words>(filled<Words>*) {
        std::vector<shared_ptr<filled<Words>>> all;
        all.reserve(peak / sizeof(filled<Words>));
        while (all.size() < all.capacity()) all.push_back(make_shared<filled<Words>>());
    };
    use(static_cast<filled<20>*>(nullptr));
    between();
    use(static_cast<filled<60>*>(nullptr));
}

TEST_F(control_groups, kill_a_process_that_keeps_its_peak) {
    const int status = status_of([] { use_two_common_pools([] {}); });
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST_F(control_groups, have_room_for_a_second_peak_if_common_pools_are_trimmed) {
    EXPECT_EQ(status_of([] { use_two_common_pools([] { trim_common_pools(); }); }), 0);
}

TEST_F(control_groups, have_room_for_a_second_peak_if_pools_are_destroyed) {
    EXPECT_EQ(status_of([] {
                  for (const std::size_t size : {200, 600}) {
                      pool blocks({.block_size = size});
                      std::vector<void*> all(peak / size);
                      for (void*& each : all) {
                          each = blocks.allocate();
                          std::memset(each, 1, size);
                      }
                      for (void* const each : all) blocks.deallocate(each);
                  }
              }),
              0);
}

TEST_F(control_groups, have_room_for_a_second_peak_if_a_buffer_cache_is_trimmed) {
    EXPECT_EQ(status_of([] {
                  buffer_cache cache({.max_idle = peak, .max_idle_per_thread = peak});
                  for (const std::size_t size : {20'000, 600'000}) {
                      std::vector<buffer> all;
                      for (std::size_t i = 0; i < peak / size; ++i) {
                          all.push_back(cache.get(size));
                          std::fill_n(all.back().data(), size, std::byte{1});
                      }
                      all.clear();
                      cache.trim();
                  }
              }),
              0);
}

}  // namespace
}  // namespace freehold::control_groups_test
