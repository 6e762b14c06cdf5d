// SPDX-License-Identifier: BSL-1.0
// Every algorithm of <algorithm> and <numeric>, and those of <memory>, on handles. Where an
// algorithm has a default comparison or operation, that is called: it finds the handles' own.
// Left out: std::iota, because handles cannot be incremented.
#pragma once

#include "contracts/handle_scene.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

// Algorithms that move handles, or that only read them.
template <class Strategy>
struct moving_algorithms {
    using scene = handle_scene<Strategy>;
    using handle = typename scene::handle;
    static bool is_odd(const handle& h) { return scene::value(h) % 2 != 0; }
    static constexpr auto sorted = [](scene & s) -> auto& {
        std::sort(s.in.begin(), s.in.end());
        return s.in;
    };
    static constexpr auto heap = [](scene & s) -> auto& {
        std::make_heap(s.in.begin(), s.in.end());
        return s.in;
    };

    static constexpr handle_use<Strategy> all[] = {
        {"all_of", [](scene& s) { s.note(std::all_of(s.in.begin(), s.in.end(), is_odd)); }},
        {"any_of", [](scene& s) { s.note(std::any_of(s.in.begin(), s.in.end(), is_odd)); }},
        {"none_of", [](scene& s) { s.note(std::none_of(s.in.begin(), s.in.end(), is_odd)); }},
        {"for_each",
         [](scene& s) {
             std::for_each(s.in.begin(), s.in.end(), [&](handle& h) { s.note(s.value(h)); });
         }},
        {"for_each_n",
         [](scene& s) {
             s.note(std::for_each_n(s.in.begin(), 3, [&](handle& h) { s.note(s.value(h)); }));
         }},
        {"count", [](scene& s) { s.note(std::count(s.in.begin(), s.in.end(), s.in[2])); }},
        {"count of null", [](scene& s) { s.note(std::count(s.in.begin(), s.in.end(), nullptr)); }},
        {"count_if", [](scene& s) { s.note(std::count_if(s.in.begin(), s.in.end(), is_odd)); }},
        {"mismatch",
         [](scene& s) {
             s.note(std::mismatch(s.in.begin(), s.in.end(), s.out.begin()));
             s.note(std::mismatch(s.in.begin(), s.in.end(), s.in.begin(), s.in.end()));
         }},
        {"find", [](scene& s) { s.note(std::find(s.in.begin(), s.in.end(), s.in[4])); }},
        {"find of null", [](scene& s) { s.note(std::find(s.in.begin(), s.in.end(), nullptr)); }},
        {"find_if", [](scene& s) { s.note(std::find_if(s.in.begin(), s.in.end(), is_odd)); }},
        {"find_if_not",
         [](scene& s) { s.note(std::find_if_not(s.in.begin(), s.in.end(), is_odd)); }},
        {"find_end",
         [](scene& s) {
             s.note(std::find_end(s.in.begin(), s.in.end(), s.in.begin() + 2, s.in.begin() + 4));
         }},
        {"find_first_of",
         [](scene& s) {
             s.note(std::find_first_of(s.in.begin() + 3, s.in.end(), s.out.begin(), s.out.end()));
         }},
        {"adjacent_find", [](scene& s) { s.note(std::adjacent_find(s.in.begin(), s.in.end())); }},
        {"search",
         [](scene& s) {
             s.note(std::search(s.in.begin(), s.in.end(), s.in.begin() + 3, s.in.begin() + 5));
             s.note(std::search(s.in.begin(), s.in.end(),
                                std::default_searcher(s.in.begin() + 3, s.in.begin() + 5)));
         }},
        {"search_n", [](scene& s) { s.note(std::search_n(s.in.begin(), s.in.end(), 1, s.in[5])); }},
        {"equal",
         [](scene& s) {
             s.note(std::equal(s.in.begin(), s.in.end(), s.in.begin()));
             s.note(std::equal(s.in.begin(), s.in.end(), s.out.begin(), s.out.end()));
         }},
        {"lexicographical_compare",
         [](scene& s) {
             s.note(std::lexicographical_compare(s.in.begin(), s.in.end(), s.out.begin(),
                                                 s.out.end()));
         }},
        {"lexicographical_compare_three_way",
         [](scene& s) {
             s.note(std::lexicographical_compare_three_way(s.in.begin(), s.in.end(), s.out.begin(),
                                                           s.out.end()) > 0);
         }},
        {"is_permutation",
         [](scene& s) {
             s.note(std::is_permutation(s.in.begin(), s.in.end(), s.in.begin()));
             s.note(std::is_permutation(s.in.begin(), s.in.end(), s.out.begin(), s.out.end()));
         }},
        {"move", [](scene& s) { s.note(std::move(s.in.begin(), s.in.end(), s.out.begin())); }},
        {"move to itself",
         [](scene& s) { s.note(std::move(s.in.begin() + 2, s.in.end(), s.in.begin())); }},
        {"move_backward",
         [](scene& s) { s.note(std::move_backward(s.in.begin(), s.in.end() - 2, s.in.end())); }},
        {"generate",
         [](scene& s) { std::generate(s.in.begin(), s.in.end(), [&] { return s.take_new(); }); }},
        {"generate_n",
         [](scene& s) {
             s.note(std::generate_n(s.out.begin(), 4, [&] { return std::move(s.in.back()); }));
         }},
        {"transform",
         [](scene& s) {
             s.note(std::transform(std::move_iterator(s.in.begin()), std::move_iterator(s.in.end()),
                                   s.out.begin(), [](handle h) { return h; }));
         }},
        {"remove",
         [](scene& s) {
             const auto nothing_left = std::remove(s.in.begin(), s.in.end(), nullptr);
             s.note(nothing_left);
         }},
        {"remove_if", [](scene& s) { s.note(std::remove_if(s.in.begin(), s.in.end(), is_odd)); }},
        {"swap",
         [](scene& s) {
             using std::swap;
             swap(s.in[0], s.in[1]);
             std::swap(s.in[2], s.in[3]);
             swap(s.in[4], s.in[4]);
             swap(s.in, s.out);
         }},
        {"exchange",
         [](scene& s) { s.note(std::exchange(s.in[1], std::exchange(s.in[2], nullptr))); }},
        {"swap_ranges",
         [](scene& s) { s.note(std::swap_ranges(s.in.begin(), s.in.end(), s.out.begin())); }},
        {"iter_swap", [](scene& s) { std::iter_swap(s.in.begin(), s.in.begin() + 3); }},
        {"reverse", [](scene& s) { std::reverse(s.in.begin(), s.in.end()); }},
        {"rotate",
         [](scene& s) {
             s.note(std::rotate(s.in.begin(), s.in.begin() + 1, s.in.end()));
             s.note(std::rotate(s.in.begin(), s.in.end() - 1, s.in.end()));
             s.note(std::rotate(s.in.begin(), s.in.begin() + 4, s.in.end()));
         }},
        {"shift_left", [](scene& s) { s.note(std::shift_left(s.in.begin(), s.in.end(), 3)); }},
        {"shift_right", [](scene& s) { s.note(std::shift_right(s.in.begin(), s.in.end(), 3)); }},
        {"shuffle", [](scene& s) { std::shuffle(s.in.begin(), s.in.end(), std::minstd_rand(1)); }},
        {"unique", [](scene& s) { s.note(std::unique(s.in.begin(), s.in.end())); }},
        {"is_partitioned",
         [](scene& s) { s.note(std::is_partitioned(s.in.begin(), s.in.end(), is_odd)); }},
        {"partition", [](scene& s) { s.note(std::partition(s.in.begin(), s.in.end(), is_odd)); }},
        {"stable_partition",
         [](scene& s) { s.note(std::stable_partition(s.in.begin(), s.in.end(), is_odd)); }},
        {"partition_point",
         [](scene& s) {
             std::partition(s.in.begin(), s.in.end(), is_odd);
             s.note(std::partition_point(s.in.begin(), s.in.end(), is_odd));
         }},
        {"is_sorted", [](scene& s) { s.note(std::is_sorted(s.in.begin(), s.in.end())); }},
        {"is_sorted_until",
         [](scene& s) { s.note(std::is_sorted_until(s.in.begin(), s.in.end())); }},
        {"sort", [](scene& s) { std::sort(s.in.begin(), s.in.end()); }},
        {"sort in descending order",
         [](scene& s) { std::sort(s.in.begin(), s.in.end(), std::greater<>()); }},
        {"stable_sort", [](scene& s) { std::stable_sort(s.in.begin(), s.in.end()); }},
        {"partial_sort",
         [](scene& s) { std::partial_sort(s.in.begin(), s.in.begin() + 3, s.in.end()); }},
        {"nth_element",
         [](scene& s) { std::nth_element(s.in.begin(), s.in.begin() + 3, s.in.end()); }},
        {"lower_bound",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::lower_bound(in.begin(), in.end(), in[4]));
         }},
        {"upper_bound",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::upper_bound(in.begin(), in.end(), in[4]));
         }},
        {"equal_range",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::equal_range(in.begin(), in.end(), in[4]));
         }},
        {"binary_search",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::binary_search(in.begin(), in.end(), in[4]));
         }},
        {"merge of moved",
         [](scene& s) {
             auto& in = sorted(s);
             const std::move_iterator first(in.begin());
             s.note(std::merge(first, first + 4, first + 4, first + 9, s.out.begin()));
         }},
        {"inplace_merge",
         [](scene& s) {
             const auto middle = s.in.begin() + 5;
             std::sort(s.in.begin(), middle);
             std::sort(middle, s.in.end());
             std::inplace_merge(s.in.begin(), middle, s.in.end());
         }},
        {"includes",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::includes(in.begin(), in.end(), in.begin() + 1, in.begin() + 4));
         }},
        {"is_heap", [](scene& s) { s.note(std::is_heap(s.in.begin(), s.in.end())); }},
        {"is_heap_until", [](scene& s) { s.note(std::is_heap_until(s.in.begin(), s.in.end())); }},
        {"make_heap", [](scene& s) { std::make_heap(s.in.begin(), s.in.end()); }},
        {"push_heap",
         [](scene& s) {
             std::make_heap(s.in.begin(), s.in.end() - 1);
             std::push_heap(s.in.begin(), s.in.end());
         }},
        {"pop_heap", [](scene& s) { std::pop_heap(heap(s).begin(), s.in.end()); }},
        {"sort_heap", [](scene& s) { std::sort_heap(heap(s).begin(), s.in.end()); }},
        {"max", [](scene& s) { s.note(std::max(s.in[0], s.in[1])); }},
        {"min", [](scene& s) { s.note(std::min(s.in[0], s.in[1])); }},
        {"minmax", [](scene& s) { s.note(std::minmax(s.in[0], s.in[1])); }},
        {"clamp", [](scene& s) { s.note(std::clamp(s.in[0], s.in[1], s.in[2])); }},
        {"max_element", [](scene& s) { s.note(std::max_element(s.in.begin(), s.in.end())); }},
        {"min_element", [](scene& s) { s.note(std::min_element(s.in.begin(), s.in.end())); }},
        {"minmax_element", [](scene& s) { s.note(std::minmax_element(s.in.begin(), s.in.end())); }},
        {"next_permutation",
         [](scene& s) { s.note(std::next_permutation(s.in.begin(), s.in.end())); }},
        {"prev_permutation",
         [](scene& s) { s.note(std::prev_permutation(s.in.begin(), s.in.end())); }},
        {"accumulate",
         [](scene& s) {
             s.note(std::accumulate(s.in.begin(), s.in.end(), 0L, [](long a, const handle& b) {
                 return 3 * a + scene::value(b);
             }));
         }},
        {"transform_reduce",
         [](scene& s) {
             s.note(
                 std::transform_reduce(s.in.begin(), s.in.end(), 0, std::plus<>(), scene::value));
         }},
        {"uninitialized_move",
         [](scene& s) {
             std::allocator<handle> memory;
             handle* const made = memory.allocate(20);
             std::uninitialized_move(s.in.begin(), s.in.begin() + 4, made);
             std::uninitialized_move_n(s.in.begin() + 4, 4, made + 4);
             std::uninitialized_value_construct(made + 8, made + 10);
             std::uninitialized_value_construct_n(made + 10, 2);
             std::uninitialized_default_construct(made + 12, made + 14);
             std::uninitialized_default_construct_n(made + 14, 2);
             std::construct_at(made + 16, std::move(s.in.back()));
             // Those at 12 to 15 have no value if they are raw pointers.
             for (int i = 0; i < 12; ++i) s.note(made[i]);
             s.note(made[16]);
             std::destroy(made, made + 10);
             std::destroy_n(made + 10, 6);
             std::destroy_at(made + 16);
             memory.deallocate(made, 20);
         }},
    };
};

