// SPDX-License-Identifier: BSL-1.0
#include "owners/heap_map.hpp"

#include <algorithm>

namespace freehold {
namespace {

bool is_set(std::uint64_t bits, std::size_t at) {
    return (bits >> (at % 64) & 1) != 0;
}

unsigned count(std::uint64_t bits) {
    return static_cast<unsigned>(__builtin_popcountll(bits));
}

}  // namespace

heap_map::range::range(std::uint64_t begin, std::uint64_t end)
    : begin_(begin), end_(end), words_((end - begin) / (64 * granule) + 1) {}

void heap_map::range::add(std::uint64_t chunk, bool is_used) {
    const std::size_t at = (chunk - begin_) / granule;
    if (at / 64 >= words_.size()) return;
    words_[at / 64].begins |= std::uint64_t{1} << (at % 64);
    if (is_used) words_[at / 64].used |= std::uint64_t{1} << (at % 64);
}

void heap_map::add_single(std::uint64_t begin, std::uint64_t end) {
    range made(begin, begin);
    made.end_ = end;
    made.is_single_ = true;
    add(std::move(made));
}

void heap_map::number() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const range& a, const range& b) { return a.begin_ < b.begin_; });
    std::uint64_t next = 0;
    for (range& each : ranges_) {
        each.groups_.clear();
        each.samples_.clear();
        each.first_number_ = static_cast<std::uint32_t>(next);
        std::uint32_t last = 0;
        if (each.is_single_) ++next;
        for (std::size_t i = 0; i != each.words_.size() && !each.is_single_; ++i) {
            if (i % words_of_group == 0)
                each.groups_.push_back({static_cast<std::uint32_t>(next), last});
            if (each.words_[i].begins != 0)
                last = static_cast<std::uint32_t>(i * 64 + 63) -
                       static_cast<unsigned>(__builtin_clzll(each.words_[i].begins));
            next += count(each.words_[i].used);
            while (each.samples_.size() * 64 < next - each.first_number_)
                each.samples_.push_back(static_cast<std::uint32_t>(i / words_of_group));
        }
        each.behind_ = static_cast<std::uint32_t>(next);
        if (next >= std::uint64_t{1} << 31)
            throw owners_error("the heap has more than 2 billion chunks, which are too many");
    }
    size_ = static_cast<std::uint32_t>(next);
    lowest_ = ranges_.empty() ? 0 : ranges_.front().begin_;
    span_ = ranges_.empty() ? 0 : ranges_.back().end_ - lowest_;
    known_.fill({});
}

const heap_map::range* heap_map::find(std::uint64_t address) const {
    if (address - lowest_ >= span_) return nullptr;
    const auto contains = [address](const range& each) {
        return each.begin_ <= address && address < each.end_;
    };
    if (last_found_ < ranges_.size() && contains(ranges_[last_found_]))
        return &ranges_[last_found_];
    const auto after = std::upper_bound(
        ranges_.begin(), ranges_.end(), address,
        [](std::uint64_t value, const range& each) { return value < each.begin_; });
    if (after == ranges_.begin() || !contains(*std::prev(after))) return nullptr;
    last_found_ = static_cast<std::size_t>(after - ranges_.begin()) - 1;
    return &ranges_[last_found_];
}

bool heap_map::begins_at(std::uint64_t address) const {
    const range* const in = find(address);
    if (in == nullptr || (address - in->begin_) % granule != 0) return false;
    if (in->is_single_) return address == in->begin_;
    const std::size_t at = (address - in->begin_) / granule;
    return is_set(in->words_[at / 64].used, at);
}

void heap_map::free(std::uint64_t begin) {
    if (!begins_at(begin)) return;
    range& in = ranges_[last_found_];
    const std::size_t at = (begin - in.begin_) / granule;
    if (!in.is_single_) in.words_[at / 64].used &= ~(std::uint64_t{1} << (at % 64));
}

std::uint64_t heap_map::end_of(const range& in, std::size_t at) {
    std::size_t i = ++at / 64;
    if (i == in.words_.size()) return in.end_;
    std::uint64_t left = in.words_[i].begins & ~std::uint64_t{0} << (at % 64);
    while (left == 0)
        if (++i == in.words_.size())
            return in.end_;
        else
            left = in.words_[i].begins;
    const std::size_t next = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
    return in.begin_ + next * granule - bytes_of_word;
}

