// SPDX-License-Identifier: BSL-1.0
// Every standard container over the pool's adaptors, step by step beside the same container over
// std::allocator, and with the upstream failing at each call.
#include <freehold/memory/pool_allocator.hpp>
#include <freehold/memory/pool_resource.hpp>

#include "contracts/observed_resource.hpp"
#include "contracts/use_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <forward_list>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::pool_containers_test {
namespace {

// Long enough to live outside the string itself, now and then.
template <class String>
String text(unsigned value, const typename String::allocator_type& allocator) {
    return String(value % 40, static_cast<char>('a' + value % 26), allocator);
}

struct vectors {
    template <template <class> class A>
    using type = std::vector<int, A<int>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        into.insert(into.begin() + static_cast<int>(value % (into.size() + 1)),
                    static_cast<int>(value));
    }
    template <class C>
    static void erase(C& from, unsigned value) {
        if (!from.empty()) from.erase(from.begin() + static_cast<int>(value % from.size()));
    }
};

struct deques : vectors {
    template <template <class> class A>
    using type = std::deque<int, A<int>>;
};

struct lists {
    template <template <class> class A>
    using type = std::list<int, A<int>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        const auto place = std::next(into.begin(), static_cast<int>(value % (into.size() + 1)));
        into.insert(place, static_cast<int>(value));
#if !defined(_GLIBCXX_RELEASE) || _GLIBCXX_RELEASE >= 12  // before, sort makes a default allocator
        if (value % 50 == 0) into.sort();
#endif
    }
    template <class C>
    static void erase(C& from, unsigned value) {
        if (!from.empty()) {
            from.erase(std::next(from.begin(), static_cast<int>(value % from.size())));
        }
    }
};

struct forward_lists {
    template <template <class> class A>
    using type = std::forward_list<int, A<int>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        into.push_front(static_cast<int>(value));
        if (value % 50 == 0) into.reverse();
    }
    template <class C>
    static void erase(C& from, unsigned) {
        if (!from.empty()) from.pop_front();
    }
};

struct sets {
    template <template <class> class A>
    using type = std::set<int, std::less<int>, A<int>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        into.insert(static_cast<int>(value % 1000));
    }
    template <class C>
    static void erase(C& from, unsigned value) {
        from.erase(static_cast<int>(value % 1000));
    }
};

struct multisets : sets {
    template <template <class> class A>
    using type = std::multiset<int, std::less<int>, A<int>>;
};

struct unordered_sets : sets {
    template <template <class> class A>
    using type = std::unordered_set<int, std::hash<int>, std::equal_to<int>, A<int>>;
};

struct unordered_multisets : sets {
    template <template <class> class A>
    using type = std::unordered_multiset<int, std::hash<int>, std::equal_to<int>, A<int>>;
};

struct maps_of_strings {
    template <template <class> class A>
    using string = std::basic_string<char, std::char_traits<char>, A<char>>;
    template <template <class> class A>
    using type = std::map<int, string<A>, std::less<int>, A<std::pair<const int, string<A>>>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        using mapped = typename C::mapped_type;
        into.insert_or_assign(static_cast<int>(value % 300),
                              text<mapped>(value, into.get_allocator()));
    }
    template <class C>
    static void erase(C& from, unsigned value) {
        from.erase(static_cast<int>(value % 300));
    }
};

struct unordered_maps_of_strings : maps_of_strings {
    template <template <class> class A>
    using type = std::unordered_map<int, string<A>, std::hash<int>, std::equal_to<int>,
                                    A<std::pair<const int, string<A>>>>;
};

struct multimaps_of_strings : maps_of_strings {
    template <template <class> class A>
    using type = std::multimap<int, string<A>, std::less<int>, A<std::pair<const int, string<A>>>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        using mapped = typename C::mapped_type;
        into.emplace(static_cast<int>(value % 300), text<mapped>(value, into.get_allocator()));
    }
};

struct unordered_multimaps_of_strings : multimaps_of_strings {
    template <template <class> class A>
    using type = std::unordered_multimap<int, string<A>, std::hash<int>, std::equal_to<int>,
                                         A<std::pair<const int, string<A>>>>;
};

struct strings {
    template <template <class> class A>
    using type = std::basic_string<char, std::char_traits<char>, A<char>>;
    template <class C>
    static void insert(C& into, unsigned value) {
        into.insert(value % (into.size() + 1), text<C>(value, into.get_allocator()));
    }
    template <class C>
    static void erase(C& from, unsigned value) {
        from.erase(value % (from.size() + 1), value % 60);
    }
};

