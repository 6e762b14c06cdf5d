// SPDX-License-Identifier: BSL-1.0
// Several tiers share a folder, in one process and in several: each line is requested from the
// source once, and no end of a process makes a reader wait forever or get a wrong byte.
#include <freehold/line/disk_tier.hpp>

#include "line/disk/node_messages.hpp"
#include "line/disk/node_socket.hpp"
#include "line/disk/slot_file.hpp"
#include "line/disk_lines.hpp"
#include "skip.hpp"
#include "wait_until.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::tests::disk_tier_shared_test {
namespace {

using contracts::observed_read;

disk_tier_options shared_options(const temporary_folder& folder, std::uint64_t lines) {
    disk_tier_options options = tier_options(folder, lines);
    options.shared = true;
    return options;
}

// What the constructor throws, or an empty string.
std::string refusal(const disk_tier_options& options) {
    scripted_source source(0);
    try {
        const scripted_tier tier(source, options);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return {};
}

class shared_disk_tiers : public testing::Test {
protected:
    shared_disk_tiers() {
        for (scripted_source* const each : {&source, &other_source}) {
            each->put("a", 20 * disk_line_size - 100);
        }
    }

    std::unique_ptr<scripted_tier> open(scripted_source& from, std::uint64_t lines = 100) {
        return std::make_unique<scripted_tier>(from, shared_options(folder, lines));
    }

    temporary_folder folder;
    scripted_source source;        // of the first tier, the owner
    scripted_source other_source;  // of the second one
};

TEST_F(shared_disk_tiers, read_what_another_one_keeps) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    EXPECT_EQ(guest->fault(), "");
    fill(*owner, "a", 20);
    for (std::uint64_t i = 0; i != 20; ++i) EXPECT_TRUE(reads_line(*guest, "a", 1, i));
    EXPECT_TRUE(reads(*guest, "a", 1, 5, 7 * disk_line_size));
    observed_read started("a", disk_line_size, 3 * disk_line_size, "version 1");
    guest->start(started);
    started.wait_for_end();
    EXPECT_TRUE(started.finished()) << started.message();
    EXPECT_TRUE(are_made(started.bytes(), "a", 1, disk_line_size));
    EXPECT_EQ(other_source.request_count(), 0u);
    EXPECT_EQ(source.request_count(), 20u);
    EXPECT_EQ(guest->statistics().hits, 20u + 8 + 3);
    EXPECT_EQ(guest->statistics().asked, owner->statistics().served);
}

TEST_F(shared_disk_tiers, let_the_owner_request_what_is_missing) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    EXPECT_TRUE(reads(*guest, "a", 1, 2 * disk_line_size, 8 * disk_line_size));
    EXPECT_EQ(other_source.request_count(), 0u);
    ASSERT_EQ(source.request_count(), 1u) << "one request for all lines";
    EXPECT_EQ(source.requests()[0].size, 8 * disk_line_size);
    EXPECT_TRUE(reads(*owner, "a", 1, 2 * disk_line_size, 8 * disk_line_size));
    EXPECT_EQ(source.request_count(), 1u);
}

TEST_F(shared_disk_tiers, request_a_line_once_that_several_miss_at_once) {
    const auto owner = open(source);
    std::vector<std::unique_ptr<scripted_tier>> guests;
    for (int i = 0; i != 2; ++i) guests.push_back(open(other_source));
    std::atomic<bool> is_open{false};
    source.on_request([&](line_read& read) {
        WAIT_UNTIL(is_open);
        source.serve(read);
    });
    std::vector<std::thread> readers;
    for (scripted_tier* const tier : {owner.get(), guests[0].get(), guests[1].get()}) {
        for (int i = 0; i != 2; ++i) {
            readers.emplace_back([tier] {
                for (std::uint64_t line = 0; line != 3; ++line) {
                    EXPECT_TRUE(reads_line(*tier, "a", 1, line));
                }
            });
        }
    }
    // Gives all readers the time to miss.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    is_open = true;
    for (std::thread& each : readers) each.join();
    EXPECT_EQ(source.request_count(), 3u);
    EXPECT_EQ(other_source.request_count(), 0u);
}

