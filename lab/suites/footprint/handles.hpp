// SPDX-License-Identifier: BSL-1.0
// How many bytes the handle, the heap and the code of each subject take.
#pragma once

#include "runner/child.hpp"
#include "runner/registry.hpp"
#include "subjects/handle.hpp"
#include "suites/common/heap_bytes.hpp"
#include "suites/footprint/code_sizes.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lab::footprint {

constexpr std::size_t object_count = 100'000;

struct nothing {};

template <class Subject, class T>
using base_of = std::conditional_t<std::is_same_v<typename Subject::template base<T>, no_count>,
                                   nothing, typename Subject::template base<T>>;

/// An object with `Size` bytes of data. The count of an intrusive subject is added to them.
template <class Subject, std::size_t Size>
struct sized : base_of<Subject, sized<Subject, Size>> {
    std::array<std::uint64_t, Size / sizeof(std::uint64_t)> content{};
};

template <class Subject, std::size_t Size>
double bytes_beyond(process_kind kind) {
    using object = sized<Subject, Size>;
    return measured_in_a_child(kind, [] {
        std::vector<typename Subject::template handle<object>> handles;
        handles.reserve(object_count);
        map_no_blocks();
        const std::size_t before = heap_bytes();
        for (std::size_t i = 0; i < object_count; ++i) {
            handles.push_back(make_owned<Subject, object>());
        }
        const std::size_t after = heap_bytes();
        const double each = static_cast<double>(after - before) / object_count;
        // Rounded to a tenth of a byte: the allocator may already have had a few free blocks.
        return std::round(each * 10) / 10 - Size;
    });
}

/// The mean over four sizes, two of which glibc rounds up.
template <class Subject>
double mean_bytes_beyond(process_kind kind) {
    return (bytes_beyond<Subject, 16>(kind) + bytes_beyond<Subject, 24>(kind) +
            bytes_beyond<Subject, 32>(kind) + bytes_beyond<Subject, 40>(kind)) /
           4;
}

struct suite : one_subject {
    static constexpr std::array<std::string_view, 13> cases = {"handle",
                                                               "beyond_the_object",
                                                               "default_construct.instructions",
                                                               "default_construct.bytes",
                                                               "acquire.instructions",
                                                               "acquire.bytes",
                                                               "copy.instructions",
                                                               "copy.bytes",
                                                               "assign.instructions",
                                                               "assign.bytes",
                                                               "destroy.instructions",
                                                               "destroy.bytes",
                                                               "text_per_type"};

    template <class Subject>
    static void add(plan& cells, const selection& chosen) {
        const std::string key = key_of(Subject::is.name);
        using handle = typename Subject::template handle<sized<Subject, 16>>;
        cells.exact.push_back({{key, "handle"}, sizeof(handle)});
        if (const std::string why = why_no_heap_bytes(); why.empty()) {
            cells.exact.push_back(
                {{key, "beyond_the_object"}, mean_bytes_beyond<Subject>(chosen.process)});
        } else {
            cells.skipped.push_back({key, "beyond_the_object", why});
        }
        add_code_sizes(cells, Subject::is);
    }
};

}  // namespace lab::footprint