template <class Kind>
class a_container_over_a_pool : public testing::Test {
protected:
    void TearDown() override { contracts::expect_conserved(pool_, 0); }

    // Strings of both kinds compare as the elements that they are.
    template <class C, class Model>
    static void expect_same(const C& container, const Model& model) {
        const auto same = [](const auto& a, const auto& b) {
            if constexpr (requires { a.second; }) {
                return a.first == b.first && std::equal(a.second.begin(), a.second.end(),
                                                        b.second.begin(), b.second.end());
            } else {
                return a == b;
            }
        };
        ASSERT_TRUE(
            std::equal(container.begin(), container.end(), model.begin(), model.end(), same));
    }

    template <class C>
    void run_beside_a_model(C container) {
        typename Kind::template type<std::allocator> model;
        std::mt19937 random(5);
        for (int step = 0; step < 2000; ++step) {
            const unsigned value = random();
            const bool grows = random() % 8 != 0 ? random() % 5 != 0 : random() % 2 != 0;
            if (grows) {
                Kind::insert(container, value);
                Kind::insert(model, value);
            } else {
                Kind::erase(container, value);
                Kind::erase(model, value);
            }
            if (step % 100 == 0) {
                expect_same(container, model);
                C copy(container);
                expect_same(copy, model);
                const C moved(std::move(copy));
                expect_same(moved, model);
                container = moved;
            }
            if (step % 900 == 899) {
                container.clear();
                model.clear();
            }
        }
        expect_same(container, model);
        EXPECT_GT(pool_.statistics().allocations, 0U);
    }

    // Until a run needs no more memory than it is given.
    template <class C>
    void run_with_failures(const typename C::allocator_type& allocator) {
        for (long k = 1;; ++k) {
            upstream_.fail_from(k);
            try {
                C container(allocator);
                for (unsigned i = 0; i < 200; ++i) Kind::insert(container, i * 7);
                const C copy(container);
                EXPECT_EQ(upstream_.failures(), 0);
                break;
            } catch (const std::bad_alloc&) {
                EXPECT_GT(upstream_.failures(), 0);
            }
            EXPECT_EQ(pool_.statistics().in_use, 0U) << "call " << k;
            ASSERT_LT(k, 1000);
        }
        upstream_.fail_from(0);
    }

    static pool_options options(std::pmr::memory_resource* upstream) {
        pool_options asked;
        asked.block_size = 72;
        asked.alignment = 8;
        asked.growth = 10;
        asked.upstream = upstream;
        return asked;
    }

    contracts::observed_resource upstream_;
    pool pool_{options(&upstream_)};
    pool_resource resource_{pool_};
};

// With libstdc++ 16, clang++ refuses pairs with a string whose allocator has no default
// constructor, of whatever allocator.
#if defined(__clang__) && defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE == 16
using kinds = testing::Types<vectors, deques, lists, forward_lists, sets, multisets, unordered_sets,
                             unordered_multisets, strings>;
#else
using kinds = testing::Types<vectors, deques, lists, forward_lists, sets, multisets, unordered_sets,
                             unordered_multisets, maps_of_strings, multimaps_of_strings,
                             unordered_maps_of_strings, unordered_multimaps_of_strings, strings>;
#endif
TYPED_TEST_SUITE(a_container_over_a_pool, kinds);

TYPED_TEST(a_container_over_a_pool, behaves_as_over_the_standard_allocator) {
    using container = typename TypeParam::template type<pool_allocator>;
    this->run_beside_a_model(container(typename container::allocator_type(this->pool_)));
}

TYPED_TEST(a_container_over_a_pool, behaves_so_over_the_resource_too) {
    using container = typename TypeParam::template type<std::pmr::polymorphic_allocator>;
    this->run_beside_a_model(container(&this->resource_));
}

TYPED_TEST(a_container_over_a_pool, loses_nothing_when_the_upstream_fails) {
    using container = typename TypeParam::template type<pool_allocator>;
    this->template run_with_failures<container>(typename container::allocator_type(this->pool_));
}

TYPED_TEST(a_container_over_a_pool, loses_nothing_over_the_resource_either) {
    using container = typename TypeParam::template type<std::pmr::polymorphic_allocator>;
    this->template run_with_failures<container>(&this->resource_);
}

}  // namespace
}  // namespace freehold::pool_containers_test
