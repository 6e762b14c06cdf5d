// SPDX-License-Identifier: BSL-1.0
// What it is: the counts beside, or before, an object that a shared_ptr or arc owns.
//
//     managed block:   manage | counts | manager index = 0 | object, or a pointer to it
//     arc's block:              counts | manager index     | object
//
// A handle points to the counts, at offset 0. Only the last release needs the kind of the object.
// shared_ptr calls the block's manager; arc knows the kind from its own type. An arc's block has no
// room for a pointer to a manager. The first shared_ptr made from an arc writes the manager's index
// there instead (see manager_table.hpp), and so needs no second block. Once written, the index
// never changes.
#pragma once

#include <freehold/count/reference_count.hpp>
#include <freehold/detail/in_register.hpp>
#include <freehold/detail/relaxed.hpp>
#include <freehold/handle/detail/shared/manager_table.hpp>
#include <freehold/handle/detail/shared/type_identity.hpp>

#include <cstdint>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

enum class task : unsigned {
    find_deleter = 0,     // answer where the deleter of the given type is, or null
    destroy = 1,          // end the object's life
    free = 2,             // give the memory back; the object is gone
    destroy_and_free = 3  // both
};

[[nodiscard, gnu::always_inline]] constexpr bool destroys(task what) noexcept {
    return (static_cast<unsigned>(what) & 1) != 0;
}
[[nodiscard, gnu::always_inline]] constexpr bool frees(task what) noexcept {
    return (static_cast<unsigned>(what) & 2) != 0;
}

template <class Count>
class control_block;

// Does a task for one kind of block. It casts the block to its kind as a reference, because
// compilers test a pointer for null before they cast it. Destructors and deleters must not throw.
// Only the result of find_deleter means something.
template <class Count>
using manager = void* (*)(control_block<Count>*, task, const type_identity*) noexcept;

// The type that the constructor of a count gets for its object. It is void, unless the counts of
// different types have different initial values. With void, the constructing code is compiled once,
// and not for each type.
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
    static_assert(
        requires { sizeof(Count); },
        "include the header of the handle's count, for example "
        "freehold/count/biased_count.hpp");
    static_assert(weakable_reference_count<Count>,
                  "the count of a shared_ptr or arc must be a weakable_reference_count: "
                  "local_count, atomic_count, biased_count or one like them");
    using counts = typename Count::with_weak;

public:
    static constexpr bool is_thread_safe = Count::is_thread_safe;

    template <class T>
    using told = typename told_of<requires { counts::as_new; }>::template type<T>;

    template <class T>
    explicit control_block(std::in_place_type_t<T> owned) noexcept : counts(owned) {
#if defined(__OPTIMIZE__)  // otherwise it would be one more store
        if constexpr (requires { counts::as_new; } && sizeof(control_block) == sizeof(two_words)) {
            write_at_once();
        }
#endif
    }

    // Gives up an owner, and then destroys and frees if necessary. Only the copy assignment inlines
    // it by force. In each destructor, it would make the functions of a container too long to be
    // inlined themselves.
    void release() noexcept { release_inlined(); }
    [[FREEHOLD_INLINED]] void release_inlined() noexcept {
        const auto seen = this->depart();
        if (!this->leaves_owners(seen)) finish(seen);
    }

    void release_weak() noexcept {
        if (this->decrement_weak()) free_memory();
    }
    void free_memory() noexcept { manage(task::free); }

    void* manage(task what, const type_identity* type = nullptr) noexcept;

    // Whether the manager's task is destroy and not destroy_and_free. A manager that has destroyed
    // the object reads it here, and need not remember the task meanwhile.
    [[nodiscard, gnu::always_inline]] bool keeps_memory() const noexcept {
        return manager_index_.value == memory_stays;
    }

    // The manager's index, or 0 if the manager is before this block.
    [[nodiscard, gnu::always_inline]] std::uint16_t manager_index() const noexcept {
        // relaxed: the index was written before the asking shared_ptr was made, or not at all.
        return __atomic_load_n(&manager_index_.value, __ATOMIC_RELAXED);
    }
    [[gnu::always_inline]] void set_manager_index(std::uint16_t index) noexcept {
        // relaxed: as above. Threads that write at the same time write the same value.
        __atomic_store_n(&manager_index_.value, index, __ATOMIC_RELAXED);
    }

private:
    // Writes the members' initial values with one store; compilers then leave out the members' own
    // stores. A processor writes one store to its cache for each cycle, and making and dropping an
    // object takes eight or nine stores.
    [[FREEHOLD_INLINED]] void write_at_once() noexcept {
        const two_words words = in_register(two_words{counts::as_new.first, counts::as_new.second});
        __builtin_memcpy(static_cast<void*>(this), &words, sizeof words);
    }

    [[gnu::noinline]] void finish(typename counts::departure seen) noexcept {
        if (!this->rests_alone(seen)) return finish_beside_others(seen);
        // As manage(), inlined. No other thread uses the block, so that the load may be plain.
        if (manager_index_.value != 0) [[unlikely]] {
            manage_by_table(task::destroy_and_free, nullptr);
        } else {
            manage_by_prefix(task::destroy_and_free, nullptr);
        }
    }
    [[gnu::noinline]] void finish_beside_others(typename counts::departure seen) noexcept {
        const remaining left = this->settle(seen);
        if (left == remaining::owners) return;
        if (left == remaining::nothing) {
            manage(task::destroy_and_free);
            return;
        }
        if (left == remaining::weak_references) {
            destroy();
            if (!this->decrement_weak()) return;
        }
        manage(task::free);
    }
    // The caller's common weak reference keeps the memory.
    void destroy() noexcept {
        if (manager_index() != 0) {
            manage(task::destroy);
        } else {
            set_manager_index(memory_stays);
            manage_by_prefix(task::destroy, nullptr);
            set_manager_index(0);
        }
    }
    [[gnu::always_inline]] inline void* manage_by_prefix(task what,
                                                         const type_identity* type) noexcept;
    [[gnu::noinline, gnu::cold]] void* manage_by_table(task what,
                                                       const type_identity* type) noexcept;

    // In place of index 0, while the task destroy is done. No other thread asks for the manager
    // meanwhile.
    static constexpr std::uint16_t memory_stays = UINT16_MAX;

    relaxed<std::uint16_t> manager_index_{0};  // its functions would not be inlined without -O
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
    if (manager_index() != 0) [[unlikely]]
        return manage_by_table(what, type);
    return manage_by_prefix(what, type);
}

template <class Count>
void* control_block<Count>::manage_by_prefix(task what, const type_identity* type) noexcept {
    auto& managed = static_cast<managed_block<Count>&>(*this);
    return managed.manager_prefix<Count>::manage(this, what, type);
}

template <class Count>
void* control_block<Count>::manage_by_table(task what, const type_identity* type) noexcept {
    return manager_table::at<manager<Count>>(manager_index())(this, what, type);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
