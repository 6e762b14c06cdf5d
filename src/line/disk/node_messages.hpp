// SPDX-License-Identifier: BSL-1.0
// What the processes that share a disk_tier's folder tell each other, over a local socket in the
// folder. The process that has the folder's lock is the owner; the others are its guests.
//
// Both sides send a node_hello first. Then the guest sends questions, and the owner answers each of
// them before the next. An answer says in which slot a line is; the guest reads the bytes from the
// file itself. Numbers are in the machine's byte order, because both sides are on one machine.
#pragma once

#include <freehold/config.hpp>
#include <freehold/version.hpp>

#include <cstdint>

namespace freehold::inline FREEHOLD_ABI::detail {

// Its layout is the same in all versions of Freehold.
struct node_hello {
    std::uint64_t magic = 0x65'64'6f'6e'65'65'72'66;  // "freenode" on the wire
    std::uint64_t version = FREEHOLD_VERSION;
    std::uint64_t line_size = 0;
};

enum class node_request : std::uint32_t {
    locate,  // answered by found or absent
    drop     // all lines of the object; answered by absent
};

// The object's name and its entity tag follow.
struct node_question {
    node_request request = node_request::locate;
    std::uint32_t object_length = 0;
    std::uint32_t tag_length = 0;
    std::uint32_t unused = 0;
    std::uint64_t number = 0;   // of the line in the object
    std::uint64_t end = 0;      // the guest will ask for the lines before this one next
    std::uint64_t damaged = 0;  // the sequence of a copy that the guest could not read, or 0
};

enum class node_reply : std::uint32_t {
    working,  // another answer follows
    found,    // the other members say where
    absent    // the guest must ask its source
};

struct node_answer {
    node_reply reply = node_reply::absent;
    std::uint32_t slot = 0;
    std::uint32_t content = 0;
    std::uint32_t unused = 0;
    std::uint64_t sequence = 0;
    std::uint64_t object_size = 0;
};

}  // namespace freehold::inline FREEHOLD_ABI::detail
