// SPDX-License-Identifier: BSL-1.0
// A disk that is full, fails or is not there, and a folder that another tier uses.
#include <freehold/line/disk_tier.hpp>

#include "line/disk_lines.hpp"
#include "line/file_size_limit.hpp"
#include "skip.hpp"

#include <chrono>
#include <stdexcept>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::tests::disk_tier_faults_test {
namespace {

class disk_tiers_on_a_bad_disk : public testing::Test {
protected:
    disk_tiers_on_a_bad_disk() { source.put("a", 30 * disk_line_size); }

    temporary_folder folder;
    scripted_source source;
};

TEST_F(disk_tiers_on_a_bad_disk, use_the_slots_that_they_have_when_the_disk_is_full) {
    disk_tier_options options = tier_options(folder, 20);
    options.retry_after = std::chrono::hours(1);
    scripted_tier tier(source, options);
    {
        const file_size_limit limit(10 * disk_slot_size + 5000);
        fill(tier, "a", 30);
        const disk_tier_statistics full = tier.statistics();
        EXPECT_EQ(full.failed_writes, 1u);
        EXPECT_EQ(full.lines, 10u);
        EXPECT_EQ(full.written, 29u);
        EXPECT_EQ(full.evictions, 19u);
    }
    for (std::uint64_t i = 0; i != 30; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
    EXPECT_EQ(tier.statistics().damaged, 0u);
}

TEST_F(disk_tiers_on_a_bad_disk, grow_again_when_the_disk_has_room_again) {
    disk_tier_options options = tier_options(folder, 20);
    options.retry_after = std::chrono::milliseconds(0);
    scripted_tier tier(source, options);
    {
        const file_size_limit limit(5 * disk_slot_size);
        fill(tier, "a", 10);
        EXPECT_EQ(tier.statistics().failed_writes, 5u);
        EXPECT_EQ(tier.statistics().lines, 5u);
    }
    fill(tier, "a", 30);
    EXPECT_EQ(tier.statistics().lines, 20u);
}

TEST_F(disk_tiers_on_a_bad_disk, serve_from_the_source_when_the_file_cannot_be_written) {
    const disk_tier_options options = tier_options(folder, 20);
    std::filesystem::create_directories(options.folder);
    // A write to the first pages of a process's memory fails with EIO.
    std::error_code error;
    std::filesystem::create_symlink("/proc/self/mem", file_of(options), error);
    if (error || !std::filesystem::exists(file_of(options))) {
        return skip_without("proc_mem", "there is no /proc/self/mem");
    }
    scripted_tier tier(source, options);
    fill(tier, "a", 3);
    EXPECT_EQ(tier.statistics().lines, 0u);
    EXPECT_GT(tier.statistics().failed_writes, 0u);
}

TEST_F(disk_tiers_on_a_bad_disk, serve_from_the_source_without_a_folder) {
    disk_tier_options options = tier_options(folder, 20);
    folder.write("tier", "a file in place of the folder");
    scripted_tier tier(source, options);
    EXPECT_NE(tier.fault().find("Not a directory"), std::string::npos) << tier.fault();
    fill(tier, "a", 5);
    fill(tier, "a", 5);
    EXPECT_EQ(source.request_count(), 10u);
}

TEST_F(disk_tiers_on_a_bad_disk, serve_from_the_source_with_a_folder_in_place_of_the_file) {
    const disk_tier_options options = tier_options(folder, 20);
    std::filesystem::create_directories(file_of(options));
    scripted_tier tier(source, options);
    EXPECT_NE(tier.fault(), "");
    fill(tier, "a", 2);
    contracts::observed_read started("a", 0, 100);
    tier.start(started);
    started.wait_for_end();
    EXPECT_TRUE(started.finished());
    EXPECT_EQ(tier.statistics().lines, 0u);
}

TEST_F(disk_tiers_on_a_bad_disk, serve_what_a_read_only_folder_holds) {
    const disk_tier_options options = tier_options(folder, 20);
    {
        scripted_tier tier(source, options);
        fill(tier, "a", 5);
    }
    for (const auto& each :
         {folder.path(), std::filesystem::path(options.folder), file_of(options)}) {
        ASSERT_EQ(::chmod(each.c_str(), each == file_of(options) ? 0444 : 0555), 0);
    }
    // Root may write everywhere, so the test becomes nobody for a moment.
    constexpr uid_t nobody = 65534;
    const uid_t user = ::geteuid();
    if (user == 0 && ::seteuid(nobody) != 0) {
        return skip_without("setuid", "root cannot become nobody here");
    }
    {
        scripted_tier tier(source, options);
        for (std::uint64_t i = 0; i != 10; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
        tier.flush();
        EXPECT_NE(tier.fault().find("Permission denied"), std::string::npos) << tier.fault();
        EXPECT_EQ(tier.statistics().hits, 5u);
        EXPECT_EQ(tier.statistics().lines, 5u);
        EXPECT_EQ(tier.statistics().failed_writes, 0u);
    }
    if (user == 0) {
        ASSERT_EQ(::seteuid(user), 0);
    }
    for (const auto& each : {folder.path(), std::filesystem::path(options.folder)})
        ::chmod(each.c_str(), 0755);
}

TEST_F(disk_tiers_on_a_bad_disk, go_on_when_their_folder_is_deleted) {
    const disk_tier_options options = tier_options(folder, 20);
    {
        scripted_tier tier(source, options);
        fill(tier, "a", 5);
        std::filesystem::remove_all(options.folder);
        fill(tier, "a", 10);
        for (std::uint64_t i = 0; i != 10; ++i) EXPECT_TRUE(reads_line(tier, "a", 1, i));
        EXPECT_EQ(tier.statistics().damaged, 0u);
    }
    // The next one begins anew.
    scripted_tier tier(source, options);
    EXPECT_EQ(tier.fault(), "");
    EXPECT_EQ(tier.statistics().lines, 0u);
    fill(tier, "a", 5);
    EXPECT_EQ(tier.statistics().lines, 5u);
}

TEST_F(disk_tiers_on_a_bad_disk, refuse_a_folder_that_another_tier_uses) {
    const disk_tier_options options = tier_options(folder, 20);
    const auto is_refused = [&] {
        scripted_source other(0);
        try {
            const scripted_tier second(other, options);
        } catch (const std::runtime_error& error) {
            return std::string(error.what()).find(options.folder) != std::string::npos;
        }
        return false;
    };
    const auto child_is_refused = [&] {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(is_refused() ? 0 : 1);
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    };
    {
        const scripted_tier first(source, options);
        EXPECT_TRUE(is_refused());
        EXPECT_TRUE(child_is_refused());
    }
    EXPECT_FALSE(is_refused());
    EXPECT_FALSE(child_is_refused());
}

}  // namespace
}  // namespace freehold::tests::disk_tier_faults_test