// Algorithms that copy handles.
template <class Strategy>
struct copying_algorithms {
    using scene = handle_scene<Strategy>;
    using handle = typename scene::handle;
    static bool is_odd(const handle& h) { return scene::value(h) % 2 != 0; }
    static handle greater(const handle& a, const handle& b) { return a < b ? b : a; }
    static handle same(const handle& h) { return h; }
    // The input, with two sorted ranges that meet at `middle`.
    static constexpr std::ptrdiff_t middle = 7;
    static constexpr auto sorted = [](scene & s) -> auto& {
        std::sort(s.in.begin(), s.in.begin() + middle);
        std::sort(s.in.begin() + middle, s.in.end());
        return s.in;
    };

    static constexpr handle_use<Strategy> all[] = {
        {"copy", [](scene& s) { s.note(std::copy(s.in.begin(), s.in.end(), s.out.begin())); }},
        {"copy to itself",
         [](scene& s) { s.note(std::copy(s.in.begin() + 2, s.in.end(), s.in.begin())); }},
        {"copy_if",
         [](scene& s) { s.note(std::copy_if(s.in.begin(), s.in.end(), s.out.begin(), is_odd)); }},
        {"search by hash",
         [](scene& s) {
             const std::boyer_moore_searcher by_hash(s.in.begin() + 3, s.in.begin() + 5);
             s.note(std::search(s.in.begin(), s.in.end(), by_hash));
             const std::boyer_moore_horspool_searcher by_hash_too(s.in.begin() + 3,
                                                                  s.in.begin() + 5);
             s.note(std::search(s.in.begin(), s.in.end(), by_hash_too));
         }},
        {"copy_n", [](scene& s) { s.note(std::copy_n(s.in.begin(), 5, s.out.begin())); }},
        {"copy_backward",
         [](scene& s) { s.note(std::copy_backward(s.in.begin(), s.in.end() - 2, s.in.end())); }},
        {"fill", [](scene& s) { std::fill(s.in.begin(), s.in.end(), s.copy(12)); }},
        {"fill with an element", [](scene& s) { std::fill(s.in.begin(), s.in.end(), s.in[2]); }},
        {"fill_n", [](scene& s) { s.note(std::fill_n(s.out.begin(), 5, s.in[2])); }},
        {"transform",
         [](scene& s) {
             s.note(std::transform(s.in.begin(), s.in.end(), s.out.begin(), same));
             s.note(
                 std::transform(s.in.begin(), s.in.end(), s.in.rbegin(), s.out.begin(), greater));
         }},
        {"remove", [](scene& s) { s.note(std::remove(s.in.begin(), s.in.end(), s.copy(18))); }},
        {"remove_copy",
         [](scene& s) {
             s.note(std::remove_copy(s.in.begin(), s.in.end(), s.out.begin(), s.in[1]));
         }},
        {"remove_copy_if",
         [](scene& s) {
             s.note(std::remove_copy_if(s.in.begin(), s.in.end(), s.out.begin(), is_odd));
         }},
        {"replace",
         [](scene& s) { std::replace(s.in.begin(), s.in.end(), s.copy(18), s.copy(3)); }},
        {"replace_if",
         [](scene& s) { std::replace_if(s.in.begin(), s.in.end(), is_odd, s.copy(6)); }},
        {"replace_copy",
         [](scene& s) {
             s.note(std::replace_copy(s.in.begin(), s.in.end(), s.out.begin(), s.in[1], s.in[2]));
         }},
        {"replace_copy_if",
         [](scene& s) {
             s.note(std::replace_copy_if(s.in.begin(), s.in.end(), s.out.begin(), is_odd, s.in[2]));
         }},
        {"reverse_copy",
         [](scene& s) { s.note(std::reverse_copy(s.in.begin(), s.in.end(), s.out.begin())); }},
        {"rotate_copy",
         [](scene& s) {
             s.note(std::rotate_copy(s.in.begin(), s.in.begin() + 3, s.in.end(), s.out.begin()));
         }},
        {"sample",
         [](scene& s) {
             s.note(std::sample(s.in.begin(), s.in.end(), s.out.begin(), 5, std::minstd_rand(1)));
         }},
        {"unique_copy",
         [](scene& s) { s.note(std::unique_copy(s.in.begin(), s.in.end(), s.out.begin())); }},
        {"partition_copy",
         [](scene& s) {
             s.note(std::partition_copy(s.in.begin(), s.in.end(), s.out.begin(), s.out.begin() + 16,
                                        is_odd));
         }},
        {"partial_sort_copy",
         [](scene& s) {
             s.note(std::partial_sort_copy(s.in.begin(), s.in.end(), s.out.begin(),
                                           s.out.begin() + 5));
         }},
        {"merge",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::merge(in.begin(), in.begin() + middle, in.begin() + middle, in.end(),
                               s.out.begin()));
         }},
        {"set_difference",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::set_difference(in.begin(), in.begin() + middle, in.begin() + middle,
                                        in.end(), s.out.begin()));
         }},
        {"set_intersection",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::set_intersection(in.begin(), in.begin() + middle, in.begin() + middle,
                                          in.end(), s.out.begin()));
         }},
        {"set_symmetric_difference",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::set_symmetric_difference(in.begin(), in.begin() + middle,
                                                  in.begin() + middle, in.end(), s.out.begin()));
         }},
        {"set_union",
         [](scene& s) {
             auto& in = sorted(s);
             s.note(std::set_union(in.begin(), in.begin() + middle, in.begin() + middle, in.end(),
                                   s.out.begin()));
         }},
        {"max of a list",
         [](scene& s) {
             s.note(std::max({s.in[0], s.in[1], s.in[2]}));
         }},
        {"min of a list",
         [](scene& s) {
             s.note(std::min({s.in[0], s.in[1], s.in[2]}));
         }},
        {"minmax of a list",
         [](scene& s) {
             s.note(std::minmax({s.in[0], s.in[1], s.in[2]}));
         }},
        {"accumulate",
         [](scene& s) { s.note(std::accumulate(s.in.begin(), s.in.end(), handle(), greater)); }},
        {"reduce",
         [](scene& s) { s.note(std::reduce(s.in.begin(), s.in.end(), handle(), greater)); }},
        {"transform_reduce",
         [](scene& s) {
             s.note(std::transform_reduce(s.in.begin(), s.in.end(), handle(), greater, same));
         }},
        {"inner_product",
         [](scene& s) {
             s.note(std::inner_product(s.in.begin(), s.in.end(), s.in.begin(), handle(), greater,
                                       greater));
         }},
        {"adjacent_difference",
         [](scene& s) {
             s.note(std::adjacent_difference(s.in.begin(), s.in.end(), s.out.begin(), greater));
         }},
        {"partial_sum",
         [](scene& s) {
             s.note(std::partial_sum(s.in.begin(), s.in.end(), s.out.begin(), greater));
         }},
        {"exclusive_scan",
         [](scene& s) {
             s.note(
                 std::exclusive_scan(s.in.begin(), s.in.end(), s.out.begin(), handle(), greater));
         }},
        {"inclusive_scan",
         [](scene& s) {
             s.note(std::inclusive_scan(s.in.begin(), s.in.end(), s.out.begin(), greater));
         }},
        {"transform_exclusive_scan",
         [](scene& s) {
             s.note(std::transform_exclusive_scan(s.in.begin(), s.in.end(), s.out.begin(), handle(),
                                                  greater, same));
         }},
        {"transform_inclusive_scan",
         [](scene& s) {
             s.note(std::transform_inclusive_scan(s.in.begin(), s.in.end(), s.out.begin(), greater,
                                                  same));
         }},
        {"uninitialized_copy",
         [](scene& s) {
             std::allocator<handle> memory;
             handle* const made = memory.allocate(12);
             std::uninitialized_copy(s.in.begin(), s.in.begin() + 4, made);
             std::uninitialized_copy_n(s.in.begin() + 4, 4, made + 4);
             std::uninitialized_fill(made + 8, made + 10, s.in[0]);
             std::uninitialized_fill_n(made + 10, 2, s.in[1]);
             for (int i = 0; i < 12; ++i) s.note(made[i]);
             std::destroy(made, made + 12);
             memory.deallocate(made, 12);
         }},
    };
};

template <class Strategy>
class handles_in_algorithms : public testing::Test {};

TYPED_TEST_SUITE_P(handles_in_algorithms);

TYPED_TEST_P(handles_in_algorithms, are_moved_as_those_of_std) {
    expect_uses_as_of_std<TypeParam, moving_algorithms>(false);
}

TYPED_TEST_P(handles_in_algorithms, are_copied_as_those_of_std) {
    if constexpr (std::copyable<animal_handle<TypeParam>>) {
        expect_uses_as_of_std<TypeParam, moving_algorithms>(true);
        expect_uses_as_of_std<TypeParam, copying_algorithms>(true);
    }
}

REGISTER_TYPED_TEST_SUITE_P(handles_in_algorithms, are_moved_as_those_of_std,
                            are_copied_as_those_of_std);

}  // namespace freehold::contracts
