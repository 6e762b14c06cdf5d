// SPDX-License-Identifier: BSL-1.0
// What it is: the counts beside, or before, an object that a shared_ptr or arc owns.
//
//     managed block:   manage | counts | manager index = 0 | object, or a pointer to it
//     arc's block:              counts | manager index     | object
//
// A handle points to the counts, at offset 0. Only the last release needs the kind of the object:
// shared_ptr calls the block's manager, arc knows it by its type. An arc's block has no room for a
// manager. The first shared_ptr made from an arc writes the manager's number there (see
// manager_table.hpp), so that it needs no second block. Once written, the number never changes.
#pragma once

#include <freehold/count/reference_count.hpp>
#include <freehold/detail/atomics.hpp>
#include <freehold/detail/in_register.hpp>
#include <freehold/handle/detail/shared/manager_table.hpp>
#include <freehold/handle/detail/shared/type_identity.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

enum class task {
    destroy,           // end the object's life
    free,              // give the memory back; the object is gone
    destroy_and_free,  // both
    find_deleter       // answer where the deleter of the given type is, or null
};

[[nodiscard, gnu::always_inline]] constexpr bool destroys(task what) noexcept {
    return what == task::destroy || what == task::destroy_and_free;
}
[[nodiscard, gnu::always_inline]] constexpr bool frees(task what) noexcept {
    return what == task::free || what == task::destroy_and_free;
}

template <class Count>
class control_block;

// Does a task for one kind of block, to which it casts by reference: of a pointer, a compiler would
// ask whether it is null. Destructors and deleters must not throw.
template <class Count>
using manager = void* (*)(control_block<Count>*, task, const type_identity*) noexcept;

// The type that a count gets for its object: none, unless counts of different types begin
// differently. Without a type, the constructing code is compiled once, and not for each type.
template <bool BeginsAlike>
struct told_of {
    template <class T>
    using type = std::in_place_type_t<void>;
};
template <>
struct told_of<false> {
    template <class T>
    using type = std::in_place_type_t<T>;
};

template <class Count>
class control_block : public Count::with_weak {
    static_assert(weakable_reference_count<Count>,
                  "the count of a shared_ptr or arc must be a weakable_reference_count: "
                  "local_count, atomic_count, biased_count or one like them");
    using counts = typename Count::with_weak;

public:
    template <class T>
    using told = typename told_of<requires { counts::as_new; }>::template type<T>;

    template <class T>
    explicit control_block(std::in_place_type_t<T> owned) noexcept : counts(owned) {
#if defined(__OPTIMIZE__)  // or it would be one store more
        if constexpr (requires { counts::as_new; } && sizeof(control_block) == sizeof(two_words)) {
            write_at_once();
        }
#endif
    }

    // Gives up an owner, and then destroys and frees if necessary. It is inlined by force only
    // where it replaces a value. In each destructor, it would make the functions of a container too
    // long to be inlined themselves.
    void release() noexcept { release_inlined(); }
    [[FREEHOLD_INLINED]] void release_inlined() noexcept {
        const auto seen = this->depart();
        if (!this->leaves_owners(seen)) finish(seen);
    }

    void release_weak() noexcept {
        if (this->decrement_weak()) manage(task::free);
    }

    void* manage(task what, const type_identity* type = nullptr) noexcept;

    // The manager's index, or 0 if the manager is before this block.
    [[nodiscard, gnu::always_inline]] std::uint16_t manager_index() const noexcept {
        // relaxed: written before the shared_ptr that asks was made, or not at all.
        return manager_index_.load(std::memory_order_relaxed);
    }
    void set_manager_index(std::uint16_t index) noexcept {
        // relaxed: as above; threads that write at the same time write the same.
        manager_index_.store(index, std::memory_order_relaxed);
    }

private:
    // Writes what the members begin as by one store, for which compilers leave out theirs. A
    // processor gives its cache one store a cycle, and to make and drop an object is eight or nine.
    [[FREEHOLD_INLINED]] void write_at_once() noexcept {
        const two_words words = in_register(two_words{counts::as_new.first, counts::as_new.second});
        std::memcpy(static_cast<void*>(this), &words, sizeof words);
    }

    [[gnu::noinline]] void finish(typename counts::departure seen) noexcept {
        if (this->rests_alone(seen)) {
            manage(task::destroy_and_free);
        } else {
            finish_beside_others(this->settle(seen));
        }
    }
    [[gnu::noinline]] void finish_beside_others(remaining left) noexcept {
        if (left == remaining::owners) return;
        if (left == remaining::nothing) {
            manage(task::destroy_and_free);
            return;
        }
        if (left == remaining::weak_references) {
            manage(task::destroy);
            if (!this->decrement_weak()) return;
        }
        manage(task::free);
    }

    std::atomic<std::uint16_t> manager_index_{0};
};

template <class Count>
struct manager_prefix {
    manager<Count> manage;
};

template <class Count>
class managed_block : public manager_prefix<Count>, public control_block<Count> {
public:
    template <class T>
    managed_block(manager<Count> chosen, std::in_place_type_t<T> owned) noexcept
        : manager_prefix<Count>{chosen}, control_block<Count>(owned) {}
};

template <class Count>
void* control_block<Count>::manage(task what, const type_identity* type) noexcept {
    const std::uint16_t index = manager_index();
    if (index != 0) [[unlikely]]
        return manager_table::at<manager<Count>>(index)(this, what, type);
    auto& managed = static_cast<managed_block<Count>&>(*this);
    return managed.manager_prefix<Count>::manage(this, what, type);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
