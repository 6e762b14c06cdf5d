// SPDX-License-Identifier: BSL-1.0
#include "owners/heap_map.hpp"

#include <algorithm>

namespace freehold {
namespace {

bool is_set(const std::vector<std::uint64_t>& bits, std::size_t at) {
    return (bits[at / 64] >> (at % 64) & 1) != 0;
}

unsigned count(std::uint64_t bits) {
    return static_cast<unsigned>(__builtin_popcountll(bits));
}

}  // namespace

heap_map::range::range(std::uint64_t begin, std::uint64_t end)
    : begin_(begin),
      end_(end),
      begins_((end - begin) / (64 * granule) + 1, 0),
      used_(begins_.size(), 0) {}

void heap_map::range::add(std::uint64_t chunk, bool is_used) {
    const std::size_t at = (chunk - begin_) / granule;
    if (at / 64 >= begins_.size()) return;
    begins_[at / 64] |= std::uint64_t{1} << (at % 64);
    if (is_used) used_[at / 64] |= std::uint64_t{1} << (at % 64);
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
        each.numbers_.clear();
        each.last_.clear();
        each.samples_.clear();
        each.first_number_ = static_cast<std::uint32_t>(next);
        std::uint32_t last = 0;
        if (each.is_single_) ++next;
        for (std::size_t i = 0; i != each.begins_.size() && !each.is_single_; ++i) {
            if (i % words_of_group == 0) {
                each.numbers_.push_back(static_cast<std::uint32_t>(next));
                each.last_.push_back(last);
            }
            if (each.begins_[i] != 0)
                last = static_cast<std::uint32_t>(i * 64 + 63) -
                       static_cast<unsigned>(__builtin_clzll(each.begins_[i]));
            next += count(each.used_[i]);
            while (each.samples_.size() * 64 < next - each.first_number_)
                each.samples_.push_back(static_cast<std::uint32_t>(i / words_of_group));
        }
        each.behind_ = static_cast<std::uint32_t>(next);
        if (next >= std::uint64_t{1} << 31)
            throw owners_error("the heap has more than 2 billion chunks, which are too many");
    }
    size_ = static_cast<std::uint32_t>(next);
}

const heap_map::range* heap_map::find(std::uint64_t address) const {
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
    return is_set(in->used_, (address - in->begin_) / granule);
}

void heap_map::free(std::uint64_t begin) {
    if (!begins_at(begin)) return;
    range& in = ranges_[last_found_];
    const std::size_t at = (begin - in.begin_) / granule;
    if (!in.is_single_) in.used_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
}

std::uint64_t heap_map::end_of(const range& in, std::size_t at) {
    std::size_t i = ++at / 64;
    if (i == in.begins_.size()) return in.end_;
    std::uint64_t left = in.begins_[i] & ~std::uint64_t{0} << (at % 64);
    while (left == 0)
        if (++i == in.begins_.size())
            return in.end_;
        else
            left = in.begins_[i];
    const std::size_t next = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
    return in.begin_ + next * granule - bytes_of_word;
}

std::uint32_t heap_map::number_of(const range& in, std::size_t at) {
    const std::size_t group = at / 64 / words_of_group;
    std::uint32_t result = in.numbers_[group];
    for (std::size_t i = group * words_of_group; i != at / 64; ++i) result += count(in.used_[i]);
    return result + count(in.used_[at / 64] & ((std::uint64_t{1} << (at % 64)) - 1));
}

heap_chunk heap_map::around(std::uint64_t address) const {
    const range* const in = find(address);
    if (in == nullptr) return {};
    if (in->is_single_) return {in->begin_, 0, in->first_number_};
    const std::size_t at = (address - in->begin_) / granule;
    std::size_t i = at / 64;
    std::uint64_t left = in->begins_[i] << (63 - at % 64) >> (63 - at % 64);
    const std::size_t group_begin = i / words_of_group * words_of_group;
    while (left == 0 && i != group_begin) left = in->begins_[--i];
    const std::size_t chunk = left != 0 ? i * 64 + 63 - static_cast<unsigned>(__builtin_clzll(left))
                                        : in->last_[i / words_of_group];
    if (!is_set(in->used_, chunk)) return {};
    // The last 8 bytes before the next chunk are its head.
    if (address % granule >= bytes_of_word && (at + 1) / 64 < in->begins_.size() &&
        is_set(in->begins_, at + 1))
        return {};
    return {in->begin_ + chunk * granule, 0, number_of(*in, chunk)};
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

heap_chunk heap_map::operator[](std::uint32_t number) const {
    const auto in =
        std::partition_point(ranges_.begin(), ranges_.end(),
                             [number](const range& each) { return each.behind_ <= number; });
    if (in == ranges_.end()) return {};
    if (in->is_single_) return {in->begin_, in->end_, number};
    std::size_t group = in->samples_[(number - in->first_number_) / 64];
    while (group + 1 != in->numbers_.size() && in->numbers_[group + 1] <= number) ++group;
    std::uint32_t before = number - in->numbers_[group];
    std::size_t i = group * words_of_group;
    for (; count(in->used_[i]) <= before; ++i) before -= count(in->used_[i]);
    std::uint64_t left = in->used_[i];
    for (; before != 0; --before) left &= left - 1;
    const std::size_t at = i * 64 + static_cast<unsigned>(__builtin_ctzll(left));
    return {in->begin_ + at * granule, end_of(*in, at), number};
}

}  // namespace freehold
