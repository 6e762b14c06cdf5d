// SPDX-License-Identifier: BSL-1.0
// How objects name their edges: each kind of type takes part in a ring that only a collection can
// end.
#include <freehold/handle/cyclic_ptr.hpp>

#include <array>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::cyclic_edges_test {
namespace {

// Says that it died, and nothing else.
struct witness {
    explicit witness(int& d) : deaths(&d) {}
    witness(witness&& other) noexcept : deaths(std::exchange(other.deaths, nullptr)) {}
    witness& operator=(witness&&) = delete;
    ~witness() {
        if (deaths) ++*deaths;
    }
    int* deaths;
};

}  // namespace
}  // namespace freehold::cyclic_edges_test

template <>
inline constexpr bool freehold::has_no_edges<freehold::cyclic_edges_test::witness> = true;
template <>
inline constexpr bool freehold::has_no_edges<std::function<int()>> = true;

namespace freehold::cyclic_edges_test {
namespace {

template <class Member>
struct holder;

// An aggregate with one member that may hold edges, among others that cannot.
template <template <class> class Holds>
struct aggregate {
    witness ended;
    int number = 0;
    std::string text{};
    Holds<cyclic_ptr<aggregate>> edges{};
    std::function<int()> call{};
    std::mutex mutex{};
    weak_cyclic_ptr<aggregate> back{};
};

template <class Edge>
struct pair_of_edges {
    Edge left, right;
};
struct nowhere {};

template <class Edge>
using one = Edge;
template <class Edge>
using c_array = Edge[3];
template <class Edge>
using arrays_of_arrays = Edge[2][2];
template <class Edge>
using std_array = std::array<Edge, 2>;
template <class Edge>
using vector = std::vector<Edge>;
template <class Edge>
using list_of_vectors = std::list<std::vector<Edge>>;
template <class Edge>
using map = std::map<std::string, Edge>;
template <class Edge>
using optional = std::optional<Edge>;
template <class Edge>
using tuple = std::tuple<int, Edge, std::string>;
template <class Edge>
using variant = std::variant<int, Edge>;
template <class Edge>
using unique = std::unique_ptr<pair_of_edges<Edge>>;
template <class Edge>
using nested = pair_of_edges<Edge>;
template <class Edge>
using vector_of_nested = std::vector<pair_of_edges<Edge>>;

// Ties an object to itself, and expects that a collection ends it.
template <class Holds, class Tie>
void expect_collected(Tie tie) {
    int deaths = 0;
    {
        const auto object = make_cyclic<Holds>(witness(deaths));
        tie(object->edges, object);
        EXPECT_GT(object.use_count(), 1);
    }
    EXPECT_EQ(deaths, 0) << "the ring was not closed";
    collect_cycles();
    EXPECT_EQ(deaths, 1) << "an edge was not seen";
}

TEST(the_edges_of_an_aggregate, are_seen_in_members_of_every_kind) {
    expect_collected<aggregate<one>>([](auto& edge, const auto& p) { edge = p; });
    expect_collected<aggregate<c_array>>(
        [](auto& edges, const auto& p) { edges[0] = edges[2] = p; });
    expect_collected<aggregate<arrays_of_arrays>>(
        [](auto& edges, const auto& p) { edges[0][1] = edges[1][0] = p; });
    expect_collected<aggregate<std_array>>([](auto& edges, const auto& p) { edges[1] = p; });
    expect_collected<aggregate<vector>>([](auto& edges, const auto& p) { edges.assign(100, p); });
    expect_collected<aggregate<list_of_vectors>>([](auto& edges, const auto& p) {
        edges.push_back({p, p});
    });
    expect_collected<aggregate<map>>([](auto& edges, const auto& p) { edges["self"] = p; });
    expect_collected<aggregate<optional>>([](auto& edge, const auto& p) { edge = p; });
    expect_collected<aggregate<tuple>>([](auto& edges, const auto& p) { std::get<1>(edges) = p; });
    expect_collected<aggregate<variant>>([](auto& edge, const auto& p) { edge = p; });
    expect_collected<aggregate<nested>>([](auto& edges, const auto& p) { edges.right = p; });
    expect_collected<aggregate<vector_of_nested>>([](auto& edges, const auto& p) {
        edges.push_back({p, p});
    });
    expect_collected<aggregate<unique>>([](auto& edges, const auto& p) {
        using pair = std::remove_reference_t<decltype(*edges)>;
        edges.reset(new pair{p, p});
    });
}

struct by_template {
    template <class Visitor>
    void trace(Visitor&& visit) {
        visit(edges);
    }
    witness ended;
    cyclic_ptr<by_template> edges{};
};
struct by_const_member {
    explicit by_const_member(witness w) : ended(std::move(w)) {}
    void trace(edge_visitor& visit) const { visit(edges); }
    witness ended;
    cyclic_ptr<by_const_member> edges;
};
struct by_function {
    explicit by_function(witness w) : ended(std::move(w)) {}
    witness ended;
    cyclic_ptr<by_function> edges;
};
template <class Visitor>
void trace(by_function& object, Visitor visit_by_value) {
    visit_by_value(object.edges);
}
struct by_std_function {
    explicit by_std_function(witness w) : ended(std::move(w)) {}
    void trace(const std::function<void(cyclic_ptr<by_std_function>&)>& visit) { visit(edges); }
    witness ended;
    cyclic_ptr<by_std_function> edges;
};
class by_derived : public by_function {
public:
    using by_function::by_function;
    void trace(edge_visitor& visit) { visit(edges, more); }
    std::vector<cyclic_ptr<by_derived>> more;
};

TEST(the_edges_of_an_object, are_named_by_a_member_or_a_free_function) {
    const auto tie = [](auto& edge, const auto& p) { edge = p; };
    expect_collected<by_template>(tie);
    expect_collected<by_const_member>(tie);
    expect_collected<by_function>(tie);
    expect_collected<by_std_function>(tie);
    expect_collected<by_derived>(tie);
}

TEST(the_edges_of_an_object, are_those_of_its_own_type_whatever_the_handle_says) {
    int deaths = 0;
    {
        const auto derived = make_cyclic<by_derived>(witness(deaths));
        derived->more.push_back(derived);
        const cyclic_ptr<by_function> base = derived;
        const cyclic_ptr<void> anything = base;
    }
    collect_cycles();
    EXPECT_EQ(deaths, 1);
}

TEST(the_edges_of_an_object, may_be_many) {
    constexpr int many = 50'000;
    int deaths = 0;
    {
        const auto hub = make_cyclic<aggregate<vector>>(witness(deaths));
        for (int i = 0; i < many; ++i) {
            hub->edges.push_back(make_cyclic<aggregate<vector>>(witness(deaths)));
            hub->edges.back()->edges.push_back(hub);
        }
    }
    collect_cycles();
    EXPECT_EQ(deaths, many + 1);
}

struct plain {
    std::string text;
    std::vector<std::vector<int>> numbers;
};
struct not_even_looked_into {
    not_even_looked_into() = default;
    ~not_even_looked_into() {}
    std::function<int()> call;
};

TEST(an_object_without_edges, is_never_a_candidate) {
    collect_cycles();
    const auto text = make_cyclic<plain>();
    const auto opaque = make_cyclic<not_even_looked_into>();
    const auto number = make_cyclic<int>(7);
    static_cast<void>(cyclic_ptr<plain>(text));
    static_cast<void>(cyclic_ptr<not_even_looked_into>(opaque));
    static_cast<void>(cyclic_ptr<int>(number));
    EXPECT_EQ(current_cycle_statistics().candidates, 0U);

    using detail::can_have_edges;
    static_assert(!can_have_edges<plain>() && !can_have_edges<int>() &&
                  !can_have_edges<std::string>());
    static_assert(!can_have_edges<std::map<int, std::string>>() &&
                  !can_have_edges<std::unique_ptr<int>>());
    static_assert(can_have_edges<aggregate<vector>>() && can_have_edges<by_function>());
}

}  // namespace
}  // namespace freehold::cyclic_edges_test
