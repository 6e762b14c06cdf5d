// SPDX-License-Identifier: BSL-1.0
// A cache over s3_source, and a store of three nodes that are killed, restarted and stopped under
// load, while objects are replaced. Skipped if SeaweedFS is not installed.
#include <freehold/line/line_cache.hpp>
#include <freehold/line/s3_source.hpp>

#include "contracts/content.hpp"
#include "line/seaweed_cluster.hpp"
#include "servers/s3_upload.hpp"
#include "skip.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::s3_cluster_test {
namespace {

using namespace std::chrono_literals;
using testing_support::seaweed_cluster;

constexpr std::size_t line_size = std::size_t{1} << 20;
constexpr std::size_t lines_of_an_object = 6;
constexpr std::size_t object_size = lines_of_an_object * line_size - 12345;
constexpr std::size_t objects = 4;

std::string name_of(std::size_t object) {
    return "object" + std::to_string(object);
}

/// What was written, and which lines were seen to be of which version. Thread-safe.
class history {
public:
    /// The next version of an object. From now on, readers may see it.
    const std::vector<std::byte>& begin_version(std::size_t object) {
        const std::lock_guard lock(mutex_);
        auto& all = contents_.at(object);
        all.push_back(std::make_unique<std::vector<std::byte>>(contracts::content_of(
            name_of(object) + " version " + std::to_string(all.size()), object_size)));
        return *all.back();
    }

    /// Fails the test if these bytes are of no version, or not of the one that had the tag before.
    void check(std::size_t object, std::size_t offset, const line& read) {
        const auto bytes = read.bytes_from(offset);
        const std::lock_guard lock(mutex_);
        const auto& all = contents_.at(object);
        const auto version = std::find_if(all.begin(), all.end(), [&](const auto& content) {
            return bytes.size() == std::min(line_size, object_size - offset) &&
                   std::equal(bytes.begin(), bytes.end(), content->data() + offset);
        });
        ASSERT_NE(version, all.end()) << name_of(object) << " at " << offset << ": " << bytes.size()
                                      << " bytes are of no version";
        const auto number = version - all.begin();
        const auto [known, is_new] =
            versions_.try_emplace({object, std::string(read.entity_tag())}, number);
        EXPECT_EQ(known->second, number) << "one tag, two versions of " << name_of(object);
    }

private:
    std::mutex mutex_;
    // Contents stay where they are.
    std::vector<std::vector<std::unique_ptr<std::vector<std::byte>>>> contents_{objects};
    std::map<std::pair<std::size_t, std::string>, std::ptrdiff_t> versions_;
};

s3_options options_for(const seaweed_cluster& cluster) {
    s3_options options;
    options.endpoint = cluster.endpoint();
    options.bucket = "lines";
    options.credentials = s3_credentials{"made-up", "made-up", ""};
    options.attempts = 3;
    options.first_delay = 50ms;
    options.patience = 2000ms;
    return options;
}

/// A cache that holds a quarter of the objects, so that most reads ask the store.
class small_cache {
public:
    explicit small_cache(const seaweed_cluster& cluster)
        : source_(options_for(cluster)),
          lines_(source_, {.line_size = line_size,
                           .capacity = objects * lines_of_an_object / 4 * line_size,
                           .when_full = line_cache_options::full::wait}) {}

    /// Throws source_error.
    void read(std::size_t object, std::size_t number, history& written) {
        const std::string name = name_of(object);
        try {
            const std::size_t offset = number * line_size;
            written.check(object, offset, lines_.get(lines_.open(name), offset));
        } catch (const source_error& error) {
            if (error.reason() == source_failure::changed) lines_.invalidate(name);
            throw;
        }
    }

private:
    s3_source source_;
    line_cache<s3_source> lines_;
};

/// Threads that read lines at random until the end of this object.
class readers {
public:
    readers(small_cache& cache, history& written) {
        for (unsigned seed = 0; seed != 2; ++seed) {
            threads_.emplace_back([this, &cache, &written, seed] {
                std::minstd_rand random(seed + 1);
                while (!end_.load()) {
                    try {
                        cache.read(random() % objects, random() % lines_of_an_object, written);
                        ++read_;
                    } catch (const source_error&) {  // told, and the scan goes on
                    }
                }
            });
        }
    }
    ~readers() {
        end_.store(true);
        for (std::thread& each : threads_) each.join();
    }
    readers(const readers&) = delete;
    readers& operator=(const readers&) = delete;

