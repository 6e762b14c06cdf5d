// SPDX-License-Identifier: BSL-1.0
// What it is: the cyclic objects of one thread: their memory, their destruction, and their
// collector.
#pragma once

#include <freehold/handle/detail/cyclic/collector.hpp>
#include <freehold/handle/detail/cyclic/node.hpp>
#include <freehold/handle/detail/cyclic/storage.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

class cycle_heap;

// Not destroyed at thread exit, so handles in statics and thread_locals may outlive the thread's
// own clean-up.
inline constinit thread_local cycle_heap* current_cycle_heap = nullptr;

class cycle_heap {
public:
    // Returns the calling thread's heap, and makes it at the first use. Throws std::bad_alloc.
    [[nodiscard]] static cycle_heap& current() {
        if (!current_cycle_heap) [[unlikely]]
            make_current();
        return *current_cycle_heap;
    }

    cycle_heap(const cycle_heap&) = delete;
    cycle_heap& operator=(const cycle_heap&) = delete;

    // Returns memory for a node and its object. Runs a slice of a collection first if one is due.
    // Throws std::bad_alloc.
    [[nodiscard]] void* allocate(const cyclic_type& type) {
        if (collector_.is_due()) [[unlikely]]
            collect_when_due();
        void* const memory = storage_.allocate(type.slot_class, type.size, type.alignment);
        ++objects_;
        return memory;
    }

    // Takes back memory in which no object was constructed.
    void deallocate(void* memory, const cyclic_type& type) noexcept {
        --objects_;
        storage_.deallocate(memory, type.slot_class, type.size, type.alignment);
    }

    void report(cyclic_node& n) noexcept { collector_.report(n); }

    // Destroys an object whose last owner was released. If its destructor releases the last owner
    // of another object, that object is destroyed afterwards. A chain of any length therefore takes
    // constant stack, and no destructor runs within another.
    void bury(cyclic_node& n) noexcept {
        n.set(cyclic_node::dead);
        collector_.forget(n);
        n.owners = reinterpret_cast<std::uintptr_t>(pending_);
        pending_ = &n;
        if (busy_) return;
        busy_ = true;
        end_pending();
        busy_ = false;
        if (is_over()) [[unlikely]]
            finish();
    }

    void drop_weak(cyclic_node& n) noexcept {
        if (!n.drop_share()) return;
        --zombies_;
        free(n);
        if (is_over()) [[unlikely]]
            finish();
    }

    std::size_t collect_all() noexcept {
        return exclusively([&] { return collector_.collect_all(); });
    }
    std::size_t collect_slice(std::size_t budget) noexcept {
        return exclusively([&] { return collector_.collect_slice(budget, budget); });
    }
    void set_automatic(bool enabled) noexcept { automatic_ = enabled; }

    [[nodiscard]] std::size_t objects() const noexcept { return objects_; }
    [[nodiscard]] const cycle_collector<cycle_heap>& collector() const noexcept {
        return collector_;
    }

    // The collector calls this for a dead object. Runs its destructor and frees its node.
    void end(cyclic_node& n) noexcept {
        n.type->destroy(&n);
        --objects_;
        if (n.drop_share()) {
            free(n);
        } else {
            ++zombies_;
        }
    }

    void end_pending() noexcept {
        while (pending_) {
            cyclic_node& n = *pending_;
            pending_ = reinterpret_cast<cyclic_node*>(n.owners);
            end(n);
        }
    }

private:
    cycle_heap() = default;
    ~cycle_heap() = default;

    struct at_thread_exit {
        ~at_thread_exit() {
            thread_is_ending = true;
            if (!current_cycle_heap) return;
            current_cycle_heap->collect_all();
            if (current_cycle_heap->is_over()) finish();
        }
    };
    static inline constinit thread_local bool thread_is_ending = false;

    [[gnu::noinline, gnu::cold]] static void make_current() {
        static thread_local at_thread_exit clean_up;
        static_cast<void>(clean_up);
        current_cycle_heap = new cycle_heap;
    }

    // When a thread ends, its heap is kept as long as it has objects.
    [[nodiscard]] bool is_over() const noexcept {
        return objects_ + zombies_ == 0 && thread_is_ending && !busy_;
    }
    [[gnu::noinline, gnu::cold]] static void finish() noexcept {
        delete std::exchange(current_cycle_heap, nullptr);
    }

    // If a destructor starts a collection, that collection does nothing: the one that runs the
    // destructor continues.
    template <class F>
    std::size_t exclusively(F collect) noexcept {
        if (busy_) return 0;
        busy_ = true;
        const std::size_t ended = collect();
        busy_ = false;
        return ended;
    }

    void free(cyclic_node& n) noexcept {
        const cyclic_type& type = *n.type;
        storage_.deallocate(&n, type.slot_class, type.size, type.alignment);
    }

    [[gnu::noinline, gnu::cold]] void collect_when_due() noexcept {
        if (!automatic_ || busy_) return;
        busy_ = true;
        collector_.collect_slice_when_due();
        busy_ = false;
    }

    slot_storage storage_;
    cycle_collector<cycle_heap> collector_{*this};
    cyclic_node* pending_ = nullptr;  // dead, their destructors still to run; linked by `owners`
    std::size_t objects_ = 0;         // alive
    std::size_t zombies_ = 0;         // dead, but named by weak handles
    bool busy_ = false;               // destructors or a collection are running
    bool automatic_ = true;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
