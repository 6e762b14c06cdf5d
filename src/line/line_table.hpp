// SPDX-License-Identifier: BSL-1.0
// The lines that a get can find, by object and line number.
//
// Each bucket is one cache line with its own lock. Every lookup writes to it, so readers of
// different lines disturb each other if these share a bucket. There are eight buckets for each
// line, and fewer only if they would take more than about 1 % of the lines' memory.
//
// A bucket owns its first line, and each line owns the next. If a line has no owner but its bucket,
// it gets no new owner while the bucket's lock is held.
#pragma once

#include <freehold/config.hpp>
#include <freehold/detail/spin_lock.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/line/access.hpp>

#include "line/cached_line.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

struct line_key {
    line_key(std::string_view name_of_object, std::uint64_t hash_of_object, object_entry* known,
             access how_read, std::uint64_t number_of_line) noexcept
        : name(name_of_object),
          object(known),
          how(how_read),
          number(number_of_line),
          hash(mix(hash_of_object, number_of_line)) {}

    // The key of the object's first line.
    line_key(object_entry& of_object, access how_read) noexcept
        : line_key(of_object.name, of_object.hash, &of_object, how_read, 0) {}

    // The key of another line of the object.
    [[nodiscard]] line_key at(std::uint64_t other) const noexcept {
        line_key key = *this;
        key.hash = mix(hash, other - number);
        key.number = other;
        return key;
    }
    [[nodiscard]] bool is_of(const cached_line& line) const noexcept {
        return line.hash == hash && line.number == number &&
               (line.object.get() == object || line.object->name == name);
    }

    std::string_view name;
    object_entry* object;  // nullptr if only the name is known
    access how;            // not part of the key, but known wherever a key is
    std::uint64_t number;
    std::uint64_t hash;

private:
    // The factor is odd, so adjacent lines have different lowest bits, which choose the bucket. It
    // is large, so their buckets are too far apart for the processor's adjacent-line prefetch.
    static std::uint64_t mix(std::uint64_t of_object, std::uint64_t of_number) noexcept {
        return of_object + of_number * 0x9e3779b97f4a7c15;
    }
};

class line_table {
public:
    struct alignas(64) bucket {
        spin_lock lock;
        // All guarded by `lock`.
        arc<cached_line> first;
        std::uint64_t hits = 0;
        std::uint64_t joined = 0;

        [[nodiscard]] const arc<cached_line>* find(const line_key& key) const noexcept {
            for (const arc<cached_line>* at = &first; *at; at = &(*at)->next) {
                if (key.is_of(**at)) return at;
            }
            return nullptr;
        }
        void link(const arc<cached_line>& line) noexcept {
            line->next = std::move(first);
            line->is_in_table = true;
            first = line;
        }
        // Requires that the line is in this bucket.
        [[nodiscard]] arc<cached_line>* owner_of(const cached_line& line) noexcept {
            arc<cached_line>* at = &first;
            while (at->get() != &line) at = &(*at)->next;
            return at;
        }
        [[nodiscard]] arc<cached_line> unlink(const cached_line& line) noexcept {
            arc<cached_line>* const at = owner_of(line);
            arc<cached_line> taken = std::move(*at);
            *at = std::move(taken->next);
            taken->is_in_table = false;
            return taken;
        }
    };

    line_table(std::size_t lines, std::size_t line_size)
        : mask_(std::bit_ceil(lines * buckets_each(line_size)) - 1),
          buckets_(std::make_unique<bucket[]>(mask_ + 1)) {}

    [[nodiscard]] bucket& of(std::uint64_t hash) const noexcept { return buckets_[hash & mask_]; }

    template <class Function>
    void for_each_bucket(Function function) const {
        for (std::size_t i = 0; i <= mask_; ++i) {
            const std::lock_guard lock(buckets_[i].lock);
            function(buckets_[i]);
        }
    }

private:
    [[nodiscard]] static constexpr std::size_t buckets_each(std::size_t line_size) noexcept {
        return std::clamp<std::size_t>(line_size / (128 * sizeof(bucket)), 1, 8);
    }

    std::size_t mask_;
    std::unique_ptr<bucket[]> buckets_;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
