// SPDX-License-Identifier: BSL-1.0
// How many bytes each competitor takes: the handle's, the heap's, and the code's.
#include "competitors/all.hpp"
#include "probes/probe_file.hpp"
#include "suites/child.hpp"
#include "suites/heap_bytes.hpp"
#include "suites/suite.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace lab {
namespace {

constexpr std::size_t object_count = 100'000;

struct nothing {};

template <class Competitor, class T>
using base_of = std::conditional_t<std::is_same_v<typename Competitor::template base<T>, no_count>,
                                   nothing, typename Competitor::template base<T>>;

/// An object of `Size` bytes of its own; an intrusive competitor's count comes on top.
template <class Competitor, std::size_t Size>
struct sized : base_of<Competitor, sized<Competitor, Size>> {
    std::array<std::uint64_t, Size / sizeof(std::uint64_t)> content{};
};

template <class Competitor, std::size_t Size>
double bytes_beyond(process_kind kind) {
    using object = sized<Competitor, Size>;
    return measured_in_a_child(kind, [] {
        std::vector<typename Competitor::template handle<object>> handles;
        handles.reserve(object_count);
        map_no_blocks();
        const std::size_t before = heap_bytes();
        for (std::size_t i = 0; i < object_count; ++i) {
            handles.push_back(make_owned<Competitor, object>());
        }
        const std::size_t after = heap_bytes();
        const double each = static_cast<double>(after - before) / object_count;
        // To a tenth of a byte: the allocator may have had a few blocks at hand.
        return std::round(each * 10) / 10 - Size;
    });
}

/// The mean over four sizes, two of which glibc rounds up.
template <class Competitor>
double mean_bytes_beyond(process_kind kind) {
    return (bytes_beyond<Competitor, 16>(kind) + bytes_beyond<Competitor, 24>(kind) +
            bytes_beyond<Competitor, 32>(kind) + bytes_beyond<Competitor, 40>(kind)) /
           4;
}

struct operation {
    const char* name;
    const char* probe;
};
constexpr std::array<operation, 5> operations = {{{"ptr()", "probe_default_0"},
                                                  {"ptr(p)", "probe_acquire_0"},
                                                  {"ptr(ptr)", "probe_copy_0"},
                                                  {"op=", "probe_assign_0"},
                                                  {"~ptr()", "probe_destroy_0"}}};

void add_code_sizes(plan& cells, const std::string& competitor) {
    const disassembly one_type = disassemble_probe(competitor, probed_types::one);
    for (const auto& [name, probe] : operations) {
        const code_size size = one_type.measure(probe);
        const std::string test = name;
        const std::string mark(1, size.mark);
        cells.exact.push_back(
            {{competitor, test + " instructions", std::nullopt, "instructions", mark},
             static_cast<double>(size.instructions)});
        cells.exact.push_back({{competitor, test + " bytes", std::nullopt, "bytes", mark},
                               static_cast<double>(size.bytes)});
    }
    const disassembly nine_types = disassemble_probe(competitor, probed_types::nine);
    cells.exact.push_back({{competitor, "text per type", std::nullopt, "bytes"},
                           (nine_types.bytes() - one_type.bytes()) / 8.0});
}

}  // namespace

plan plan_footprint(const selection& chosen) {
    plan cells;
    std::vector<std::string> code_tests;
    for (const auto& [name, probe] : operations) {
        code_tests.insert(code_tests.end(),
                          {std::string(name) + " instructions", std::string(name) + " bytes"});
    }
    code_tests.push_back("text per type");
    std::vector<std::string> all_tests = {"handle", "beyond the object"};
    all_tests.insert(all_tests.end(), code_tests.begin(), code_tests.end());

    const std::string no_heap = why_no_heap_bytes();
    const std::string no_probes = why_no_probes();
    for_each_selected<all_competitors>(cells, chosen, all_tests, [&]<class Competitor>() {
        const std::string name = Competitor::name;
        using handle = typename Competitor::template handle<sized<Competitor, 16>>;
        cells.exact.push_back({{name, "handle", std::nullopt, "bytes"}, sizeof(handle)});
        if (no_heap.empty()) {
            cells.exact.push_back({{name, "beyond the object", std::nullopt, "bytes"},
                                   mean_bytes_beyond<Competitor>(chosen.process)});
        } else {
            cells.skipped.push_back({name, "beyond the object", no_heap});
        }
        if (no_probes.empty()) {
            add_code_sizes(cells, name);
        } else {
            for (const std::string& test : code_tests)
                cells.skipped.push_back({name, test, no_probes});
        }
    });
    return cells;
}

}  // namespace lab
