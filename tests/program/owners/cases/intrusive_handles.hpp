// SPDX-License-Identifier: BSL-1.0
// A handle and a base for objects that count their own owners: Freehold's, or Boost's with BOOST.
#pragma once

#ifdef BOOST
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
template <class T>
using intrusive = boost::intrusive_ptr<T>;
template <class T>
using base = boost::intrusive_ref_counter<T>;
#else
#include <freehold/handle/intrusive_base.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
template <class T>
using intrusive = freehold::intrusive_ptr<T>;
template <class T>
using base = freehold::intrusive_base<T, freehold::atomic_count>;
#endif
