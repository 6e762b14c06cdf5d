// SPDX-License-Identifier: BSL-1.0
// The pools of .NET, Go, Jetty, Netty and jemalloc, reimplemented as policies of buffer_cache: the
// lab and `freehold advise` compare Freehold's policies with them.
#pragma once

#include "reimplemented/bytebufferpool.hpp"
#include "reimplemented/dotnet_array_pool.hpp"
#include "reimplemented/jemalloc_tcache.hpp"
#include "reimplemented/jetty.hpp"
#include "reimplemented/netty.hpp"
