// SPDX-License-Identifier: BSL-1.0
// What it is: biased_count with weak references.
//
// On the thread that made the object, a copy, a release and the locking of a weak reference are one
// restartable sequence each, without a locked instruction (0.7 ns on a Xeon, where a locked
// addition takes 5). The first other thread that counts the object revokes the first thread's bias
// for the type (0.3 to 20 us, once: bias.hpp). A thread that releases the only handle revokes
// nothing. After the revocation, and after share(), all threads pay one locked addition for a copy
// and one for a release. The release of a handle that was never copied then costs none. The thread
// that releases the last owner destroys the object at once, as with any other count. It does not
// matter how and in which order threads end. biased_word.hpp describes the protocol. Where the
// system has no restartable sequences, the counts are atomic on all threads (bias_platform.hpp).
//
// Units: 16 bytes.
// Thread safety: several threads may use distinct owners and weak references at once. A child made
// by fork() may use the count.
// Exceptions: none. The count terminates the program on overflow, if the system withdraws
// membarrier(2) from the running process, and if a handle is released or copied whose object has no
// owners. It detects the last until the memory is reused. While there are weak references, it finds
// one owner too many. It finds a weak reference too many only when owners are released afterwards.
// Source: "Biased Reference Counting" (Choi, Shull, Torrellas, PACT 2018). Here a revocation
// replaces the second count and the queue of objects that the maker has yet to destroy.
#pragma once

#include <freehold/count/detail/bias_platform.hpp>
#include <freehold/count/detail/biased_word.hpp>
#include <freehold/count/detail/weak_word.hpp>
#include <freehold/count/reference_count.hpp>

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

    // Gives up the bias. This costs almost nothing if the calling thread has the bias: call it
    // before you hand a copy to another thread. It may be called at any time, except by a signal
    // handler.
    void share() noexcept { word_.template share<weak_word::alone>(); }

    [[nodiscard]] std::int64_t value() const noexcept { return weak_word::owners(word_.value()); }

    // Whether the last handle has been released, including weak ones.
    [[nodiscard]] bool is_at_rest() const noexcept { return word_.is_at_rest(); }

private:
    basic_biased_word<Platform> word_;
};

}  // namespace detail

// biased_count with weak references. handle/shared_ptr.hpp and handle/arc.hpp use it.
class biased_count_with_weak
    : public detail::basic_biased_count_with_weak<detail::restartable_platform> {
public:
    // Starts with one owner, biased to the calling thread.
    template <class T>
    explicit biased_count_with_weak(std::in_place_type_t<T>) noexcept
        : basic_biased_count_with_weak(detail::new_owner<T>()) {}
    biased_count_with_weak(const biased_count_with_weak&) = delete;
    biased_count_with_weak& operator=(const biased_count_with_weak&) = delete;
};

static_assert(weak_reference_count<biased_count_with_weak>);

}  // namespace freehold::inline FREEHOLD_ABI
