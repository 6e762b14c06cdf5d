// SPDX-License-Identifier: BSL-1.0
// What greedy_dual_fit does on a miss and on an eviction, which is where it learns.
#include <freehold/buffer/policies/greedy_dual_fit.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace freehold::inline FREEHOLD_ABI {
namespace {

// Times max_learned_factor it is below 2^31, so that the values of idle blocks differ by less
// than that.
constexpr double max_initial_value = 1U << 28;
constexpr double max_learned_factor = 4;
// The step of the learning, and the cost, in values of a hit, beyond which a kept buffer counts
// as useless.
constexpr double learning_rate = 0.05;
constexpr double max_cost = 4;
// The number of blocks of a class that are compared for the tightest.
constexpr int max_candidates = 8;

double per_byte(const greedy_dual_fit::options& settings, std::size_t index) noexcept {
    return settings.costs.of_class(index) /
           static_cast<double>(std::max<std::size_t>(size_class::smallest(index), 8));
}

}  // namespace

template <class Visitor>
void greedy_dual_fit::for_each_filled(Visitor visit) {
    for (std::size_t word = 0; word < std::size(filled_); ++word) {
        for (std::uint64_t left = filled_[word]; left != 0; left &= left - 1) {
            const std::size_t index = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
            if (is_empty(bins_[index])) {
                filled_[word] &= ~(left & -left);
                bins_[index].next = nullptr;
            } else {
                visit(index);
            }
        }
    }
}

greedy_dual_fit::greedy_dual_fit(const options& settings) noexcept
    : slack_(static_cast<std::size_t>((settings.band - 1) * slack_scale)) {
    double max_per_byte = 0;
    for (std::size_t each = 0; each < size_class::count; ++each) {
        max_per_byte = std::max(max_per_byte, per_byte(settings, each));
    }
    for (std::size_t each = 0; each < size_class::count; ++each) {
        value_[each] = learned_[each].initial_value = static_cast<std::uint32_t>(
            std::max(1.0, per_byte(settings, each) / max_per_byte * max_initial_value));
        bins_[each].next = nullptr;
    }
}

void greedy_dual_fit::trim(std::size_t bytes, buffer_context, dropped_buffers& dropped) noexcept {
    while (idle_bytes() > bytes) {
        std::size_t least = 0;
        std::int32_t least_value = std::numeric_limits<std::int32_t>::max();
        for_each_filled([&](std::size_t index) {
            // Compares differences, because the values wrap around. A difference is negative if
            // the class has become less valuable since the return.
            const auto value =
                static_cast<std::int32_t>(bins_[index].previous->stamp - last_value_);
            if (value < least_value) {
                least_value = value;
                least = index;
            }
        });
        last_value_ += static_cast<std::uint32_t>(std::max(least_value, 0));
        drop_oldest(least, dropped);
        learn_from_drop(least);
    }
}

void greedy_dual_fit::trim_older(std::uint64_t nanoseconds, buffer_context context,
                                 dropped_buffers& dropped) noexcept {
    // Two epochs more than the age, rounded down: no buffer is dropped too early.
    const std::uint64_t oldest_to_stay =
        nanoseconds == 0 ? 0 : ((nanoseconds - 1) >> epoch_shift) + 2;
    const std::uint16_t now = epoch_of(context.now);
    for_each_filled([&](std::size_t index) {
        while (!is_empty(bins_[index]) &&
               static_cast<std::uint16_t>(now - bins_[index].previous->epoch) >= oldest_to_stay) {
            drop_oldest(index, dropped);
        }
    });
}

void greedy_dual_fit::learn_from_drop(std::size_t index) noexcept {
    learned& entry = learned_[index];
    if (entry.is_pending && cost_since(entry) > max_cost) update_value(index, -max_cost);
    if (!entry.is_pending) {
        entry.is_pending = true;
        entry.dropped_at = last_value_;
    }
}

void greedy_dual_fit::learn_from_miss(std::size_t index) noexcept {
    learned& entry = learned_[index];
    if (!entry.is_pending) return;
    const double cost = cost_since(entry);
    update_value(index, cost > max_cost ? -max_cost : 1 - cost);
}

void greedy_dual_fit::update_value(std::size_t index, double gain) noexcept {
    const double initial_value = learned_[index].initial_value;
    value_[index] = static_cast<std::uint32_t>(std::clamp(
        value_[index] * (1 + learning_rate * gain),
        std::max(1.0, initial_value / max_learned_factor), initial_value * max_learned_factor));
    learned_[index].is_pending = false;
}

greedy_dual_fit::bin* greedy_dual_fit::mark_filled(std::size_t index) noexcept {
    filled_[index / 64] |= std::uint64_t{1} << index % 64;
    return &bins_[index];
}

void greedy_dual_fit::remove(std::size_t index, buffer_block& block) noexcept {
    bin& from = bins_[index];
    if (&block == from.next) return remove_newest(from, block);
    block.previous->next = block.next;
    block.next->previous = block.previous;
    removed_bytes_ += block.capacity;
}

void greedy_dual_fit::drop_oldest(std::size_t index, dropped_buffers& dropped) noexcept {
    buffer_block& block = *bins_[index].previous;
    remove(index, block);
    dropped.push(block);
}

buffer_block* greedy_dual_fit::take_tightest(buffer_request request, std::size_t first) noexcept {
    const std::size_t largest = request.size + request.size / slack_scale * slack_ +
                                request.size % slack_scale * slack_ / slack_scale;
    const std::size_t last = size_class::of(largest);
    for (std::size_t index = first; index <= last; ++index) {
        buffer_block* tightest = nullptr;
        int left = max_candidates;
        buffer_block* each = bins_[index].next;
        for (; each != nullptr && each != &bins_[index] && left > 0; each = each->next, --left) {
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
    learn_from_miss(first);
    return nullptr;
}

}  // namespace freehold::inline FREEHOLD_ABI
