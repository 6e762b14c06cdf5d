// SPDX-License-Identifier: BSL-1.0
// What a disk_tier serves after its process was killed, and after its file was damaged: never a
// wrong byte, and every line that is whole.
#include <freehold/line/disk_tier.hpp>

#include "line/disk_lines.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace freehold::tests::disk_tier_restart_test {
namespace {

constexpr std::uint64_t capacity = 8;

// A tier's file with 8 lines of one object, in order.
class disk_tiers_after_damage : public testing::Test {
protected:
    disk_tiers_after_damage() : options(tier_options(folder, capacity)) {
        source.put("a", capacity * disk_line_size);
        scripted_tier tier(source, options);
        fill(tier, "a", capacity);
    }

    std::vector<char> file() const { return bytes_of(file_of(options)); }

    // Opens a tier on this file, reads everything, and returns the number of hits.
    std::uint64_t hits_with(std::span<const char> bytes) {
        write_bytes(file_of(options), bytes);
        scripted_tier tier(source, options);
        for (std::uint64_t i = 0; i != capacity; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
        const std::uint64_t hits = tier.statistics().hits;
        // What was lost has been written again.
        tier.flush();
        for (std::uint64_t i = 0; i != capacity; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
        EXPECT_EQ(tier.statistics().lines, capacity);
        EXPECT_EQ(tier.statistics().hits, hits + capacity);
        return hits;
    }

    temporary_folder folder;
    scripted_source source;
    const disk_tier_options options;
};

TEST_F(disk_tiers_after_damage, serve_everything_after_an_orderly_end) {
    EXPECT_EQ(hits_with(file()), capacity);
}

TEST_F(disk_tiers_after_damage, serve_what_is_whole_after_a_truncation_at_any_place) {
    const std::vector<char> whole = file();
    ASSERT_EQ(whole.size(), capacity * disk_slot_size);
    const std::size_t content = disk_slot_size - disk_line_size;
    for (const std::size_t slot : {0, 3, 7}) {
        for (const std::size_t within :
             {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{12},
              std::size_t{55}, std::size_t{57}, std::size_t{61}, std::size_t{70}, content - 1,
              content, content + 1, content + disk_line_size / 2, disk_slot_size - 1}) {
            const std::size_t size = slot * disk_slot_size + within;
            EXPECT_EQ(hits_with(std::span(whole).first(size)), slot) << "cut at " << size;
        }
    }
}

TEST_F(disk_tiers_after_damage, lose_at_most_one_line_by_a_flipped_bit) {
    const std::vector<char> whole = file();
    std::mt19937 random(1);
    for (int i = 0; i != 200; ++i) {
        std::vector<char> damaged = whole;
        // Every other time in the header of a slot.
        const std::size_t at = i % 2 == 0 ? random() % whole.size()
                                          : random() % capacity * disk_slot_size + random() % 80;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
        EXPECT_GE(hits_with(damaged), capacity - 1) << "a bit of byte " << at;
    }
}

TEST_F(disk_tiers_after_damage, serve_what_garbage_has_left) {
    const std::vector<char> whole = file();
    std::mt19937 random(2);
    for (int i = 0; i != 50; ++i) {
        std::vector<char> damaged = whole;
        const std::size_t from = random() % whole.size();
        const std::size_t size = std::min<std::size_t>(random() % 60'000, whole.size() - from);
        for (std::size_t at = from; at != from + size; ++at) {
            damaged[at] = i % 2 == 0 ? static_cast<char>(random()) : '\0';
        }
        const std::size_t touched = size / disk_slot_size + 2;
        EXPECT_GE(hits_with(damaged), capacity - touched) << size << " bytes from " << from;
    }
    std::vector<char> garbage(whole.size());
    for (char& each : garbage) each = static_cast<char>(random());
    EXPECT_EQ(hits_with(garbage), 0u);
    EXPECT_EQ(hits_with(std::vector<char>(whole.size() + 12'345)), 0u);
}

TEST_F(disk_tiers_after_damage, do_not_take_the_slot_of_another_line) {
    std::vector<char> damaged = file();
    std::copy_n(damaged.begin(), disk_slot_size, damaged.begin() + 5 * disk_slot_size);
    EXPECT_EQ(hits_with(damaged), capacity - 1);
    // The header of one line before the content of another.
    damaged = file();
    std::copy_n(damaged.begin() + 4096, disk_line_size,
                damaged.begin() + 3 * disk_slot_size + 4096);
    EXPECT_EQ(hits_with(damaged), capacity - 1);
}

TEST_F(disk_tiers_after_damage, serve_the_rest_of_a_line_from_the_source) {
    constexpr std::size_t line = 256 << 10;
    disk_tier_options large = options;
    large.line_size = line;
    large.capacity = 3 * line;
    scripted_tier tier(source, large);
    source.put("large", line);
    ASSERT_TRUE(reads(tier, "large", 1, 0, line));
    tier.flush();
    std::fstream file(file_of(large), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4096 + 2 * (64 << 10) + 5);
    file.write("damage", 6);
    file.close();
    for (const bool is_started : {false, true}) {
        contracts::observed_read read("large", 0, line);
        is_started ? tier.start(read) : tier.fetch(read);
        read.wait_for_end();
        EXPECT_TRUE(read.finished()) << read.message();
        EXPECT_TRUE(are_made(read.bytes(), "large", 1, 0));
        EXPECT_EQ(read.got(), line);
    }
    EXPECT_EQ(tier.statistics().damaged, 1u);
    EXPECT_EQ(tier.statistics().bytes_from_disk, std::uint64_t{128} << 10);
}

TEST_F(disk_tiers_after_damage, serve_on_when_the_file_is_cut_under_them) {
    scripted_tier tier(source, options);
    std::filesystem::resize_file(file_of(options), 2 * disk_slot_size + 100);
    for (std::uint64_t i = 0; i != capacity; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
    EXPECT_EQ(tier.statistics().hits, 2u);
    EXPECT_EQ(tier.statistics().damaged, capacity - 2);
}

TEST_F(disk_tiers_after_damage, keep_the_first_slots_if_the_capacity_shrinks) {
    disk_tier_options smaller = options;
    smaller.capacity = 3 * disk_slot_size;
    scripted_tier tier(source, smaller);
    EXPECT_EQ(tier.statistics().lines, 3u);
    EXPECT_EQ(std::filesystem::file_size(file_of(smaller)), 3 * disk_slot_size);
    for (std::uint64_t i = 0; i != capacity; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
}

TEST_F(disk_tiers_after_damage, begin_anew_with_lines_of_another_size) {
    const auto other = folder.write("tier/freehold-lines-of-mine", "not theirs");
    disk_tier_options smaller = options;
    smaller.line_size = 4096;
    scripted_tier tier(source, smaller);
    EXPECT_EQ(tier.statistics().lines, 0u);
    EXPECT_FALSE(std::filesystem::exists(file_of(options)));
    EXPECT_TRUE(std::filesystem::exists(other));
    EXPECT_TRUE(reads_line(tier, "a", 1, 0));
}

TEST_F(disk_tiers_after_damage, do_not_find_dropped_lines_again) {
    {
        scripted_tier tier(source, options);
        tier.invalidate("a");
    }
    disk_tier_options trusting = options;
    trusting.trust = std::chrono::milliseconds::max();
    scripted_tier tier(source, trusting);
    EXPECT_EQ(tier.statistics().lines, 0u);
}

// Reads lines at random until it is killed. Tells when the first ones are on the disk.
[[noreturn]] void read_until_killed(const disk_tier_options& options, int version, unsigned seed,
                                    int tell) {
    scripted_source source(1);
    for (int i = 0; i != version; ++i) {
        for (const char* const object : {"a", "b", "c"}) source.put(object, 20 * disk_line_size);
    }
    scripted_tier tier(source, options);
    std::mt19937 random(seed);
    for (int i = 0;; ++i) {
        const std::string object(1, static_cast<char>('a' + random() % 3));
        const std::uint64_t lines = 1 + random() % 4;
        if (!reads(tier, object, version, random() % 20 * disk_line_size, lines * disk_line_size)) {
            ::_exit(1);
        }
        if (i == 10) {
            tier.flush();
            if (::write(tell, "x", 1) != 1) ::_exit(2);
        }
    }
}

TEST(disk_tiers_after_a_kill, serve_no_wrong_byte_and_lose_no_whole_line) {
    const temporary_folder folder;
    const disk_tier_options options = tier_options(folder, 40);
    std::mt19937 random(std::random_device{}());
    std::uint64_t hits = 0;
    for (int round = 0; round != 24; ++round) {
        const int version = 1 + round / 8;
        std::array<int, 2> ends{};
        ASSERT_EQ(::pipe(ends.data()), 0);
        const auto seed = static_cast<unsigned>(random());
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) read_until_killed(options, version, seed, ends[1]);
        ::close(ends[1]);
        char told = 0;
        EXPECT_EQ(::read(ends[0], &told, 1), 1) << "seed " << seed;
        ::close(ends[0]);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
        ASSERT_EQ(::kill(child, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "seed " << seed << ", status " << status;

        scripted_source source(0);
        for (int i = 0; i != version; ++i) {
            for (const char* const object : {"a", "b", "c"}) {
                source.put(object, 20 * disk_line_size);
            }
        }
        scripted_tier tier(source, options);
        const std::uint64_t found = tier.statistics().lines;
        EXPECT_GT(found, 0u);
        for (const char* const object : {"a", "b", "c"}) {
            for (std::uint64_t i = 0; i != 20; ++i) {
                EXPECT_TRUE(reads_line(tier, object, version, i)) << "seed " << seed;
            }
        }
        EXPECT_EQ(tier.statistics().damaged, 0u) << "seed " << seed;
        hits += tier.statistics().hits;
    }
    EXPECT_GT(hits, 0u);
}

}  // namespace
}  // namespace freehold::tests::disk_tier_restart_test