TEST_F(shared_disk_tiers, wait_for_buffers_before_they_request) {
    disk_tier_options options = shared_options(folder, 100);
    options.write_buffers = 2;
    scripted_tier tier(source, options);
    std::vector<std::thread> readers;
    for (std::uint64_t i = 0; i != 5; ++i) {
        readers.emplace_back([&tier, i] {
            observed_read read("a", 4 * i * disk_line_size, 4 * disk_line_size);
            i % 2 == 0 ? tier.fetch(read) : tier.start(read);
            read.wait_for_end();
            EXPECT_TRUE(read.finished()) << read.message();
            EXPECT_TRUE(are_made(read.bytes(), "a", 1, read.offset()));
        });
    }
    for (std::thread& each : readers) each.join();
    tier.flush();
    EXPECT_EQ(tier.statistics().lines, 20u);
    EXPECT_EQ(tier.statistics().not_in_time, 0u);
    EXPECT_EQ(source.request_count(), 10u);
}

TEST_F(shared_disk_tiers, end_reads_that_wait_for_others_when_they_are_not_wanted) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    source.hold();
    observed_read first("a", 0, disk_line_size);
    owner->start(first);
    line_read& held = source.next();
    for (scripted_tier* const tier : {owner.get(), guest.get()}) {
        observed_read waits("a", 0, disk_line_size);
        std::thread reader([&] { tier->fetch(waits); });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that it waits
        waits.cancel();
        reader.join();
        EXPECT_EQ(waits.reason(), source_failure::cancelled);
    }
    source.serve(held);
    first.wait_for_end();
    EXPECT_TRUE(first.finished());
}

TEST_F(shared_disk_tiers, ask_their_own_source_for_what_the_owner_cannot_get) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    other_source.put("mine", 3 * disk_line_size);
    EXPECT_TRUE(reads(*guest, "mine", 1, 0, 3 * disk_line_size));
    EXPECT_EQ(other_source.request_count(), 1u);

    const std::string long_name(5000, 'x');
    other_source.put(long_name, 100);
    EXPECT_TRUE(reads(*guest, long_name, 1, 0, 100));
    observed_read past("a", 20 * disk_line_size, 100);
    guest->fetch(past);
    EXPECT_EQ(past.reason(), source_failure::past_the_end);
    observed_read none("none", 0, 100);
    guest->fetch(none);
    EXPECT_EQ(none.reason(), source_failure::not_found);

    other_source.without_tags();
    EXPECT_TRUE(reads(*guest, "a", 1, 0, 3 * disk_line_size));
}

TEST_F(shared_disk_tiers, serve_the_version_that_the_source_has) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    ASSERT_TRUE(reads(*guest, "a", 1, 0, 20 * disk_line_size));
    for (scripted_source* const each : {&source, &other_source}) each->put("a", 1000);
    EXPECT_TRUE(reads(*guest, "a", 2, 0, 20 * disk_line_size));
    EXPECT_TRUE(reads(*owner, "a", 2, 0, 20 * disk_line_size));
    EXPECT_EQ(source.request_count(), 2u);
    EXPECT_EQ(other_source.request_count(), 0u);
}

TEST_F(shared_disk_tiers, drop_lines_on_demand) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    fill(*owner, "a", 20);
    guest->invalidate("a");
    EXPECT_EQ(owner->statistics().lines, 0u);
}

TEST_F(shared_disk_tiers, get_a_damaged_line_anew) {
    const auto owner = open(source);
    const auto guest = open(other_source);
    fill(*owner, "a", 3);
    std::vector<char> bytes = bytes_of(file_of(owner->options()));
    for (const std::size_t slot : {0, 1}) {
        bytes[slot * disk_slot_size + (slot == 0 ? 20 : 5000)] ^= 1;
    }
    write_bytes(file_of(owner->options()), bytes);
    for (int i = 0; i != 2; ++i) EXPECT_TRUE(reads(*guest, "a", 1, 0, 3 * disk_line_size));
    EXPECT_EQ(source.request_count(), 5u);
    EXPECT_EQ(other_source.request_count(), 0u);
    EXPECT_EQ(owner->statistics().damaged, 2u);
}

