// SPDX-License-Identifier: BSL-1.0
// Every algorithm of std::ranges, and its customisation points, on handles. Where an algorithm has
// a default comparison, that is called: it finds the handles' own.
#pragma once

#include "contracts/handle_scene.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

namespace ranges = std::ranges;

// A part of a range. It is no std::ranges::subrange, which clang++ before 16 cannot compile.
template <class Range>
auto part(Range& of, std::size_t from, std::size_t size) {
    return std::span(of).subspan(from, size);
}

// Algorithms that move handles, or that only read them.
template <class Strategy>
struct moving_range_algorithms {
    using scene = handle_scene<Strategy>;
    using handle = typename scene::handle;
    static bool is_odd(const handle& h) { return scene::value(h) % 2 != 0; }
    static constexpr auto sorted = [](scene & s) -> auto& {
        ranges::sort(s.in);
        return s.in;
    };
    static constexpr auto heap = [](scene & s) -> auto& {
        ranges::make_heap(s.in);
        return s.in;
    };

    static constexpr handle_use<Strategy> all[] = {
        {"all_of", [](scene& s) { s.note(ranges::all_of(s.in, is_odd)); }},
        {"any_of", [](scene& s) { s.note(ranges::any_of(s.in, is_odd)); }},
        {"none_of", [](scene& s) { s.note(ranges::none_of(s.in, is_odd)); }},
        {"for_each",
         [](scene& s) {
             ranges::for_each(s.in, [&](handle& h) { s.note(scene::value(h)); });
             ranges::for_each_n(s.in.begin(), 3, [&](handle& h) { s.note(scene::value(h)); });
         }},
        {"count",
         [](scene& s) {
             s.note(ranges::count(s.in, s.in[2]));
             s.note(ranges::count(s.in, 12, scene::value));
             s.note(ranges::count_if(s.in, is_odd));
         }},
        {"mismatch",
         [](scene& s) {
             const auto found = ranges::mismatch(s.in, s.out);
             s.note_all(found.in1, found.in2);
         }},
        {"find",
         [](scene& s) {
             s.note(ranges::find(s.in, s.in[4]));
             s.note(ranges::find(s.in, 12, scene::value));
             s.note(ranges::find_if(s.in, is_odd));
             s.note(ranges::find_if_not(s.in, is_odd));
         }},
        {"find_end", [](scene& s) { s.note(ranges::find_end(s.in, part(s.in, 2, 2)).begin()); }},
        {"find_first_of", [](scene& s) { s.note(ranges::find_first_of(s.in, s.out)); }},
        {"adjacent_find", [](scene& s) { s.note(ranges::adjacent_find(s.in)); }},
        {"search",
         [](scene& s) {
             s.note(ranges::search(s.in, part(s.in, 3, 2)).begin());
             s.note(ranges::search_n(s.in, 1, s.in[5]).begin());
         }},
        {"equal",
         [](scene& s) {
             s.note(ranges::equal(s.in, s.in));
             s.note(ranges::equal(s.in, s.out));
         }},
        {"lexicographical_compare",
         [](scene& s) { s.note(ranges::lexicographical_compare(s.in, s.out)); }},
        {"is_permutation",
         [](scene& s) {
             s.note(ranges::is_permutation(s.in, s.in));
             s.note(ranges::is_permutation(s.in, s.out));
         }},
        {"move", [](scene& s) { s.note(ranges::move(s.in, s.out.begin()).out); }},
        {"move_backward",
         [](scene& s) {
             s.note(ranges::move_backward(s.in.begin(), s.in.end() - 2, s.in.end()).out);
         }},
        {"generate",
         [](scene& s) {
             ranges::generate(s.in, [&] { return s.take_new(); });
             s.note(ranges::generate_n(s.out.begin(), 4, [&] { return std::move(s.in.back()); }));
         }},
        {"transform",
         [](scene& s) {
             std::vector<int> values(s.in.size());
             ranges::transform(s.in, values.begin(), scene::value);
             s.note(values);
         }},
        {"remove",
         [](scene& s) {
             s.note(ranges::remove(s.in, handle()).begin());
             s.note(ranges::remove_if(s.in, is_odd).begin());
         }},
        {"swap",
         [](scene& s) {
             ranges::swap(s.in[0], s.in[1]);
             ranges::swap(s.in[4], s.in[4]);
             ranges::swap(s.in, s.out);
         }},
        {"swap_ranges", [](scene& s) { s.note(ranges::swap_ranges(s.in, s.out).in2); }},
        {"iter_swap", [](scene& s) { ranges::iter_swap(s.in.begin(), s.in.begin() + 3); }},
        {"iter_move",
         [](scene& s) {
             const handle moved(ranges::iter_move(s.in.begin()));
             s.note(moved);
         }},
        {"reverse", [](scene& s) { s.note(ranges::reverse(s.in)); }},
        {"rotate",
         [](scene& s) {
             s.note(ranges::rotate(s.in, s.in.begin() + 1).begin());
             s.note(ranges::rotate(s.in, s.in.begin() + 4).begin());
         }},
        {"shuffle", [](scene& s) { s.note(ranges::shuffle(s.in, std::minstd_rand(1))); }},
        {"unique", [](scene& s) { s.note(ranges::unique(s.in).begin()); }},
        {"is_partitioned", [](scene& s) { s.note(ranges::is_partitioned(s.in, is_odd)); }},
        {"partition",
         [](scene& s) {
             s.note(ranges::partition(s.in, is_odd).begin());
             s.note(ranges::partition_point(s.in, is_odd));
         }},
        {"stable_partition",
         [](scene& s) { s.note(ranges::stable_partition(s.in, is_odd).begin()); }},
        {"is_sorted",
         [](scene& s) {
             s.note(ranges::is_sorted(s.in));
             s.note(ranges::is_sorted_until(s.in));
         }},
        {"sort", [](scene& s) { s.note(ranges::sort(s.in)); }},
        {"sort in descending order", [](scene& s) { ranges::sort(s.in, ranges::greater()); }},
        {"sort by value", [](scene& s) { ranges::sort(s.in, {}, scene::value); }},
        {"stable_sort", [](scene& s) { s.note(ranges::stable_sort(s.in)); }},
        {"partial_sort", [](scene& s) { s.note(ranges::partial_sort(s.in, s.in.begin() + 3)); }},
        {"nth_element", [](scene& s) { s.note(ranges::nth_element(s.in, s.in.begin() + 3)); }},
        {"lower_bound", [](scene& s) { s.note(ranges::lower_bound(sorted(s), s.in[4])); }},
        {"upper_bound", [](scene& s) { s.note(ranges::upper_bound(sorted(s), s.in[4])); }},
        {"equal_range", [](scene& s) { s.note(ranges::equal_range(sorted(s), s.in[4]).begin()); }},
        {"binary_search", [](scene& s) { s.note(ranges::binary_search(sorted(s), s.in[4])); }},
        {"inplace_merge",
         [](scene& s) {
             ranges::sort(s.in.begin(), s.in.begin() + 5);
             ranges::sort(s.in.begin() + 5, s.in.end());
             s.note(ranges::inplace_merge(s.in, s.in.begin() + 5));
         }},
        {"includes", [](scene& s) { s.note(ranges::includes(sorted(s), part(s.in, 1, 3))); }},
        {"is_heap",
         [](scene& s) {
             s.note(ranges::is_heap(s.in));
             s.note(ranges::is_heap_until(s.in));
         }},
        {"make_heap", [](scene& s) { s.note(ranges::make_heap(s.in)); }},
        {"push_heap",
         [](scene& s) {
             ranges::make_heap(s.in.begin(), s.in.end() - 1);
             s.note(ranges::push_heap(s.in));
         }},
        {"pop_heap", [](scene& s) { s.note(ranges::pop_heap(heap(s))); }},
        {"sort_heap", [](scene& s) { s.note(ranges::sort_heap(heap(s))); }},
        {"max",
         [](scene& s) {
             s.note(ranges::max(s.in[0], s.in[1]));
             s.note(ranges::max_element(s.in));
         }},
        {"min",
         [](scene& s) {
             s.note(ranges::min(s.in[0], s.in[1]));
             s.note(ranges::min_element(s.in));
         }},
        {"minmax",
         [](scene& s) {
             const auto both = ranges::minmax(s.in[0], s.in[1]);
             s.note_all(both.min, both.max);
             const auto places = ranges::minmax_element(s.in);
             s.note_all(places.min, places.max);
         }},
        {"clamp", [](scene& s) { s.note(ranges::clamp(s.in[0], s.in[1], s.in[2])); }},
        {"next_permutation", [](scene& s) { s.note(ranges::next_permutation(s.in).found); }},
        {"prev_permutation", [](scene& s) { s.note(ranges::prev_permutation(s.in).found); }},
        {"comparisons",
         [](scene& s) {
             for (const auto& each : s.in) {
                 s.note(ranges::equal_to()(each, s.in[0]));
                 s.note(ranges::not_equal_to()(each, s.in[1]));
                 s.note(ranges::less()(each, s.in[0]));
                 s.note(ranges::greater_equal()(each, s.in[0]));
             }
         }},
        {"uninitialized_move",
         [](scene& s) {
             std::allocator<handle> memory;
             handle* const made = memory.allocate(20);
             ranges::uninitialized_move(part(s.in, 0, 4), std::span(made, 4));
             ranges::uninitialized_move_n(s.in.begin() + 4, 4, made + 4, made + 8);
             ranges::uninitialized_value_construct(made + 8, made + 10);
             ranges::uninitialized_value_construct_n(made + 10, 2);
             ranges::uninitialized_default_construct(made + 12, made + 14);
             ranges::uninitialized_default_construct_n(made + 14, 2);
             ranges::construct_at(made + 16, std::move(s.in.back()));
             // Those at 12 to 15 have no value if they are raw pointers.
             for (int i = 0; i < 12; ++i) s.note(made[i]);
             s.note(made[16]);
             ranges::destroy(made, made + 10);
             ranges::destroy_n(made + 10, 6);
             ranges::destroy_at(made + 16);
             memory.deallocate(made, 20);
         }},
#if defined(__cpp_lib_shift) && __cpp_lib_shift >= 202202L
        {"shift_left", [](scene& s) { s.note(ranges::shift_left(s.in, 3)); }},
        {"shift_right", [](scene& s) { s.note(ranges::shift_right(s.in, 3)); }},
#endif
#if defined(__cpp_lib_ranges_contains)
        {"contains",
         [](scene& s) {
             s.note(ranges::contains(s.in, s.in[4]));
             s.note(ranges::contains_subrange(s.in, part(s.in, 2, 3)));
         }},
#endif
#if defined(__cpp_lib_ranges_starts_ends_with)
        {"starts_with",
         [](scene& s) {
             s.note(ranges::starts_with(s.in, part(s.in, 0, 3)));
             s.note(ranges::ends_with(s.in, part(s.in, 0, 3)));
         }},
#endif
#if defined(__cpp_lib_ranges_find_last)
        {"find_last",
         [](scene& s) {
             s.note(ranges::find_last(s.in, s.in[4]).begin());
             s.note(ranges::find_last_if(s.in, is_odd).begin());
             s.note(ranges::find_last_if_not(s.in, is_odd).begin());
         }},
#endif
#if defined(__cpp_lib_ranges_fold)
        {"fold",
         [](scene& s) {
             const auto add = [](long sum, const handle& h) { return 3 * sum + scene::value(h); };
             s.note(ranges::fold_left(s.in, 0L, add));
             s.note(ranges::fold_left_with_iter(s.in, 0L, add).value);
             s.note(ranges::fold_right(s.in, 0L,
                                       [=](const handle& h, long sum) { return add(sum, h); }));
         }},
#endif
#if defined(__cpp_lib_ranges_to_container) && defined(__cpp_lib_ranges_as_rvalue)
        {"to of moved",
         [](scene& s) { s.note(s.in | std::views::as_rvalue | ranges::to<std::vector>()); }},
#endif
    };
};

