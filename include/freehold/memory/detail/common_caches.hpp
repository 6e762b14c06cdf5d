// SPDX-License-Identifier: BSL-1.0
// The caches of common pools that a thread has. Their pools are never destroyed. An exiting thread
// closes its caches.
//
// Visible even if a shared library hides its symbols: a thread must have only one list.
#pragma once

#include <freehold/config.hpp>
#include <freehold/memory/detail/common_cache.hpp>
#include <freehold/memory/detail/common_sources.hpp>

#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class [[gnu::visibility("default")]] common_caches_of_this_thread {
public:
    // Returns nullptr if memory is exhausted or the thread is exiting.
    [[nodiscard]] static opened_cache* open(common_cache & cache, common_source & source) noexcept {
        source.caches.enrol_beside_threads();
        return cache.whole != nullptr ? cache.whole : open_first(cache, source);
    }

    // Returns the blocks of all caches to their depots.
    static void give_back() noexcept {
        for (opened_cache* each = first_; each != nullptr; each = each->next_of_thread) {
            each->source->caches.enrol_beside_threads();
            each->take_blocks();
            each->give_back();
            each->give_blocks();
        }
    }

private:
    [[nodiscard, gnu::noinline, gnu::cold]] static opened_cache* open_first(
        common_cache & cache, common_source & source) noexcept {
        if (exited_) return nullptr;
        opened_cache* const whole = source.make_cache();
        if (whole == nullptr) return nullptr;
        if (!whole->open(source.shared)) {
            source.drop_cache(whole);
            return nullptr;
        }
        whole->fast = &cache;
        whole->source = &source;
        whole->give_blocks();
        whole->next_of_thread = std::exchange(first_, whole);
        cache.whole = whole;
        [[maybe_unused]] static thread_local exit_hook hook;
        return whole;
    }

    struct exit_hook {
        [[gnu::cold]] ~exit_hook() {
            exited_ = true;
            while (first_ != nullptr) {
                opened_cache* const gone = std::exchange(first_, first_->next_of_thread);
                gone->source->caches.enrol_beside_threads();
                gone->take_blocks();
                gone->close();
                gone->give_blocks();
                gone->fast->whole = nullptr;
                gone->source->drop_cache(gone);
            }
        }
    };

    static inline constinit thread_local opened_cache* first_ = nullptr;
    static inline constinit thread_local bool exited_ = false;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
