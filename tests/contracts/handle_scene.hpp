// SPDX-License-Identifier: BSL-1.0
// Handles before and after one use of the standard library, for any strategy of owning. The tests
// make the same use with a strategy of the standard library's own pointers: both must do the same.
#pragma once

#include "contracts/observed_objects.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::contracts {

// What handles are compared with. As a strategy it may say `owns = false`: its handles delete
// nothing.
struct of_std {
    template <class Derived>
    using base = nothing<Derived>;
};
struct std_shared : of_std {
    template <class T>
    using handle = std::shared_ptr<T>;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return std::make_shared<T>(std::forward<Args>(args)...);
    }
};
struct std_unique : of_std {
    template <class T>
    using handle = std::unique_ptr<T>;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return std::make_unique<T>(std::forward<Args>(args)...);
    }
};
struct raw : of_std {
    static constexpr bool owns = false;
    template <class T>
    using handle = T*;
    template <class T, class... Args>
    static handle<T> make(Args&&... args) {
        return new T(std::forward<Args>(args)...);
    }
};

// The pointers of the standard library that behave as the strategy's handles.
template <class Strategy>
struct model_of {
    using type = std_shared;
};
template <class Strategy>
    requires(!std::copyable<animal_handle<Strategy>>)
struct model_of<Strategy> {
    using type = std_unique;
};
template <class Strategy>
    requires(!Strategy::owns)
struct model_of<Strategy> {
    using type = raw;
};

template <class Strategy>
class handle_scene {
public:
    using handle = animal_handle<Strategy>;
    using handles = std::vector<handle>;

    // The values are in the order of the objects' addresses, so handles compare as their values.
    // Null is -1, which is the least. Without `repeats`, no two handles share an object.
    explicit handle_scene(bool repeats) {
        static constexpr int null = -1;
        static constexpr std::array pattern{3, 1, 4, 1, 5, 8, 2, 6, 5, 3, null, 7, null, 0, 6, 6};
        for (int i = 0; i < 27; ++i) spare_.push_back(Strategy::template make<animal<Strategy>>(i));
        std::sort(spare_.begin(), spare_.end(),
                  [](const auto& a, const auto& b) { return address(a) < address(b); });
        for (std::size_t i = 0; i < spare_.size(); ++i) {
            spare_[i]->value = static_cast<int>(i);
            objects_.push_back(address(spare_[i]));
        }
        // Others have values between those of the pattern.
        for (const int each : pattern) {
            if (each == null) {
                in.push_back(handle());
                continue;
            }
            handle& object = spare_[3 * static_cast<std::size_t>(each)];
            if (object != nullptr) {
                in.push_back(std::move(object));
                object = handle();
            } else if constexpr (std::copyable<handle>) {
                if (repeats) in.push_back(copy(3 * each));
            }
        }
        out.resize(2 * pattern.size());
    }
    handle_scene(const handle_scene&) = delete;
    handle_scene& operator=(const handle_scene&) = delete;
    ~handle_scene() {
        if constexpr (requires { requires !Strategy::owns; }) {
            for (const auto* const object : objects_) delete object;
        }
    }

    // Handles to work on, and nulls to write to.
    handles in;
    handles out;

    static int value(const handle& of) { return of == nullptr ? -1 : of->value; }
    static long owners(const handle& of) {
        if constexpr (requires { of.use_count(); }) {
            return of.use_count();
        } else {
            return 0;
        }
    }
    // A handle of `in` that has this value.
    [[nodiscard]] handle copy(int value) const
        requires std::copyable<handle>
    {
        return *std::find_if(in.begin(), in.end(),
                             [value](const handle& h) { return handle_scene::value(h) == value; });
    }
    // The only handle to an object, or null after some 18 calls.
    [[nodiscard]] handle take_new() {
        handle& object = spare_[next_spare_];
        next_spare_ = std::min(next_spare_ + (next_spare_ % 3 == 1 ? 1 : 2), spare_.size() - 1);
        handle taken(std::move(object));
        object = handle();
        return taken;
    }

    // What the log tells: numbers, places in `in` and `out`, handles, and all elements of a range.
    template <class Told>
    void note(const Told& told) {
        if constexpr (std::integral<Told>) {
            log_.push_back(static_cast<long>(told));
        } else if constexpr (std::same_as<Told, handle>) {
            log_.push_back(value(told));
            log_.push_back(owners(told));
        } else if constexpr (requires { told - in.cbegin(); }) {
            const auto in_input = told - in.cbegin();
            const bool is_there = in_input >= 0 && in_input <= std::ssize(in);
            log_.push_back(is_there ? in_input : 1000 + (told - out.cbegin()));
        } else if constexpr (requires {
                                 told.first;
                                 told.second;
                             }) {
            note(told.first);
            note(told.second);
        } else if constexpr (requires {
                                 told.begin();
                                 told.end();
                             }) {
            for (const auto& each : told) note(each);
        } else {
            // The results of ranges' algorithms.
            const auto& [first, second] = told;
            note(first);
            note(second);
        }
    }
    template <class... Told>
    void note_all(const Told&... told) {
        (note(told), ...);
    }

    // All that has been told, and all that is left.
    [[nodiscard]] std::vector<long> log() {
        note_all(in, out, census::alive);
        return log_;
    }

private:
    static const animal<Strategy>* address(const handle& of) {
        return of == nullptr ? nullptr : std::addressof(*of);
    }
    handles spare_;
    std::size_t next_spare_ = 1;
    std::vector<const animal<Strategy>*> objects_;
    std::vector<long> log_;
};

// One use of handles, and what a failure calls it.
template <class Strategy>
struct handle_use {
    const char* name;
    void (*run)(handle_scene<Strategy>&);
};

// Runs what `Uses` lists with the strategy's handles and with the standard library's.
template <class Strategy, template <class> class Uses>
void expect_uses_as_of_std(bool repeats) {
    using model = typename model_of<Strategy>::type;
    const auto& uses = Uses<Strategy>::all;
    const auto& expected_uses = Uses<model>::all;
    const auto log_of = [=](const auto& use, auto strategy) {
        census::start();
        handle_scene<typename decltype(strategy)::type> scene(repeats);
        use.run(scene);
        return scene.log();
    };
    for (std::size_t i = 0; i < std::size(uses); ++i) {
        const auto expected = log_of(expected_uses[i], std::type_identity<model>());
        EXPECT_EQ(census::alive, 0) << uses[i].name;
        EXPECT_EQ(log_of(uses[i], std::type_identity<Strategy>()), expected) << uses[i].name;
        EXPECT_EQ(census::alive, 0) << uses[i].name << ": an object outlived its owners";
    }
}

}  // namespace freehold::contracts