// Algorithms that copy handles.
template <class Strategy>
struct copying_range_algorithms {
    using scene = handle_scene<Strategy>;
    using handle = typename scene::handle;
    static bool is_odd(const handle& h) { return scene::value(h) % 2 != 0; }
    static handle greater(const handle& a, const handle& b) { return a < b ? b : a; }
    static handle same(const handle& h) { return h; }
    static auto low(scene& s) { return part(s.in, 0, 7); }
    static auto high(scene& s) { return part(s.in, 7, s.in.size() - 7); }
    static constexpr auto sort = [](scene& s) {
        ranges::sort(low(s));
        ranges::sort(high(s));
    };

    static constexpr handle_use<Strategy> all[] = {
        {"copy",
         [](scene& s) {
             s.note(ranges::copy(s.in, s.out.begin()).out);
             s.note(ranges::copy_if(s.in, s.out.begin(), is_odd).out);
             s.note(ranges::copy_n(s.in.begin(), 5, s.out.begin()).out);
             s.note(ranges::copy_backward(s.in.begin(), s.in.end() - 2, s.in.end()).out);
         }},
        {"comparisons with null",
         [](scene& s) {
             s.note(ranges::count(s.in, nullptr));
             s.note(ranges::find(s.in, nullptr));
             s.note(ranges::equal_to()(s.in[0], nullptr));
             s.note(ranges::remove(s.in, nullptr).begin());
         }},
        {"fill",
         [](scene& s) {
             s.note(ranges::fill_n(s.out.begin(), 5, s.in[2]));
             s.note(ranges::fill(s.in, s.copy(12)));
         }},
        {"transform",
         [](scene& s) {
             s.note(ranges::transform(s.in, s.out.begin(), same).out);
             s.note(ranges::transform(s.in, low(s), s.out.begin(), greater).out);
         }},
        {"remove", [](scene& s) { s.note(ranges::remove(s.in, s.copy(18)).begin()); }},
        {"remove_copy",
         [](scene& s) {
             s.note(ranges::remove_copy(s.in, s.out.begin(), s.in[1]).out);
             s.note(ranges::remove_copy_if(s.in, s.out.begin(), is_odd).out);
         }},
        {"replace",
         [](scene& s) {
             s.note(ranges::replace(s.in, s.copy(18), s.copy(3)));
             s.note(ranges::replace_if(s.in, is_odd, s.copy(6)));
         }},
        {"replace_copy",
         [](scene& s) {
             s.note(ranges::replace_copy(s.in, s.out.begin(), s.in[1], s.in[2]).out);
             s.note(ranges::replace_copy_if(s.in, s.out.begin(), is_odd, s.in[2]).out);
         }},
        {"reverse_copy", [](scene& s) { s.note(ranges::reverse_copy(s.in, s.out.begin()).out); }},
        {"rotate_copy",
         [](scene& s) { s.note(ranges::rotate_copy(s.in, s.in.begin() + 3, s.out.begin()).out); }},
        {"sample",
         [](scene& s) { s.note(ranges::sample(s.in, s.out.begin(), 5, std::minstd_rand(1))); }},
        {"unique_copy", [](scene& s) { s.note(ranges::unique_copy(s.in, s.out.begin()).out); }},
        {"partition_copy",
         [](scene& s) {
             const auto ends =
                 ranges::partition_copy(s.in, s.out.begin(), s.out.begin() + 16, is_odd);
             s.note_all(ends.out1, ends.out2);
         }},
        {"partial_sort_copy",
         [](scene& s) {
             const auto ends = ranges::partial_sort_copy(s.in, part(s.out, 0, 5));
             s.note(ends.in);
         }},
        {"merge",
         [](scene& s) {
             sort(s);
             s.note(ranges::merge(low(s), high(s), s.out.begin()).out);
         }},
        {"set_difference",
         [](scene& s) {
             sort(s);
             s.note(ranges::set_difference(low(s), high(s), s.out.begin()).out);
         }},
        {"set_intersection",
         [](scene& s) {
             sort(s);
             s.note(ranges::set_intersection(low(s), high(s), s.out.begin()).out);
         }},
        {"set_symmetric_difference",
         [](scene& s) {
             sort(s);
             s.note(ranges::set_symmetric_difference(low(s), high(s), s.out.begin()).out);
         }},
        {"set_union",
         [](scene& s) {
             sort(s);
             s.note(ranges::set_union(low(s), high(s), s.out.begin()).out);
         }},
        {"max",
         [](scene& s) {
             s.note_all(ranges::max(s.in), ranges::max({s.in[0], s.in[1]}));
         }},
        {"min",
         [](scene& s) {
             s.note_all(ranges::min(s.in), ranges::min({s.in[0], s.in[1]}));
         }},
        {"minmax",
         [](scene& s) {
             const auto both = ranges::minmax(s.in);
             s.note_all(both.min, both.max);
         }},
        {"uninitialized_copy",
         [](scene& s) {
             std::allocator<handle> memory;
             handle* const made = memory.allocate(12);
             ranges::uninitialized_copy(part(s.in, 0, 4), std::span(made, 4));
             ranges::uninitialized_copy_n(s.in.begin() + 4, 4, made + 4, made + 8);
             ranges::uninitialized_fill(made + 8, made + 10, s.in[0]);
             ranges::uninitialized_fill_n(made + 10, 2, s.in[1]);
             for (int i = 0; i < 12; ++i) s.note(made[i]);
             ranges::destroy(made, made + 12);
             memory.deallocate(made, 12);
         }},
#if defined(__cpp_lib_ranges_fold)
        {"fold",
         [](scene& s) {
             s.note(ranges::fold_left(s.in, handle(), greater));
             s.note(*ranges::fold_left_first(s.in, greater));
             s.note(ranges::fold_right(s.in, handle(), greater));
             s.note(*ranges::fold_right_last(s.in, greater));
             s.note(*ranges::fold_left_first_with_iter(s.in, greater).value);
         }},
#endif
#if defined(__cpp_lib_ranges_to_container)
        {"to", [](scene& s) { s.note(s.in | ranges::to<std::vector>()); }},
#endif
    };
};

template <class Strategy>
class handles_in_ranges : public testing::Test {};

TYPED_TEST_SUITE_P(handles_in_ranges);

TYPED_TEST_P(handles_in_ranges, are_moved_as_those_of_std) {
    expect_uses_as_of_std<TypeParam, moving_range_algorithms>(false);
}

TYPED_TEST_P(handles_in_ranges, are_copied_as_those_of_std) {
    if constexpr (std::copyable<animal_handle<TypeParam>>) {
        expect_uses_as_of_std<TypeParam, moving_range_algorithms>(true);
        expect_uses_as_of_std<TypeParam, copying_range_algorithms>(true);
    }
}

REGISTER_TYPED_TEST_SUITE_P(handles_in_ranges, are_moved_as_those_of_std,
                            are_copied_as_those_of_std);

}  // namespace freehold::contracts
