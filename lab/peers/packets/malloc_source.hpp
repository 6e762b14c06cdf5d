// SPDX-License-Identifier: BSL-1.0
// What a library that replaces malloc makes of packets.
#pragma once

#include "peers/host.hpp"
#include "peers/malloc_file.hpp"
#include "peers/packets/cells.hpp"
#include "suites/packets/source.hpp"
#include "suites/packets/sources/glibc.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace lab::packets {

template <std::size_t Bytes>
using malloc_source = one_by_one<blocks_by<malloc_and_free<Bytes>>>;

/// The peer of a library that is called `competitor`, as the name of its file says too.
inline hosted_peer malloc_peer(const char* competitor, std::string version) {
    hosted_peer peer{cells_of<malloc_source>(competitor), {{competitor, std::move(version)}}};
    peer.missing = why_not_its_malloc(competitor);
    return peer;
}

}  // namespace lab::packets
