// SPDX-License-Identifier: BSL-1.0
// The functions that fill a buffer of their caller, and how they report how much they filled.
#pragma once

#include "check/plugin/zeroing/values/facts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace freehold::check {

enum class filled {
    all,          ///< Always `size` bytes.
    by_result,    ///< As many units as the result.
    by_argument,  ///< On success, as many bytes as the number that the argument `count` points to.
    by_status,    ///< `size` bytes on success.
    by_stream,    ///< `size` characters if the stream is good; gcount() says how many.
    by_room,      ///< The decrease of the space that the struct `buffer` points to reports.
    by_parts,     ///< `size` parts, each an iovec; the result is the number of filled bytes.
    by_message,   ///< `buffer` points to a msghdr that has such parts.
    by_string,    ///< Characters and a terminator, on success; at most `size`.
    by_format,    ///< As by_string, but always; the result is the full length of the text.
    nothing,      ///< Neither fills nor reads the memory that the struct `buffer` points to.
};

/// For by_room, the members of the struct: the place of the next write, and the remaining space. If
/// there is a position, `next` is the beginning and `room` the whole size.
struct room_members {
    std::string_view next;
    std::string_view room;
    std::string_view position;
};

constexpr int no_argument = -1;

/// Arguments are counted from 0. The object of a member function is not counted.
struct filler {
    std::string name;                 ///< Qualified, but without inline namespaces.
    int buffer = 0;                   ///< The argument that points to the buffer.
    int size = 1;                     ///< Its size; no_argument: the rest of the object.
    int unit = no_argument;           ///< The argument that multiplies size and result.
    filled how = filled::all;         ///< How it reports what it filled.
    int count = no_argument;          ///< For by_argument: points to the number of bytes.
    success when = success::if_zero;  ///< For by_argument, by_status and by_string.
    room_members members = {};
};

const std::vector<filler>& known_fillers();

/// Reads the option FillFunctions: entries `name:buffer:size:how` separated by semicolons. `how` is
/// `all`, `result`, `zero`, `nonzero` or `notnegative`. If buffer, size and how are missing, they
/// are 0, 1 and `all`. An entry with an error is left out, and `problem` describes it.
std::vector<filler> parse_fillers(std::string_view option, std::string& problem);

}  // namespace freehold::check
