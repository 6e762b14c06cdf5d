// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"

#if __has_include(<boost/smart_ptr/shared_ptr.hpp>)
#define LAB_HAS_BOOST 1
#include <boost/smart_ptr/detail/quick_allocator.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <boost/smart_ptr/local_shared_ptr.hpp>
#include <boost/smart_ptr/make_local_shared.hpp>
#include <boost/smart_ptr/make_shared_object.hpp>
#include <boost/smart_ptr/shared_ptr.hpp>
#include <boost/smart_ptr/weak_ptr.hpp>
#include <boost/version.hpp>
#else
#define LAB_HAS_BOOST 0
#endif

namespace lab {

#if LAB_HAS_BOOST
inline constexpr origin boost_headers = {"Boost", LAB_BOOST_VERSION, ""};
#else
inline constexpr origin boost_headers = {"Boost", "",
                                         "install Boost's headers (Debian: libboost-dev)"};
#endif

}  // namespace lab
