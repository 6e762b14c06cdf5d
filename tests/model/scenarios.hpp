// SPDX-License-Identifier: BSL-1.0
// The ways in which threads share objects that a count has to survive. Thread 0 has made the
// objects. A thread that waits for another does not: it looks once, and leaves its part to the end.
#pragma once

#include "model/world.hpp"

#include <array>
#include <cstddef>

namespace freehold::model {

using part = void (*)(world&);

struct scenario {
    const char* name;
    bool needs_weak;
    // Owners and weak references of each object when the threads start.
    int owners, weak;
    std::array<part, threads> run;
    // After all threads: what they have left.
    part end;
    std::size_t objects = 1;
};

inline counted& object(world& w) {
    return *w.objects[0];
}
inline counted& other_object(world& w) {
    return *w.objects[1];
}
inline void nothing(world&) {}

// Before the threads start.
inline void begin(world& w, const scenario& performed) {
    for (std::size_t i = 0; i != performed.objects; ++i) {
        for (int j = 1; j < performed.owners; ++j) w.objects[i]->copy();
        for (int j = 0; j < performed.weak; ++j) w.objects[i]->copy_weak();
    }
    w.concurrent = true;
}
// After they have ended.
inline void finish(world& w, const scenario& performed) {
    w.concurrent = false;
    performed.end(w);
    require(object(w).is_gone(), "the object or its memory is still there");
    require(w.type.revocations <= 1, "a bias was revoked twice");
}

inline void copy(world& w) {
    object(w).copy();
}
inline void share(world& w) {
    object(w).share();
}
inline void lock(world& w) {
    require(object(w).lock(), "an object that has an owner was not locked");
}
inline void use_and_drop(world& w) {
    object(w).use();
    object(w).drop();
}
inline void copy_and_drop(world& w) {
    object(w).copy();
    object(w).drop();
}
inline void drop_what_was_put(world& w) {
    if (w.handle.take()) use_and_drop(w);
}
inline void copy_in_turns_and_drop(world& w) {
    object(w).copy_in_turns();
    object(w).drop();
}
inline void copy_use_and_drop(world& w) {
    copy_and_drop(w);
    use_and_drop(w);
}
inline void lock_and_let_go(world& w) {
    object(w).use_weak();
    if (object(w).lock()) use_and_drop(w);
    object(w).drop_weak();
}
inline void use_weak_and_drop(world& w) {
    object(w).use_weak();
    object(w).drop_weak();
}
inline void use_and_drop_held(world& w) {
    object(w).use();
    object(w).drop_held(1);
}
inline void copy_held_and_put(world& w) {
    object(w).use();
    object(w).copy_held(1);
    w.handle.put();
}
inline void drop_if_alone_write(world& w) {
    object(w).use();
    if (object(w).alone()) object(w).use_alone();
    object(w).drop();
}
// Copies the handle of thread 0, which keeps it until it has the message.
inline void borrow(world& w) {
    object(w).copy();
    w.message.put();
    use_and_drop(w);
}
inline void drop_when_returned(world& w) {
    object(w).use();
    if (w.message.take()) {
        object(w).drop();
    } else {
        w.handle.put();
    }
}
inline void use_and_put(world& w) {
    copy_and_drop(w);
    object(w).use();
    w.handle.put();
}

inline constexpr std::array scenarios = {
    scenario{
        "each drops its own", false, 3, 0, {use_and_drop, use_and_drop, use_and_drop}, nothing},
    // Little enough for a checker of all executions.
    scenario{"two drop once, another shares",
             false,
             3,
             0,
             {use_and_drop, share, use_and_drop},
             use_and_drop},
    scenario{"two copy once, another shares",
             false,
             3,
             0,
             {copy, share, copy},
             [](world& w) {
                 for (int i = 0; i < 5; ++i) object(w).drop();
             }},
    scenario{"two lock once, another shares",
             true,
             1,
             2,
             {lock, share, lock},
             [](world& w) {
                 for (int i = 0; i < 3; ++i) object(w).drop();
                 for (int i = 0; i < 2; ++i) object(w).drop_weak();
             }},
    scenario{"two copy unless disturbed, another drops",
             false,
             2,
             0,
             {copy_in_turns_and_drop, copy_in_turns_and_drop, use_and_drop},
             use_and_drop},
    scenario{"each copies its own",
             false,
             3,
             0,
             {copy_use_and_drop, copy_use_and_drop, copy_use_and_drop},
             nothing},
    // Counted plainly before the threads start and after they end.
    scenario{"one of three drops, the others after it",
             false,
             3,
             0,
             {copy_use_and_drop, nothing, nothing},
             [](world& w) {
                 use_and_drop(w);
                 use_and_drop(w);
             }},
    scenario{"two of two", false, 2, 0, {copy_use_and_drop, copy_use_and_drop, nothing}, nothing},
    scenario{"moved, two ask",
             false,
             1,
             0,
             {use_and_put, drop_what_was_put, drop_what_was_put},
             drop_what_was_put},
    scenario{"moved, and copied there",
             false,
             1,
             0,
             {use_and_put,
              [](world& w) {
                  if (!w.handle.take()) return;
                  copy_and_drop(w);
                  object(w).use();
                  w.handle.put();
              },
              drop_what_was_put},
             drop_what_was_put},
    scenario{"borrowed",
             false,
             1,
             0,
             {[](world& w) {
                  copy_and_drop(w);
                  drop_when_returned(w);
              },
              borrow, nothing},
             drop_what_was_put},
    scenario{"shared, then copied and moved",
             false,
             1,
             0,
             {[](world& w) {
                  object(w).share();
                  object(w).copy();
                  w.handle.put();
                  copy_use_and_drop(w);
              },
              [](world& w) {
                  if (w.handle.take()) copy_use_and_drop(w);
              },
              nothing},
             drop_what_was_put},
    scenario{"shared with one owner, then moved",
             false,
             1,
             0,
             {[](world& w) {
                  copy_and_drop(w);
                  object(w).share();
                  object(w).use();
                  w.handle.put();
              },
              [](world& w) {
                  if (w.handle.take()) use_and_drop(w);
              },
              nothing},
             drop_what_was_put},
    scenario{"borrowed while it is shared",
             false,
             1,
             0,
             {[](world& w) {
                  object(w).share();
                  drop_when_returned(w);
              },
              borrow, nothing},
             drop_what_was_put},
    scenario{"borrowed while it is copied, then shared",
             false,
             1,
             0,
             {[](world& w) {
                  copy_and_drop(w);
                  object(w).share();
                  drop_when_returned(w);
              },
              borrow, nothing},
             drop_what_was_put},
    scenario{"shared by another",
             false,
             2,
             0,
             {copy_use_and_drop,
              [](world& w) {
                  object(w).share();
                  copy_use_and_drop(w);
              },
              nothing},
             nothing},
    scenario{"the maker ends, another has its address",
             false,
             3,
             0,
             {[](world& w) {
                  copy_use_and_drop(w);
                  w.message.put();
              },
              copy_use_and_drop,
              [](world& w) {
                  if (w.message.take()) w.identities[2] = w.identities[0];
                  copy_use_and_drop(w);
              }},
             nothing},
    scenario{"two objects of one bias",
             false,
             3,
             0,
             {[](world& w) {
                  copy_use_and_drop(w);
                  other_object(w).copy();
                  other_object(w).use();
                  other_object(w).drop();
              },
              copy_use_and_drop,
              [](world& w) {
                  other_object(w).use();
                  other_object(w).drop();
              }},
             [](world& w) {
                 object(w).drop();
                 other_object(w).drop();
             },
             2},
    scenario{"written by who is alone",
             false,
             2,
             0,
             {drop_if_alone_write, drop_if_alone_write, nothing},
             nothing},
    scenario{"locked while the last owner lets go",
             true,
             1,
             2,
             {use_and_drop, lock_and_let_go, lock_and_let_go},
             nothing},
    scenario{"locked by the maker",
             true,
             1,
             2,
             {lock_and_let_go, use_and_drop, lock_and_let_go},
             nothing},
    scenario{"locked by the maker, two threads",
             true,
             1,
             1,
             {lock_and_let_go, use_and_drop, nothing},
             nothing},
    scenario{"weak references outlive the owner",
             true,
             1,
             2,
             {use_and_drop, use_weak_and_drop, use_weak_and_drop},
             nothing},
    scenario{"weak references of the maker's outlive the owner",
             true,
             1,
             2,
             {use_weak_and_drop, use_and_drop, use_weak_and_drop},
             nothing},
    scenario{"the only owner makes a weak reference, and is moved",
             true,
             1,
             0,
             {[](world& w) {
                  object(w).copy_weak_held();
                  object(w).use();
                  w.handle.put();
                  lock_and_let_go(w);
              },
              [](world& w) {
                  if (w.handle.take()) copy_use_and_drop(w);
              },
              nothing},
             drop_what_was_put},
    scenario{"weak references are made",
             true,
             2,
             0,
             {[](world& w) {
                  object(w).copy_weak();
                  use_and_drop(w);
                  lock_and_let_go(w);
              },
              use_and_drop, nothing},
             nothing},
    scenario{"each drops what it holds",
             false,
             4,
             0,
             {[](world& w) {
                  object(w).use();
                  object(w).drop_held(2);
              },
              use_and_drop_held, use_and_drop},
             nothing},
    scenario{"what is held is copied after others let go",
             false,
             2,
             0,
             {[](world& w) {
                  copy_held_and_put(w);
                  use_and_drop_held(w);
              },
              use_and_drop, drop_what_was_put},
             drop_what_was_put},
    scenario{"what is held is copied while others copy",
             false,
             2,
             0,
             {[](world& w) {
                  copy_held_and_put(w);
                  object(w).copy_held(1);
                  object(w).use();
                  object(w).drop_held(2);
              },
              copy_use_and_drop, drop_what_was_put},
             drop_what_was_put},
    scenario{"what is held is dropped beside weak references",
             true,
             2,
             1,
             {[](world& w) {
                  object(w).use();
                  object(w).drop_held(2);
              },
              lock_and_let_go, nothing},
             nothing},
};

}  // namespace freehold::model