std::uint32_t heap_map::number_of(const range& in, std::size_t at) {
    const std::size_t group = at / 64 / words_of_group;
    std::uint32_t result = in.groups_[group].number;
    for (std::size_t i = group * words_of_group; i != at / 64; ++i)
        result += count(in.words_[i].used);
    return result + count(in.words_[at / 64].used & ((std::uint64_t{1} << (at % 64)) - 1));
}

heap_chunk heap_map::around(std::uint64_t address) const {
    const range* const in = find(address);
    if (in == nullptr) return {};
    if (in->is_single_) return {in->begin_, 0, in->first_number_};
    const std::size_t at = (address - in->begin_) / granule;
    std::size_t i = at / 64;
    std::uint64_t left = in->words_[i].begins << (63 - at % 64) >> (63 - at % 64);
    const std::size_t group_begin = i / words_of_group * words_of_group;
    while (left == 0 && i != group_begin) left = in->words_[--i].begins;
    const std::size_t chunk = left != 0 ? i * 64 + 63 - static_cast<unsigned>(__builtin_clzll(left))
                                        : in->groups_[i / words_of_group].last;
    if (!is_set(in->words_[chunk / 64].used, chunk)) return {};
    // The last 8 bytes before the next chunk are its head.
    if (address % granule >= bytes_of_word && (at + 1) / 64 < in->words_.size() &&
        is_set(in->words_[(at + 1) / 64].begins, at + 1))
        return {};
    const heap_chunk result{in->begin_ + chunk * granule, 0, number_of(*in, chunk)};
    known(result.number) = {result.number, result.begin};
    return result;
}

heap_chunk heap_map::from(std::uint64_t address) const {
    if (!begins_at(address)) return {};
    const range& in = ranges_[last_found_];
    if (in.is_single_) return {in.begin_, in.end_, in.first_number_};
    const std::size_t at = (address - in.begin_) / granule;
    return {address, end_of(in, at), number_of(in, at)};
}

std::uint32_t heap_map::number_from(std::uint64_t address) const {
    if (!begins_at(address)) return no_number;
    const range& in = ranges_[last_found_];
    return in.is_single_ ? in.first_number_ : number_of(in, (address - in.begin_) / granule);
}

/// The chunks are mostly asked for in their order, or soon after their numbers were found.
heap_chunk heap_map::operator[](std::uint32_t number) const {
    if (number >= size_) return {};
    if (const known_chunk& same = known(number); same.number == number) {
        const range& in = *find(same.begin);
        return {same.begin, end_of(in, (same.begin - in.begin_) / granule), number};
    }
    const known_chunk before = known(number - 1);
    const heap_chunk result = before.number != no_number && before.number == number - 1
                                  ? chunk_behind(before)
                                  : heap_chunk();
    return result ? result : find_number(number);
}

/// Returns the next chunk in use of the same range, or none.
heap_chunk heap_map::chunk_behind(const known_chunk& before) const {
    const range& in = *find(before.begin);
    const std::size_t behind = (before.begin - in.begin_) / granule + 1;
    std::size_t i = behind / 64;
    if (i == in.words_.size()) return {};
    std::uint64_t left = in.words_[i].used & ~std::uint64_t{0} << (behind % 64);
    while (left == 0)
        if (++i == in.words_.size())
            return {};
        else
            left = in.words_[i].used;
    const std::size_t at = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
    const std::uint64_t begin = in.begin_ + at * granule;
    known(before.number + 1) = {before.number + 1, begin};
    return {begin, end_of(in, at), before.number + 1};
}

heap_chunk heap_map::find_number(std::uint32_t number) const {
    const auto in =
        std::partition_point(ranges_.begin(), ranges_.end(),
                             [number](const range& each) { return each.behind_ <= number; });
    if (in == ranges_.end()) return {};
    if (in->is_single_) return {in->begin_, in->end_, number};
    std::size_t group = in->samples_[(number - in->first_number_) / 64];
    while (group + 1 != in->groups_.size() && in->groups_[group + 1].number <= number) ++group;
    std::uint32_t before = number - in->groups_[group].number;
    std::size_t i = group * words_of_group;
    for (; count(in->words_[i].used) <= before; ++i) before -= count(in->words_[i].used);
    std::uint64_t left = in->words_[i].used;
    for (; before != 0; --before) left &= left - 1;
    const std::size_t at = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
    const std::uint64_t begin = in->begin_ + at * granule;
    known(number) = {number, begin};
    return {begin, end_of(*in, at), number};
}

}  // namespace freehold
