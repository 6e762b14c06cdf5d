// SPDX-License-Identifier: BSL-1.0
// What all parts of the library use: the end of a misused program, and the waiting for a lock.
#include <freehold/count/detail/weak_word_inl.hpp>
#include <freehold/detail/spin_lock_inl.hpp>
#include <freehold/detail/terminate_inl.hpp>

#include "core.hpp"
