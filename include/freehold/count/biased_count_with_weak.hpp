// SPDX-License-Identifier: BSL-1.0
// A count of owners and weak references that costs the thread which made the object next to
// nothing, and other threads what an atomic one costs.
//
// Costs 16 bytes. On the thread that made the object, a copy, a release, and the locking of a weak
// reference are a restartable sequence each, without a locked instruction (0.7 ns on a Xeon, where
// a locked addition takes 5). The first thread that counts another thread's object pays for the
// revocation of that thread's bias for the type (0.3 to 20 us, once: bias.hpp), except if its
// handle is the only one and it lets go. After that, and after share(), all threads pay a locked
// addition for a copy and one for a release, and nothing for the release of a handle that was never
// copied.
//
// The object is destroyed at once, by the thread that lets go last, as with any other count; how
// and in which order threads end does not matter. The protocol is in biased_word.hpp.
//
// Thread-safe: distinct owners and weak references may be used at once. Does not throw; terminates
// on overflow, if the system withdraws membarrier(2) from a running process, and when a handle is
// released or copied whose object has no owners any more, until the memory is put to another use.
// While there are weak references, one owner too many is found, but a weak reference too many only
// by the owners who let go after it. May be used in a child made by fork(). Atomic counts on all
// threads where the system has no restartable sequences (bias_platform.hpp).
// After "Biased Reference Counting" (Choi, Shull, Torrellas, PACT 2018), with revocation in place
// of a second count and a queue of what the maker has yet to destroy.
#pragma once

#include <freehold/count/bias_platform.hpp>
#include <freehold/count/biased_word.hpp>
#include <freehold/count/reference_count.hpp>
#include <freehold/count/weak_word.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI {
namespace detail {

template <class Platform>
class basic_biased_count_with_weak {
public:
    constexpr explicit basic_biased_count_with_weak(std::uintptr_t owner) noexcept
        : word_(weak_word::alone, owner) {}

    void increment() noexcept { word_.template add<weak_word::owner>(); }

    void increment_held(std::int64_t owners) noexcept {
        for (; owners > 0; --owners) increment();
    }

    [[nodiscard]] bool try_increment() noexcept {
        return word_.template add_to_some<weak_word::owner>();
    }

    using departure = sequence_outcome;

    [[nodiscard, gnu::always_inline]] departure depart() noexcept {
        return word_.template subtract<weak_word::owner, weak_word::alone>();
    }
    [[nodiscard, gnu::always_inline]] static constexpr bool leaves_owners(departure seen) noexcept {
        return seen == sequence_outcome::done;
    }
    [[nodiscard, gnu::always_inline]] bool rests_alone(departure seen) noexcept {
        if (seen != sequence_outcome::last) return false;
        word_.rest();
        return true;
    }
    [[nodiscard]] remaining settle(departure seen) noexcept {
        if (seen != sequence_outcome::last)
            seen = word_.template settle<weak_word::owner, weak_word::alone>(seen);
        if (seen == sequence_outcome::done) return remaining::owners;
        if (seen == sequence_outcome::few) return remaining::weak_references;
        word_.rest();
        return remaining::nothing;
    }

    [[nodiscard]] remaining decrement() noexcept {
        const departure seen = depart();
        return leaves_owners(seen) ? remaining::owners : settle(seen);
    }

    [[nodiscard]] remaining decrement_held(std::int64_t owners) noexcept {
        for (;;) {
            const remaining left = decrement();
            if (--owners <= 0) return left;
        }
    }

    void increment_weak() noexcept {
        word_.template add<weak_word::weak>();
        if ((word_.value() & weak_word::weak_mask) > weak_word::most_weak) [[unlikely]]
            weak_word::overflow();
    }

    void increment_weak_held() noexcept { increment_weak(); }

    [[nodiscard]] bool decrement_weak() noexcept {
        auto seen = word_.template subtract<weak_word::weak, weak_word::weak>();
        if (seen == sequence_outcome::done) return false;
        if (seen != sequence_outcome::last)
            seen = word_.template settle<weak_word::weak, weak_word::weak>(seen);
        if (seen != sequence_outcome::last) return false;
        word_.rest();
        return true;
    }

    // Gives up the bias, for almost nothing if the calling thread has it: call it before handing a
    // copy to another thread. May be called at any time, but by a signal handler.
    void share() noexcept { word_.template share<weak_word::alone>(); }

    [[nodiscard]] std::int64_t value() const noexcept { return weak_word::owners(word_.value()); }

    // Whether the last handle has let go, weak ones included.
    [[nodiscard]] bool is_at_rest() const noexcept { return word_.is_at_rest(); }

private:
    basic_biased_word<Platform> word_;
};

}  // namespace detail

class biased_count_with_weak
    : public detail::basic_biased_count_with_weak<detail::restartable_platform> {
public:
    template <class T>
    explicit biased_count_with_weak(std::in_place_type_t<T>) noexcept
        : basic_biased_count_with_weak(detail::new_owner<T>()) {}
    biased_count_with_weak(const biased_count_with_weak&) = delete;
    biased_count_with_weak& operator=(const biased_count_with_weak&) = delete;
};

static_assert(weak_reference_count<biased_count_with_weak>);

}  // namespace freehold::inline FREEHOLD_ABI
