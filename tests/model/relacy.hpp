// SPDX-License-Identifier: BSL-1.0
// Relacy, without the macros that it puts in the place of keywords and standard names. Those which
// it makes of the names of functions stay: so all that is to be included is included here, before
// it.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/atomic/debts_slow.hpp>
#include <freehold/handle/atomic/one_word_place.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <new>
#include <ostream>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#pragma push_macro("assert")
#pragma push_macro("errno")
#include <relacy/relacy.hpp>
#pragma pop_macro("assert")
#pragma pop_macro("errno")

#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

namespace freehold::model {

inline rl::memory_order relacy_order(std::memory_order order) {
    switch (order) {
        case std::memory_order_relaxed:
            return rl::mo_relaxed;
        case std::memory_order_consume:
            return rl::mo_consume;
        case std::memory_order_acquire:
            return rl::mo_acquire;
        case std::memory_order_release:
            return rl::mo_release;
        case std::memory_order_acq_rel:
            return rl::mo_acq_rel;
        case std::memory_order_seq_cst:
            return rl::mo_seq_cst;
    }
    return rl::mo_seq_cst;
}

}  // namespace freehold::model
