// SPDX-License-Identifier: BSL-1.0
// The functions that fill a buffer of their caller's, and how they tell how much of it they filled.
#pragma once

#include "facts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace freehold::check {

enum class filled {
    all,          ///< Always `size` bytes.
    by_result,    ///< As many units as the result says.
    by_argument,  ///< As many bytes as the argument `count` points to says, on success.
    by_status,    ///< `size` bytes on success.
    by_stream,    ///< `size` characters if the stream is good; gcount() says how many.
    by_room,      ///< What the struct `buffer` points to says that it had, less what it has then.
    by_parts,     ///< `size` parts, each an iovec; as many bytes in all as the result says.
    by_message,   ///< `buffer` points to a msghdr, which has such parts.
    by_string,    ///< Characters and a terminator, on success; no more than `size`.
    by_format,    ///< So too, always; the result is the number of characters that are wanted.
    nothing,      ///< It neither fills nor reads what the struct `buffer` points to.
};

/// For by_room, the members of the struct: where to write next, and how much room there is. If
/// there is a position, `next` is the beginning and `room` the size of all.
struct room_members {
    std::string_view next;
    std::string_view room;
    std::string_view position;
};

constexpr int no_argument = -1;

/// Arguments are counted from 0, without the object of a member function.
struct filler {
    std::string name;          ///< Qualified, without inline namespaces.
    int buffer = 0;            ///< The argument that points to the buffer.
    int size = 1;              ///< Its size; if there is none, all that follows in the object.
    int unit = no_argument;    ///< What size and result are multiplied by.
    filled how = filled::all;  ///< How it tells what it filled.
    int count = no_argument;   ///< For by_argument: points to the number of bytes.
    success when = success::if_zero;  ///< For by_argument, by_status, by_string: what it tells.
    room_members members = {};
};

const std::vector<filler>& known_fillers();

/// Reads the option FillFunctions: entries `name:buffer:size:how` separated by semicolons, where
/// `how` is `all`, `result`, `zero`, `nonzero` or `notnegative`; buffer, size and how may be left
/// out, and are then 0, 1 and `all`. On an error, fills in `problem` and leaves the entry out.
std::vector<filler> parse_fillers(std::string_view option, std::string& problem);

}  // namespace freehold::check
