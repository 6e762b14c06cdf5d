// SPDX-License-Identifier: BSL-1.0
// liburcu with readers that only report at intervals that they hold no object.
#pragma once

#include "subjects/liburcu.hpp"

#ifdef FREEHOLD_LAB_HAS_URCU
#define _LGPL_SOURCE  // inlines its functions, which compatible licences allow
#include <urcu/urcu-qsbr.h>
#endif

namespace lab::pointers {

struct liburcu_qsbr : pointer_subject {
    static constexpr identity is = {
        .name = "liburcu, qsbr", .family = family::other, .order = 31, .from = &liburcu_library};

#ifdef FREEHOLD_LAB_HAS_URCU
    static void read_lock() noexcept { urcu_qsbr_read_lock(); }
    static void read_unlock() noexcept { urcu_qsbr_read_unlock(); }
    static void synchronize() noexcept { urcu_qsbr_synchronize_rcu(); }

    template <class T>
    using pointer = liburcu_pointer<T, liburcu_qsbr>;

    /// A thread is offline while it waits for other threads, because they may be waiting for it.
    struct thread {
        thread() {
            urcu_qsbr_register_thread();
            urcu_qsbr_thread_offline();
        }
        ~thread() { urcu_qsbr_unregister_thread(); }
        thread(const thread&) = delete;
        thread& operator=(const thread&) = delete;

        void begin() noexcept { urcu_qsbr_thread_online(); }
        void pause() noexcept { urcu_qsbr_quiescent_state(); }
        void end() noexcept { urcu_qsbr_thread_offline(); }
    };
#endif
};

}  // namespace lab::pointers
