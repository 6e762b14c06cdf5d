// SPDX-License-Identifier: BSL-1.0
// The compiled core: all that the headers define themselves where they are used alone.
#include <freehold/detail/back_off_inl.hpp>
#include <freehold/count/detail/bias_platform_inl.hpp>
#include <freehold/count/detail/weak_word_inl.hpp>
#include <freehold/handle/detail/atomic/debt_platform_inl.hpp>
#include <freehold/handle/detail/shared/manager_table_inl.hpp>
#include <freehold/memory/detail/common_pool_inl.hpp>
#include <freehold/memory/detail/thread_cache_inl.hpp>
#include <freehold/detail/spin_lock_inl.hpp>
#include <freehold/detail/terminate_inl.hpp>

#if FREEHOLD_HEADER_ONLY
#error "the core is compiled with FREEHOLD_HEADER_ONLY=0"
#endif
