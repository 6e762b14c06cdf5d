// SPDX-License-Identifier: BSL-1.0
// The compiled core: all that the headers define themselves where they are used alone.
#include <freehold/count/back_off_inl.hpp>
#include <freehold/count/bias_platform_inl.hpp>
#include <freehold/count/weak_word_inl.hpp>
#include <freehold/handle/atomic/debt_platform_inl.hpp>
#include <freehold/handle/shared/manager_table_inl.hpp>
#include <freehold/memory/common_pool_inl.hpp>
#include <freehold/memory/pool/thread_cache_inl.hpp>
#include <freehold/memory/spin_lock_inl.hpp>
#include <freehold/terminate_inl.hpp>

#if FREEHOLD_HEADER_ONLY
#error "the core is compiled with FREEHOLD_HEADER_ONLY=0"
#endif
