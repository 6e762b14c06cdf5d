// SPDX-License-Identifier: BSL-1.0
// The program of Raymond Chen's article "A cache with a bad policy is another name for a memory
// leak" (2 May 2006). It gets and puts buffers at random: small ones often and large ones rarely.
// This program reproduces the article's figures exactly, because it uses the random numbers of the
// same C library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lab::buffers {

/// The Microsoft C runtime's rand(), in a process that never calls srand().
class microsoft_rand {
public:
    [[nodiscard]] unsigned operator()() noexcept {
        state_ = state_ * 214013 + 2531011;
        return (state_ >> 16) & 0x7fff;
    }

private:
    std::uint32_t state_ = 1;
};

/// The probability that a size is doubled once more. The article's two listings disagree. All its
/// printed figures result from one half, as in its first listing.
enum class decay { half, quarter };

/// The state that the program prints after every hundred events.
struct article_state {
    std::uint64_t event = 0;  // the number of the last one, from 0
    std::size_t buffers = 0;  // in use
    std::size_t asked = 0;    // the bytes that were requested
    std::size_t handed_out = 0;

    [[nodiscard]] double used_percent() const noexcept {
        return handed_out == 0 ? 100
                               : static_cast<double>(asked) * 100 / static_cast<double>(handed_out);
    }
    friend bool operator==(const article_state&, const article_state&) = default;
};

/// What the program of the first listing prints: A<capacity>/<asked> and F<capacity>.
struct article_event {
    bool is_get;
    std::size_t capacity;
    std::size_t asked;

    friend bool operator==(const article_event&, const article_event&) = default;
};

/// `Way` is the source of buffers. `get(size)` returns a buffer and `put(b)` takes it back.
/// `Way::capacity(b)` returns its number of bytes.
template <class Way>
class article {
public:
    using buffer = decltype(std::declval<Way&>().get(std::size_t{}));

    explicit article(Way& way, decay likelihood = decay::half)
        : way_(way), doubling_mask_(likelihood == decay::half ? 1 : 3) {}
    article(const article&) = delete;
    article& operator=(const article&) = delete;
    ~article() {
        for (held& each : held_) way_.put(std::move(each.got));
    }

    /// Plays one event. Passes on exceptions of `get`; after one, the program must not continue.
    article_event step() {
        const bool is_get = held_.empty() || (random_() & 1) != 0;
        const article_event done = is_get ? get() : put();
        state_.event = events_++;
        state_.buffers = held_.size();
        return done;
    }
    [[nodiscard]] const article_state& state() const noexcept { return state_; }

    /// Returns the state after event number `last`. The program must not have passed that event.
    const article_state& run_to(std::uint64_t last) {
        while (events_ <= last) step();
        return state_;
    }

private:
    struct held {
        buffer got;
        std::size_t capacity;
        std::size_t asked;
    };

    [[nodiscard]] bool doubles_again() noexcept {
        // The first listing doubles if the low bit is set, the second if both low bits are clear.
        const unsigned low = random_() & doubling_mask_;
        return doubling_mask_ == 1 ? low != 0 : low == 0;
    }

    article_event get() {
        std::size_t size = 100;
        while (size < 1024 * 1024 && doubles_again()) size *= 2;
        buffer got = way_.get(size);
        const std::size_t capacity = Way::capacity(got);
        held_.push_back({std::move(got), capacity, size});
        state_.asked += size;
        state_.handed_out += capacity;
        return {true, capacity, size};
    }

    article_event put() {
        held& victim = held_[random_() % held_.size()];
        const article_event done{false, victim.capacity, victim.asked};
        state_.asked -= victim.asked;
        state_.handed_out -= victim.capacity;
        way_.put(std::move(victim.got));
        if (&victim != &held_.back()) victim = std::move(held_.back());
        held_.pop_back();
        return done;
    }

    Way& way_;
    unsigned doubling_mask_;
    microsoft_rand random_;
    std::vector<held> held_;
    std::uint64_t events_ = 0;
    article_state state_;
};

}  // namespace lab::buffers
