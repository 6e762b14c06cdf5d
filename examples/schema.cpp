// SPDX-License-Identifier: BSL-1.0
// sharded_count: workers decode rows by one schema, and each row keeps an owner of it. While the
// schema is shared out, the workers do not wait for each other's counts. A new schema replaces it;
// the old one dies with the last row that keeps it.
#include <freehold/count/sharded_count.hpp>
#include <freehold/handle/anchor.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/atomic_arc.hpp>

#include "require.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct schema {
    explicit schema(std::vector<std::string> names) : columns(std::move(names)) { ++alive; }
    schema(const schema&) = delete;
    schema& operator=(const schema&) = delete;
    ~schema() { --alive; }

    const std::vector<std::string> columns;
    static inline std::atomic<int> alive{0};
};

using schema_ptr = freehold::arc<const schema, freehold::sharded_count>;

schema_ptr make_schema(std::vector<std::string> names) {
    return freehold::make_arc<const schema, freehold::sharded_count>(std::move(names));
}

struct row {
    schema_ptr described_by;
    int value;
};

}  // namespace

int main() {
    std::puts("Four workers decode 10000 rows each by the schema of that moment:");
    freehold::atomic_arc<const schema, freehold::sharded_count> current(make_schema({"id"}));
    std::vector<std::vector<row>> rows(4);
    std::vector<std::thread> workers;
    for (auto& mine : rows) {
        workers.emplace_back([&mine, &current] {
            for (int i = 0; i != 10'000; ++i) mine.push_back({current.load(), i});
        });
    }
    current.store(make_schema({"id", "name"}));
    for (std::thread& worker : workers) worker.join();
    bool all_described = true;
    for (const auto& each : rows)
        all_described = all_described && !each.back().described_by->columns.empty();
    require(all_described, "each row has kept its schema");
    rows.clear();
    require(schema::alive == 1, "the old schema has died with the last row");

    std::puts("and, without an atomic pointer, by a schema that an anchor shares out:");
    {
        const freehold::anchor shared_out(make_schema({"id", "name", "age"}));
        std::vector<std::thread> others;
        for (int i = 0; i != 4; ++i) {
            others.emplace_back([mine = shared_out.get()] {
                for (int j = 0; j != 10'000; ++j) const schema_ptr copy = mine;
            });
        }
        for (std::thread& other : others) other.join();
    }
    require(schema::alive == 1, "that schema has died with its anchor");
}