    /// Waits until the readers have read so many lines more.
    [[nodiscard]] bool go_on_reading(std::size_t lines) const {
        const std::size_t wanted = read_.load() + lines;
        for (int i = 0; i != 600 && read_.load() < wanted; ++i) std::this_thread::sleep_for(100ms);
        return read_.load() >= wanted;
    }

private:
    std::atomic<bool> end_{false};
    std::atomic<std::size_t> read_{0};
    std::vector<std::thread> threads_;
};

class s3_cluster : public testing::Test {
protected:
    void SetUp() override {
        const auto weed = testing_support::find_weed();
        if (!weed) return tests::skip_without("seaweedfs", seaweed_cluster::how_to_install);
        cluster_ = std::make_unique<seaweed_cluster>(*weed);
        cache_ = std::make_unique<small_cache>(*cluster_);
        replace_all();
    }

    /// Whether the store takes a new version of the object. If it lacks a node, it may refuse.
    bool replace(std::size_t object) {
        try {
            lab::s3_upload upload(cluster_->endpoint(), "made-up", "made-up");
            upload.send("PUT", "lines", name_of(object), written_.begin_version(object));
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    }
    void replace_all() {
        for (std::size_t object = 0; object != objects; ++object) ASSERT_TRUE(replace(object));
    }

    /// Whether all lines can be read, each in one of several attempts: nodes take a while to
    /// return.
    bool scan_succeeds() {
        for (std::size_t i = 0; i != objects * lines_of_an_object; ++i) {
            bool is_read = false;
            for (int attempt = 0; attempt != 60 && !is_read; ++attempt) {
                try {
                    cache_->read(i / lines_of_an_object, i % lines_of_an_object, written_);
                    is_read = true;
                } catch (const source_error&) {
                    std::this_thread::sleep_for(500ms);
                }
            }
            if (!is_read) return false;
        }
        return true;
    }

    history written_;
    std::unique_ptr<seaweed_cluster> cluster_;
    std::unique_ptr<small_cache> cache_;
};

TEST_F(s3_cluster, returns_nothing_wrong_while_nodes_are_killed_stopped_and_restarted) {
    if (!cluster_) return;
    {
        const readers reading(*cache_, written_);
        ASSERT_TRUE(reading.go_on_reading(50));
        for (std::size_t node = 0; node != seaweed_cluster::nodes; ++node) {
            cluster_->kill(node);
            EXPECT_TRUE(reading.go_on_reading(20)) << "node " << node << " is gone";
            cluster_->start(node);
            EXPECT_TRUE(reading.go_on_reading(50)) << "node " << node << " starts";
            cluster_->stop(node);
            std::this_thread::sleep_for(3s);  // longer than a request may be silent
            cluster_->go_on(node);
            EXPECT_TRUE(reading.go_on_reading(50)) << "node " << node << " was silent";
        }
    }
    EXPECT_TRUE(scan_succeeds());
}

TEST_F(s3_cluster, returns_whole_versions_while_objects_are_replaced) {
    if (!cluster_) return;
    {
        const readers reading(*cache_, written_);
        for (int version = 1; version != 4; ++version) {
            ASSERT_TRUE(reading.go_on_reading(20));
            replace_all();
        }
        cluster_->kill(1);
        static_cast<void>(replace(0));
        cluster_->start(1);
        EXPECT_TRUE(reading.go_on_reading(20));
    }
    EXPECT_TRUE(scan_succeeds());
}

TEST_F(s3_cluster, tells_readers_that_no_node_answers_and_goes_on_when_they_do) {
    if (!cluster_) return;
    for (std::size_t node = 0; node != seaweed_cluster::nodes; ++node) cluster_->kill(node);
    for (std::size_t object = 0; object != objects; ++object) {
        EXPECT_THROW(cache_->read(object, 0, written_), source_error);
    }
    for (std::size_t node = 0; node != seaweed_cluster::nodes; ++node) cluster_->start(node);
    EXPECT_TRUE(scan_succeeds());
}

}  // namespace
}  // namespace freehold::s3_cluster_test
