// SPDX-License-Identifier: BSL-1.0
// Every allocation of a disk_tier fails once. Each read ends once, and the tier works as before.
#include <freehold/line/disk_tier.hpp>

#include "handle/failing_new.hpp"
#include "line/disk_lines.hpp"
#include "line/sources_without_memory.hpp"

#include <memory>
#include <new>

namespace freehold::tests::disk_tier_without_memory_test {
namespace {

class disk_tier_out_of_memory : public testing::Test {
protected:
    disk_tier_out_of_memory() { source.put("a", 2000); }

    std::unique_ptr<scripted_tier> open() {
        return std::make_unique<scripted_tier>(source, tier_options(folder, 10));
    }
    // Calls use(tier) with each allocation failing. Returns the number of allocations.
    template <class Use>
    int fail_each(bool is_on_disk, Use use) {
        for (int k = 1;; ++k) {
            std::unique_ptr<scripted_tier> tier = open();
            tier->invalidate("a");
            if (is_on_disk) {
                EXPECT_TRUE(reads(*tier, "a", 1, 0, 2000));
                tier->flush();
            }
            use(*tier, k);
            const bool failed = has_failed();
            fail_allocation(0);
            EXPECT_TRUE(reads(*tier, "a", 1, 0, 2000)) << "after allocation " << k << " failed";
            if (!failed || testing::Test::HasFailure()) return k - 1;
        }
    }

    temporary_folder folder;
    scripted_source source;
};

TEST_F(disk_tier_out_of_memory, ends_every_fetch) {
    for (const bool is_on_disk : {false, true}) {
        const int allocations = fail_each(is_on_disk, [&](scripted_tier& tier, int k) {
            frugal_read read("a");
            fail_allocation(k);
            tier.fetch(read);
            EXPECT_TRUE(read.finished() || read.lacked_memory()) << "allocation " << k;
            EXPECT_TRUE(read.finished() || has_failed()) << "allocation " << k;
        });
        EXPECT_GT(allocations, 0);
    }
}

TEST_F(disk_tier_out_of_memory, ends_every_fetch_of_a_version_that_is_gone) {
    const int allocations = fail_each(true, [&](scripted_tier& tier, int k) {
        contracts::observed_read read("a", 0, 2000, "an entity tag that takes memory of its own");
        fail_allocation(k);
        tier.fetch(read);
        EXPECT_TRUE(read.ended());
        EXPECT_FALSE(read.finished());
    });
    EXPECT_GT(allocations, 0);
}

TEST_F(disk_tier_out_of_memory, ends_every_started_read) {
    for (const bool is_on_disk : {false, true}) {
        const int allocations = fail_each(is_on_disk, [&](scripted_tier& tier, int k) {
            contracts::observed_read read("a", 0, 2000);
            fail_allocation(k);
            tier.start(read);
            const bool failed = has_failed();
            fail_allocation(0);
            read.wait_for_end();
            EXPECT_TRUE(read.finished() || failed) << "allocation " << k;
            // For the caller, which asks whether it has failed.
            if (failed) {
                fail_allocation(1);
                EXPECT_THROW(std::make_unique<int>(), std::bad_alloc);
            }
        });
        EXPECT_GT(allocations, 0);
    }
}

TEST_F(disk_tier_out_of_memory, ends_every_fetch_in_a_shared_folder) {
    disk_tier_options options = tier_options(folder, 10);
    options.shared = true;
    for (const bool is_guest : {false, true}) {
        for (int k = 1;; ++k) {
            scripted_tier owner(source, options);
            scripted_tier guest(source, options);
            owner.invalidate("a");
            frugal_read read("a");
            fail_allocation(k);
            (is_guest ? guest : owner).fetch(read);
            const bool failed = has_failed();
            fail_allocation(0);
            EXPECT_TRUE(read.finished() || read.lacked_memory()) << "allocation " << k;
            EXPECT_TRUE(reads(guest, "a", 1, 0, 2000)) << "after allocation " << k << " failed";
            EXPECT_TRUE(reads(owner, "a", 1, 0, 2000)) << "after allocation " << k << " failed";
            if (!failed || testing::Test::HasFailure()) break;
        }
    }
}

TEST_F(disk_tier_out_of_memory, throws_in_its_constructor) {
    {
        const auto tier = open();
        EXPECT_TRUE(reads(*tier, "a", 1, 0, 2000));
    }
    for (int k = 1;; ++k) {
        fail_allocation(k);
        bool threw = false;
        try {
            open();
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        const bool failed = has_failed();
        fail_allocation(0);
        EXPECT_EQ(threw, failed) << "allocation " << k;
        if (!failed || testing::Test::HasFailure()) return;
    }
}

}  // namespace
}  // namespace freehold::tests::disk_tier_without_memory_test
