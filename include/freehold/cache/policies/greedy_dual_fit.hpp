// SPDX-License-Identifier: BSL-1.0
// Freehold's own policy: the tightest fit within a band, and the least valuable goes.
//
// A request gets an idle buffer of at most `band` times its size, so no large buffer is wasted on a
// small caller. When there is too much idle, that goes whose allocator's nanoseconds for each byte,
// added to what the last that went was worth, are the fewest: rare sizes and large ones that save
// little age out, whatever their size, and none is kept for being large.
//
// Costs some ten instructions for a hit and for a return, and for each buffer that goes a look at
// each class of sizes that has any; 8 KiB for each thread and one more.
// Source: Cao & Irani, "Cost-Aware WWW Proxy Caching Algorithms" (USITS 1997), GreedyDual-Size; the
// seed by Chen for the band.
#pragma once

#include <freehold/cache/buffer_policy.hpp>
#include <freehold/cache/buffers/allocation_costs.hpp>
#include <freehold/cache/buffers/size_class.hpp>
#include <freehold/memory/rounding.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace freehold {

class greedy_dual_fit {
public:
    static constexpr bool per_thread = true;

    struct options {
        // A buffer is handed out for at least 1 / band of its capacity. At least 1; 1.1 where
        // memory is tight.
        double band = 1.25;
        allocation_costs costs{};
    };

    greedy_dual_fit() : greedy_dual_fit(options{}) {}
    explicit greedy_dual_fit(const options& how) noexcept
        : slack_(static_cast<std::size_t>((how.band - 1) * slack_scale)) {
        double dearest = 0;
        for (std::size_t each = 0; each < size_class::count; ++each) {
            dearest = std::max(dearest, per_byte(how, each));
        }
        for (std::size_t each = 0; each < size_class::count; ++each) {
            value_[each] = static_cast<std::uint32_t>(
                std::max(1.0, per_byte(how, each) / dearest * dearest_value));
        }
    }

    // Rounded up by at most a 64th, so that sizes that are nearly the same share buffers.
    [[nodiscard]] std::size_t capacity_for(std::size_t size) const noexcept {
        const std::size_t granule = std::max<std::size_t>(std::bit_floor(size) / 64, 1);
        return detail::up_to_whole(granule, size);
    }

    [[nodiscard, gnu::always_inline]] detail::buffer_block* take(buffer_request request,
                                                                 buffer_occasion) noexcept {
        const std::size_t index = size_class::of(request.size);
        detail::buffer_block* const newest = bins_[index].newest;
        if (newest != nullptr && newest->capacity - request.size <= request.size / 32 &&
            newest->is_aligned(request.alignment)) [[likely]] {
            remove_newest(index, *newest);
            return newest;
        }
        return take_tightest(request, index);
    }

    [[gnu::always_inline]] void keep(detail::buffer_block& block, buffer_occasion occasion,
                                     detail::dropped_buffers&) noexcept {
        const std::size_t index = block.size_class;
        bin& kept = bins_[index];
        block.stamp = last_value_ + value_[index];
        block.epoch = epoch_of(occasion.now);
        block.next = kept.newest;
        if (kept.newest != nullptr) {
            kept.newest->previous = &block;
        } else {
            kept.oldest = &block;
            filled_[index / 64] |= std::uint64_t{1} << index % 64;
        }
        kept.newest = &block;
        idle_bytes_ += block.capacity;
    }

    void trim(std::size_t bytes, buffer_occasion, detail::dropped_buffers& dropped) noexcept {
        while (idle_bytes_ > bytes) {
            std::size_t least = 0;
            std::uint32_t least_value = ~std::uint32_t{0};
            for_each_filled([&](std::size_t index) {
                // Of the differences, for the numbers wrap around.
                const std::uint32_t value = bins_[index].oldest->stamp - last_value_;
                if (value < least_value) {
                    least_value = value;
                    least = index;
                }
            });
            last_value_ += least_value;
            drop_oldest(least, dropped);
        }
    }

