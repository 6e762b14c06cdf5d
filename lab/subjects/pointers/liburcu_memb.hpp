// SPDX-License-Identifier: BSL-1.0
// liburcu with readers without fences and writers that call membarrier(2).
#pragma once

#include "subjects/liburcu.hpp"

#ifdef FREEHOLD_LAB_HAS_URCU
#define _LGPL_SOURCE  // inlines its functions, which compatible licences allow
#include <urcu/urcu-memb.h>
#endif

namespace lab::pointers {

struct liburcu_memb : pointer_subject {
    static constexpr identity is = {
        .name = "liburcu, memb", .family = family::other, .order = 30, .from = &liburcu_library};

#ifdef FREEHOLD_LAB_HAS_URCU
    static void read_lock() noexcept { urcu_memb_read_lock(); }
    static void read_unlock() noexcept { urcu_memb_read_unlock(); }
    static void synchronize() noexcept { urcu_memb_synchronize_rcu(); }

    template <class T>
    using pointer = liburcu_pointer<T, liburcu_memb>;

    struct thread : pointer_subject::thread {
        thread() { urcu_memb_register_thread(); }
        ~thread() { urcu_memb_unregister_thread(); }
        thread(const thread&) = delete;
        thread& operator=(const thread&) = delete;
    };
#endif
};

}  // namespace lab::pointers
