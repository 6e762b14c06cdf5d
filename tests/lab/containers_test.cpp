// SPDX-License-Identifier: BSL-1.0
// What the suite `containers` does to handles: each test does what it is named after, drops every
// handle it has made, and is described.
#include "subjects/handles/freehold_arc.hpp"
#include "subjects/handles/freehold_make_shared.hpp"
#include "subjects/handles/intrusive_atomic.hpp"
#include "subjects/handles/raw.hpp"
#include "subjects/handles/std_make_shared.hpp"
#include "suites/common/state.hpp"
#include "suites/containers/element_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace containers_test {
namespace {

namespace elements = lab::containers::elements;

/// Counts the pointees of a subject that are alive.
template <class Subject>
struct counted : Subject {
    static inline std::ptrdiff_t alive = 0;

    struct instance {
        instance() noexcept { ++alive; }
        instance(const instance&) noexcept { ++alive; }
        ~instance() { --alive; }
    };
    template <class T>
    struct base : Subject::template base<T>, instance {};
};

template <class Subject>
class container_tests : public testing::Test {};
using subjects = testing::Types<lab::handles::raw, lab::handles::std_make_shared,
                                lab::handles::freehold_make_shared, lab::handles::freehold_arc,
                                lab::handles::intrusive_atomic>;
TYPED_TEST_SUITE(container_tests, subjects);

TYPED_TEST(container_tests, take_time_and_drop_what_they_own) {
    using subject = counted<TypeParam>;
    lab::containers::for_each_element_test<subject>(
        [](const std::string& name, lab::containers::element_kernel run) {
            for (const std::size_t n : {1U, 4U, 17U}) {
                lab::kernel_state state(2);
                run(state, n);
                EXPECT_GT(state.seconds(), 0) << name << ", n = " << n;
                EXPECT_EQ(subject::alive, 0) << name << ", n = " << n;
            }
        });
}

TEST(container_tests, are_described_with_their_sizes) {
    std::ifstream file(FREEHOLD_CONTAINERS_SUITE);
    const auto suite = nlohmann::json::parse(file);
    std::set<std::string> described;
    for (const auto& each : suite.at("cases")) {
        if (each.contains("sizes")) described.insert(each.at("key").get<std::string>());
    }
    std::set<std::string> measured;
    lab::containers::for_each_element_test<lab::handles::raw>(
        [&](const std::string& name, lab::containers::element_kernel) { measured.insert(name); });
    EXPECT_EQ(measured, described);
}

using handle = std::shared_ptr<lab::pointee<lab::handles::std_make_shared>>;

std::vector<handle> made(const std::vector<std::uint64_t>& values) {
    std::vector<handle> all;
    for (const std::uint64_t value : values)
        all.push_back(std::make_shared<handle::element_type>(value));
    return all;
}

std::vector<std::uint64_t> values_of(const std::vector<handle>& all) {
    std::vector<std::uint64_t> values;
    for (const handle& each : all) values.push_back(each->value);
    return values;
}

/// The values in a vector of 3, 1, 4, 2 on which a test has run.
template <template <class> class Test>
std::vector<std::uint64_t> after() {
    const std::vector<handle> from = made({3, 1, 4, 2});
    std::vector<handle> worked_on;
    Test<handle>::prepare(worked_on, from);
    Test<handle>::run(worked_on, from);
    return values_of(worked_on);
}

TEST(container_tests, do_what_they_are_named_after) {
    using values = std::vector<std::uint64_t>;
    EXPECT_EQ(after<elements::insert_front>(), (values{3, 3, 1, 4, 2}));
    EXPECT_EQ(after<elements::insert_middle>(), (values{3, 1, 3, 4, 2}));
    EXPECT_EQ(after<elements::insert_range>(), (values{3, 1, 3, 4, 2}));
    EXPECT_EQ(after<elements::erase_front>(), (values{1, 4, 2}));
    EXPECT_EQ(after<elements::erase_middle>(), (values{3, 1, 2}));
    EXPECT_EQ(after<elements::rotate>(), (values{1, 4, 2, 3}));
    EXPECT_EQ(after<elements::reverse>(), (values{2, 4, 1, 3}));
    EXPECT_EQ(after<elements::sort>(), (values{1, 2, 3, 4}));
    EXPECT_EQ(after<elements::heap>(), (values{1, 2, 3, 4}));
    EXPECT_EQ(after<elements::assign>(), (values{3, 1, 4, 2}));
    EXPECT_EQ(after<elements::clear>(), values{});
    EXPECT_EQ(after<elements::remove>(), (values{3, 1, 4, 2}));
    const values partitioned = after<elements::partition>();
    EXPECT_TRUE(std::is_partitioned(partitioned.begin(), partitioned.end(),
                                    [](std::uint64_t value) { return value % 2 == 0; }));
}

TEST(container_tests, assign_other_pointees_than_there_were) {
    const std::vector<handle> from = made({3, 1, 4, 2});
    std::vector<handle> worked_on;
    elements::assign<handle>::prepare(worked_on, from);
    EXPECT_EQ(values_of(worked_on), (std::vector<std::uint64_t>{4, 2, 3, 1}));
}

TEST(container_tests, copy_and_grow_without_a_loss) {
    const std::vector<handle> from = made({3, 1, 4, 2});
    std::optional<std::vector<handle>> copied;
    elements::copy<handle>::run(copied, from);
    EXPECT_EQ(*copied, from);
    elements::grow<handle>::container grown;
    elements::grow<handle>::prepare(grown, from);
    elements::grow<handle>::run(grown, from);
    EXPECT_EQ(grown.to, from);
}

}  // namespace
}  // namespace containers_test
