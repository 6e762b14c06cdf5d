// SPDX-License-Identifier: BSL-1.0
// The sharded counts of the model, and the ways in which threads share out and gather. All threads
// run on processors of their own.
#pragma once

#include <freehold/count/detail/sharded_word.hpp>

#include "model/scenarios.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace freehold::model {

inline constexpr std::array<kind, 2> sharded_kinds = {{
    {"sharded_count", false,
     [](bias_record&) -> counted* {
         return new counted_by<detail::basic_sharded_count<platform>>(std::int64_t{1});
     }},
    {"sharded_count_with_weak", true,
     [](bias_record&) -> counted* {
         return new counted_by<detail::basic_sharded_count_with_weak<platform>>(
             std::in_place_type<int>);
     }},
}};

inline void gather_use_and_drop(world& w) {
    object(w).gather();
    use_and_drop(w);
}
inline void share_out_and_gather(world& w) {
    object(w).share_out();
    gather_use_and_drop(w);
}
inline void share_out_copy_and_gather(world& w) {
    object(w).share_out();
    copy_and_drop(w);
    gather_use_and_drop(w);
}

inline void share_out_then_gather(world& w) {
    object(w).share_out();
    object(w).gather();
}
inline void drop_three(world& w) {
    for (int i = 0; i < 3; ++i) object(w).drop();
}

// Looks so often that it mostly sees what another thread puts after it has shared out.
inline void drop_what_is_put(world& w) {
    for (int i = 0; i != looks; ++i) {
        if (w.handle.take()) return use_and_drop(w);
    }
}

inline constexpr std::array sharded_scenarios = {
    // Little enough for a checker of all executions.
    scenario{"one copies once, another gathers",
             false,
             2,
             0,
             {share_out_then_gather, copy, nothing},
             drop_three},
    scenario{"one drops once, another gathers",
             false,
             2,
             0,
             {share_out_then_gather, use_and_drop, nothing},
             use_and_drop},
    scenario{"one copies once and drops twice, another gathers",
             false,
             2,
             0,
             {share_out_then_gather, copy_use_and_drop, nothing},
             use_and_drop},
    scenario{"one copies once, another shares out twice",
             false,
             2,
             0,
             {[](world& w) {
                  share_out_then_gather(w);
                  share_out_then_gather(w);
              },
              copy, nothing},
             drop_three},
    scenario{"one locks once, another gathers",
             true,
             1,
             1,
             {share_out_then_gather, lock, nothing},
             [](world& w) {
                 object(w).drop();
                 object(w).drop();
                 object(w).drop_weak();
             }},
    scenario{"two copy once, another gathers",
             false,
             3,
             0,
             {share_out_then_gather, copy, copy},
             [](world& w) {
                 drop_three(w);
                 object(w).drop();
                 object(w).drop();
             }},
    scenario{"copied while it is shared out and gathered",
             false,
             3,
             0,
             {share_out_copy_and_gather, copy_use_and_drop, copy_use_and_drop},
             nothing},
    scenario{"dropped while it is gathered",
             false,
             3,
             0,
             {share_out_and_gather, use_and_drop, use_and_drop},
             nothing},
    scenario{"copied on one processor, dropped on another",
             false,
             1,
             0,
             {[](world& w) {
                  object(w).share_out();
                  object(w).copy();
                  w.handle.put();
                  gather_use_and_drop(w);
              },
              drop_what_is_put, drop_what_is_put},
             drop_what_was_put},
    scenario{"gathered by two",
             false,
             3,
             0,
             {share_out_copy_and_gather, share_out_copy_and_gather, copy_use_and_drop},
             nothing},
    scenario{"gathered by a thread that did not share it out",
             false,
             3,
             0,
             {share_out_and_gather, gather_use_and_drop, copy_use_and_drop},
             nothing},
    scenario{"shared out again",
             false,
             2,
             0,
             {[](world& w) {
                  object(w).share_out();
                  object(w).gather();
                  share_out_copy_and_gather(w);
              },
              copy_use_and_drop, nothing},
             nothing},
    scenario{"two objects in one place, one after the other",
             false,
             2,
             0,
             {[](world& w) {
                  object(w).share_out();
                  gather_use_and_drop(w);
                  other_object(w).share_out();
                  other_object(w).copy();
                  other_object(w).gather();
                  other_object(w).drop();
                  other_object(w).drop();
              },
              copy_use_and_drop,
              [](world& w) {
                  other_object(w).copy();
                  other_object(w).use();
                  other_object(w).drop();
                  other_object(w).drop();
              }},
             nothing,
             2},
    scenario{"written by who is alone",
             false,
             2,
             0,
             {[](world& w) {
                  object(w).share_out();
                  copy_and_drop(w);
                  object(w).gather();
                  drop_if_alone_write(w);
              },
              [](world& w) {
                  copy_and_drop(w);
                  drop_if_alone_write(w);
              },
              nothing},
             nothing},
    scenario{"what is held is copied and dropped together",
             false,
             2,
             0,
             {[](world& w) {
                  object(w).share_out();
                  object(w).copy_held(1);
                  object(w).gather();
                  object(w).use();
                  object(w).drop_held(2);
              },
              [](world& w) {
                  object(w).copy_held(1);
                  object(w).use();
                  object(w).drop_held(2);
              },
              nothing},
             nothing},
    scenario{"locked while it is shared out, gathered and dropped",
             true,
             1,
             2,
             {share_out_and_gather, lock_and_let_go, lock_and_let_go},
             nothing},
    scenario{"weak references are made while it is gathered",
             true,
             2,
             0,
             {share_out_and_gather,
              [](world& w) {
                  object(w).copy_weak();
                  use_and_drop(w);
                  lock_and_let_go(w);
              },
              nothing},
             nothing},
};

}  // namespace freehold::model