TEST_F(shared_disk_tiers, take_the_folder_over_from_an_owner_that_ends) {
    auto owner = open(source);
    const auto guest = open(other_source);
    const auto third = open(other_source);
    fill(*owner, "a", 10);
    EXPECT_TRUE(reads_line(*guest, "a", 1, 0));
    owner.reset();
    for (std::uint64_t i = 0; i != 10; ++i) {
        EXPECT_TRUE(reads_line(*guest, "a", 1, i));
        EXPECT_TRUE(reads_line(*third, "a", 1, i));
    }
    EXPECT_EQ(other_source.request_count(), 0u);
    EXPECT_EQ(guest->statistics().lines, 10u) << "it is the owner now";
    EXPECT_TRUE(reads_line(*third, "a", 1, 15));
    EXPECT_EQ(guest->statistics().served, 11u);
}

TEST_F(shared_disk_tiers, work_in_a_folder_with_a_long_path) {
    disk_tier_options options = shared_options(folder, 10);
    options.folder.append("/").append(120, 'x');
    scripted_tier owner(source, options);
    scripted_tier guest(other_source, options);
    EXPECT_EQ(owner.fault(), "");
    EXPECT_TRUE(reads_line(guest, "a", 1, 0));
    EXPECT_EQ(other_source.request_count(), 0u);
}

TEST_F(shared_disk_tiers, refuse_other_line_sizes_and_tiers_that_do_not_share) {
    disk_tier_options options = shared_options(folder, 100);
    options.patience = std::chrono::seconds(1);
    disk_tier_options other_size = options, alone = options;
    other_size.line_size = 4096;
    alone.shared = false;
    {
        const scripted_tier owner(source, options);
        EXPECT_EQ(refusal(options), "");
        EXPECT_NE(refusal(other_size).find("line_size of 16384"), std::string::npos);
        EXPECT_NE(refusal(alone).find("in use by another"), std::string::npos);
    }
    {
        const scripted_tier owner(source, alone);
        EXPECT_NE(refusal(options).find("in use by another"), std::string::npos);
    }
    options.patience = std::chrono::milliseconds(10);
    EXPECT_THROW(scripted_tier(source, options), std::invalid_argument);
}