    void trim_older(std::uint64_t nanoseconds, buffer_occasion occasion,
                    detail::dropped_buffers& dropped) noexcept {
        const std::uint64_t oldest_to_stay = nanoseconds >> epoch_shift;
        const std::uint16_t now = epoch_of(occasion.now);
        for_each_filled([&](std::size_t index) {
            while (bins_[index].newest != nullptr &&
                   static_cast<std::uint16_t>(now - bins_[index].oldest->epoch) >= oldest_to_stay) {
                drop_oldest(index, dropped);
            }
        });
    }

    [[nodiscard]] std::size_t idle_bytes() const noexcept { return idle_bytes_; }

private:
    // By time of return: none in a bin came back before its oldest. One that has no newest is
    // empty, and then its oldest means nothing; nor does the newest's `previous`. filled_ has the
    // bits of all that are not empty, and of some that are.
    struct bin {
        detail::buffer_block* newest = nullptr;
        detail::buffer_block* oldest = nullptr;
    };

    static constexpr std::size_t slack_scale = 1024;
    // Far below 2^32, for the values of what is idle differ by less than this.
    static constexpr double dearest_value = 1U << 30;
    // How many of a class are looked at for the tightest.
    static constexpr int looked_at = 8;
    // Epochs of a quarter of a second; a buffer's age is known up to four hours.
    static constexpr int epoch_shift = 28;

    [[nodiscard]] static std::uint16_t epoch_of(std::uint64_t now) noexcept {
        return static_cast<std::uint16_t>(now >> epoch_shift);
    }
    [[nodiscard]] static double per_byte(const options& how, std::size_t index) noexcept {
        return how.costs.of_class(index) /
               static_cast<double>(std::max<std::size_t>(size_class::smallest(index), 1));
    }

    template <class Visitor>
    void for_each_filled(Visitor visit) {
        for (std::size_t word = 0; word < filled_.size(); ++word) {
            for (std::uint64_t left = filled_[word]; left != 0; left &= left - 1) {
                const std::size_t index =
                    word * 64 + static_cast<std::size_t>(std::countr_zero(left));
                if (bins_[index].newest == nullptr) {
                    filled_[word] &= ~(left & -left);
                } else {
                    visit(index);
                }
            }
        }
    }

    void remove_newest(std::size_t index, detail::buffer_block& block) noexcept {
        bins_[index].newest = block.next;
        idle_bytes_ -= block.capacity;
    }

    void remove(std::size_t index, detail::buffer_block& block) noexcept {
        bin& from = bins_[index];
        if (&block == from.newest) {
            remove_newest(index, block);
            return;
        }
        block.previous->next = block.next;
        (&block == from.oldest ? from.oldest : block.next->previous) = block.previous;
        idle_bytes_ -= block.capacity;
    }

    void drop_oldest(std::size_t index, detail::dropped_buffers& dropped) noexcept {
        detail::buffer_block& block = *bins_[index].oldest;
        remove(index, block);
        dropped.push(block);
    }

    // The classes that a capacity within the band may have, from the smallest on.
    [[nodiscard, gnu::noinline]] detail::buffer_block* take_tightest(buffer_request request,
                                                                     std::size_t first) noexcept {
        const std::size_t largest = request.size + request.size / slack_scale * slack_ +
                                    request.size % slack_scale * slack_ / slack_scale;
        const std::size_t last = size_class::of(largest);
        for (std::size_t index = first; index <= last; ++index) {
            detail::buffer_block* tightest = nullptr;
            int left = looked_at;
            for (detail::buffer_block* each = bins_[index].newest; each != nullptr && left > 0;
                 each = each->next, --left) {
                if (each->capacity >= request.size && each->capacity <= largest &&
                    (tightest == nullptr || each->capacity < tightest->capacity) &&
                    each->is_aligned(request.alignment)) {
                    tightest = each;
                }
            }
            if (tightest != nullptr) {
                remove(index, *tightest);
                return tightest;
            }
        }
        return nullptr;
    }

    std::array<bin, size_class::count> bins_{};
    std::array<std::uint64_t, (size_class::count + 63) / 64> filled_{};
    std::size_t idle_bytes_ = 0;
    std::size_t slack_;
    // GreedyDual's L: what the last was worth that went. What came back since is worth its own
    // value more.
    std::uint32_t last_value_ = 0;
    std::array<std::uint32_t, size_class::count> value_{};
};
static_assert(buffer_policy<greedy_dual_fit>);

}  // namespace freehold