TEST_F(shared_disk_tiers, refuse_another_version) {
    const disk_tier_options options = shared_options(folder, 100);
    std::filesystem::create_directories(options.folder);
    const detail::slot_file lock(options.folder, options.line_size, options.capacity);
    const detail::node_address address(options.folder);
    const detail::node_socket listener = detail::node_socket::listening(address);
    ASSERT_TRUE(listener.is_open());
    std::thread owner([&] {
        for (const bool is_older : {true, false}) {
            pollfd ready{listener.number(), POLLIN, 0};
            ASSERT_EQ(::poll(&ready, 1, 10'000), 1);
            const detail::node_socket guest = listener.accepted();
            detail::node_hello hello;
            ASSERT_TRUE(guest.receive(&hello, sizeof hello));
            hello.version += is_older ? -1 : 10'000;
            ASSERT_TRUE(guest.send(&hello, sizeof hello));
        }
    });
    EXPECT_NE(refusal(options).find("Freehold"), std::string::npos);
    EXPECT_NE(refusal(options).find("Freehold"), std::string::npos);
    owner.join();
}

TEST_F(shared_disk_tiers, refuse_another_user) {
    if (::geteuid() != 0) return skip_without("setuid", "only root can become another user");
    const auto owner = open(source);
    for (const auto& each : {folder.path(), std::filesystem::path(owner->options().folder)})
        ::chmod(each.c_str(), 0755);
    constexpr uid_t nobody = 65534;
    disk_tier_options options = owner->options();
    for (const bool is_open : {false, true}) {
        ::chmod((std::filesystem::path(options.folder) / "freehold-socket").c_str(),
                is_open ? 0777 : 0755);
        const pid_t child = ::fork();
        if (child == 0) {
            if (::setuid(nobody) != 0) ::_exit(2);
            const std::string why = refusal(options);
            ::_exit(why.find(is_open ? "65534" : "Permission denied") != std::string::npos ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
}

// Objects of 30 lines, whose lines are counted in memory that all processes share.
class counted_objects {
public:
    static constexpr std::uint64_t objects = 3, lines = 30;
    using counts = std::array<std::atomic<unsigned>, objects * lines>;

    counted_objects()
        : counts_(static_cast<counts*>(::mmap(nullptr, sizeof(counts), PROT_READ | PROT_WRITE,
                                              MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {
        EXPECT_NE(counts_, MAP_FAILED);
        new (counts_) counts{};
    }
    counted_objects(const counted_objects&) = delete;
    counted_objects& operator=(const counted_objects&) = delete;
    ~counted_objects() { ::munmap(counts_, sizeof(counts)); }

    static std::string name(std::uint64_t object) {
        return std::string(1, static_cast<char>('a' + object));
    }
    // Gives the source the objects, and counts what it is asked for.
    void serve_by(scripted_source& source) {
        for (std::uint64_t i = 0; i != objects; ++i) source.put(name(i), lines * disk_line_size);
        source.on_request([this, &source](line_read& read) {
            const std::uint64_t object = read.object().front() - 'a';
            const std::uint64_t first = read.offset() / disk_line_size;
            const std::uint64_t end = std::min(lines, first + read.size() / disk_line_size);
            for (std::uint64_t i = first; i != end; ++i) ++(*counts_)[object * lines + i];
            source.serve(read, disk_line_size);
        });
    }
    const counts& requests() const { return *counts_; }

private:
    counts* counts_;
};

// Runs work(source) in a child, which a signal ends if it takes minutes.
template <class Work>
pid_t start_child(counted_objects& objects, Work work) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::alarm(120);
    bool is_right = false;
    {
        scripted_source source(2);
        objects.serve_by(source);
        is_right = work(source);
    }
    ::_exit(is_right ? 0 : 1);
}
int status_of(pid_t child) {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
}

bool reads_everything(scripted_tier& tier, std::uint64_t lines_at_once) {
    bool is_right = true;
    for (std::uint64_t object = 0; object != counted_objects::objects; ++object) {
        for (std::uint64_t i = 0; i < counted_objects::lines; i += lines_at_once) {
            is_right &= bool(reads(tier, counted_objects::name(object), 1, i * disk_line_size,
                                   lines_at_once * disk_line_size));
        }
    }
    return is_right;
}

// Opens for all processes at once.
class gate {
public:
    gate() { EXPECT_EQ(::pipe(ends_.data()), 0); }
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;
    ~gate() {
        for (const int each : ends_) ::close(each);
    }
    void open() { ::close(std::exchange(ends_[1], -1)); }
    // In a child.
    bool wait() {
        open();
        char nothing = 0;
        return ::read(ends_[0], &nothing, 1) == 0;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

TEST(processes_that_share_a_disk_tier, request_each_line_once) {
    for (const std::uint64_t lines_at_once : {1, 3}) {
        const temporary_folder folder;
        counted_objects objects;
        const disk_tier_options options = shared_options(folder, 100);
        gate begin, end;
        std::array<int, 2> done{};
        ASSERT_EQ(::pipe(done.data()), 0);
        std::vector<pid_t> children;
        for (int i = 0; i != 3; ++i) {
            children.push_back(start_child(objects, [&](scripted_source& source) {
                end.open();  // its copy
                if (!begin.wait()) return false;
                scripted_tier tier(source, options);
                const bool is_right = reads_everything(tier, lines_at_once);
                // The lines that an owner is still requesting would end with it.
                return ::write(done[1], "x", 1) == 1 && end.wait() && is_right;
            }));
        }
        begin.open();
        ::close(done[1]);
        char told = 0;
        for (int i = 0; i != 3; ++i) EXPECT_EQ(::read(done[0], &told, 1), 1);
        end.open();
        for (const pid_t child : children) EXPECT_EQ(status_of(child), 0);
        ::close(done[0]);
        for (const auto& each : objects.requests()) EXPECT_EQ(each, 1u);
    }
}

TEST(processes_that_share_a_disk_tier, outlive_kills_at_any_moment) {
    const temporary_folder folder;
    counted_objects objects;
    // Less than all lines, so that lines are evicted too.
    const disk_tier_options options = shared_options(folder, 60);
    std::mt19937 random(std::random_device{}());
    const auto start_reader = [&] {
        return start_child(objects, [&options, seed = random()](scripted_source& source) {
            scripted_tier tier(source, options);
            std::mt19937 own_random(static_cast<unsigned>(seed));
            for (;;) {
                const std::string object =
                    counted_objects::name(own_random() % counted_objects::objects);
                const std::uint64_t from = own_random() % counted_objects::lines;
                if (!reads(tier, object, 1, from * disk_line_size,
                           (1 + own_random() % 4) * disk_line_size)) {
                    return false;
                }
            }
        });
    };
    std::vector<pid_t> children;
    for (int i = 0; i != 3; ++i) children.push_back(start_reader());
    for (int i = 0; i != 60; ++i) {
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
        pid_t& victim = children[random() % children.size()];
        ASSERT_EQ(::kill(victim, SIGKILL), 0);
        const int status = status_of(victim);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
        victim = start_reader();
    }
    // One that reads beside the others until its end.
    const pid_t last = start_child(objects, [&](scripted_source& source) {
        scripted_tier tier(source, options);
        return reads_everything(tier, 1) && tier.fault().empty();
    });
    EXPECT_EQ(status_of(last), 0);
    for (const pid_t child : children) {
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        EXPECT_EQ(WTERMSIG(status_of(child)), SIGKILL);
    }
    scripted_source source(0);
    objects.serve_by(source);
    scripted_tier tier(source, options);
    EXPECT_GT(tier.statistics().lines, 0u) << "the folder is not lost";
    EXPECT_TRUE(reads_everything(tier, 1));
    EXPECT_EQ(tier.statistics().damaged, 0u);
    EXPECT_GT(tier.statistics().hits, 0u);
}

// A child that owns the folder, and has told so.
template <class Work>
pid_t start_owner(counted_objects& objects, const disk_tier_options& options, Work work) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t owner = start_child(objects, [&](scripted_source& source) {
        scripted_tier tier(source, options);
        const bool is_right = reads_everything(tier, 3);
        tier.flush();
        work();
        if (!is_right || ::write(ends[1], "x", 1) != 1) return false;
        for (;;) ::pause();
    });
    ::close(ends[1]);
    char told = 0;
    EXPECT_EQ(::read(ends[0], &told, 1), 1);
    ::close(ends[0]);
    return owner;
}

TEST(processes_that_share_a_disk_tier, read_from_the_source_while_the_owner_is_stopped) {
    const temporary_folder folder;
    counted_objects objects;
    disk_tier_options options = shared_options(folder, 100);
    options.patience = std::chrono::seconds(1);
    const pid_t owner = start_owner(objects, options, [] {});
    scripted_source source(0);
    objects.serve_by(source);
    scripted_tier guest(source, options);
    EXPECT_TRUE(reads_line(guest, "a", 1, 0));
    EXPECT_EQ(source.request_count(), 0u);
    ASSERT_EQ(::kill(owner, SIGSTOP), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(owner, &status, WUNTRACED), owner);
    ASSERT_TRUE(WIFSTOPPED(status));
    for (std::uint64_t i = 0; i != 20; ++i) EXPECT_TRUE(reads_line(guest, "a", 1, i));
    EXPECT_EQ(source.request_count(), 20u);
    EXPECT_NE(guest.fault().find("does not answer"), std::string::npos);
    ASSERT_EQ(::kill(owner, SIGKILL), 0);
    EXPECT_EQ(WTERMSIG(status_of(owner)), SIGKILL);
}

TEST(processes_that_share_a_disk_tier, take_over_although_a_child_of_the_owner_lives) {
    const temporary_folder folder;
    counted_objects objects;
    disk_tier_options options = shared_options(folder, 100);
    options.patience = std::chrono::seconds(2);
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t owner = start_owner(objects, options, [&] {
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(120);
            for (;;) ::pause();
        }
        static_cast<void>(::write(ends[1], &child, sizeof child) == 0);
    });
    pid_t child_of_owner = 0;
    ASSERT_EQ(::read(ends[0], &child_of_owner, sizeof child_of_owner), ssize_t(sizeof(pid_t)));
    for (const int each : ends) ::close(each);
    scripted_source source(0);
    objects.serve_by(source);
    scripted_tier guest(source, options);
    EXPECT_TRUE(reads_line(guest, "a", 1, 0));
    ASSERT_EQ(::kill(owner, SIGKILL), 0);
    EXPECT_EQ(WTERMSIG(status_of(owner)), SIGKILL);
    EXPECT_TRUE(reads_everything(guest, 1));
    EXPECT_EQ(guest.statistics().lines, 90u) << "it is the owner now";
    EXPECT_EQ(guest.fault(), "");
    EXPECT_EQ(source.request_count(), 0u);
    EXPECT_EQ(::kill(child_of_owner, SIGKILL), 0);
}

}  // namespace
}  // namespace freehold::tests::disk_tier_shared_test
