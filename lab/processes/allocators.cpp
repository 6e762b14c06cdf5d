// SPDX-License-Identifier: BSL-1.0
// The kernels of `packets`, `zeroing` and `buffers` with the malloc of another library. The library
// is preloaded into this process with its default settings:
//
//     LD_PRELOAD=libmimalloc.so allocators NAME ORDER [MISSING] --process threaded
//
// NAME is the subject's display name and part of the name of the library's file. ORDER is its place
// among the allocators. MISSING is the reason why the library is not measured.
#include "processes/host.hpp"
#include "processes/packets_cells.hpp"
#include "runner/child.hpp"
#include "subjects/blocks/glibc.hpp"
#include "suites/buffers/times.hpp"
#include "suites/zeroing/filling.hpp"
#include "suites/zeroing/heap_ways.hpp"

#include <algorithm>
#include <stdexcept>

#include <dlfcn.h>

namespace lab {
namespace {

template <class Function>
Function* find_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Returns the path of the library whose malloc this process calls.
std::string file_of_malloc() {
    Dl_info found{};
    void* const called = dlsym(RTLD_DEFAULT, "malloc");
    if (called == nullptr || dladdr(called, &found) == 0 || found.dli_fname == nullptr) return "";
    return found.dli_fname;
}

std::string why_not_its_malloc(const std::string& name) {
    const std::string file = file_of_malloc();
    if (file.find(name, file.rfind('/') + 1) != std::string::npos) return "";
    return "malloc is that of " + file + " in this process, not that of " + name;
}

/// Returns the version that the loaded library's own function reports.
std::string version_of_malloc() {
    if (auto* const mimalloc = find_function<int()>("mi_version")) {
        const int number = mimalloc();  // 209 is 2.0.9, and 30302 is 3.3.2
        const int unit = number < 10000 ? 10 : 100;
        return std::to_string(number / (unit * unit)) + "." + std::to_string(number / unit % unit) +
               "." + std::to_string(number % unit);
    }
    if (auto* const tcmalloc = find_function<const char*(int*, int*, const char**)>("tc_version")) {
        return tcmalloc(nullptr, nullptr, nullptr);
    }
    if (auto* const jemalloc =
            find_function<int(const char*, void*, std::size_t*, void*, std::size_t)>("mallctl")) {
        const char* version = "unknown";
        std::size_t size = sizeof version;
        jemalloc("version", &version, &size, nullptr, 0);
        const std::string text = version;  // such as 5.3.0-0-g54eaed1d8b56
        return text.substr(0, text.find('-'));
    }
    return "";
}

void add_buffers(hosted_process& to, const std::string& subject) {
    using namespace buffers;
    const auto add = [&](const char* case_key, std::int64_t size,
                         void (*kernel)(kernel_state&, std::size_t)) {
        to.cells.push_back({"buffers", subject, case_key, each_of_them,
                            seconds_of([kernel, size](kernel_state& state) {
                                kernel(state, static_cast<std::size_t>(size));
                            }),
                            size});
    };
    for (const std::int64_t size : sizes_on_one_thread) {
        add(get_and_put_case, size, get_and_put<by_malloc>);
    }
    for (const std::int64_t size : sizes_across_threads) {
        add(across_threads_case, size, returned_across_threads<by_malloc>);
    }
}

/// The lines come from std::make_shared_for_overwrite or, if the standard library lacks it, from
/// std::make_shared of a class whose constructor does nothing. An iteration is one MiB of lines.
/// The process makes at least two lines.
void add_lines(hosted_process& to, const std::string& subject, const lines::filler_kind& filled_by,
               lines::keeping how) {
    using namespace lines;
    using made = std::conditional_t<installed<by_make_shared_for_overwrite>,
                                    by_make_shared_for_overwrite, by_make_shared_with_constructor>;
    std::vector<std::string> cases;
    for (const char* const each : cost_suffixes) cases.push_back(case_of(filled_by, how) + each);
    const auto measure = [filled_by, how](std::int64_t mebibytes) {
        const std::size_t lines =
            std::max<std::size_t>((static_cast<std::size_t>(mebibytes) << 20) / line_bytes, 2);
        return all_measured_in_a_child(process_kind::threaded, [&] {
            return fill_lines<made>(filled_by, how, lines).per_gibibyte(lines);
        });
    };
    to.joint_cells.push_back({"zeroing", subject, std::move(cases), measure});
}

hosted_process start(process_kind kind, const std::vector<std::string>& words) {
    if (words.size() < 2) throw std::runtime_error("call it with a subject's name and its place");
    const identity is = {
        .name = words[0], .family = family::allocator, .order = std::stoi(words[1])};
    const bool absent = words.size() > 2;
    hosted_process process;
    process.subjects = packets::with_handles(is, absent ? "" : version_of_malloc(),
                                             absent ? words[2] : why_not_its_malloc(words[0]));
    if (kind == process_kind::single) return process;  // the suites need a second thread
    const std::string& key = process.subjects.front().key;
    process.cells = packets::cells_of<blocks::glibc::source>(process.subjects);
    add_buffers(process, key);
    for (const lines::filler_kind& each : lines::filler_kinds) {
        add_lines(process, key, each, lines::keeping::all);
        add_lines(process, key, each, lines::keeping::ring);
    }
    return process;
}

}  // namespace
}  // namespace lab

int main(int argc, char** argv) {
    return lab::host(argc, argv, LAB_PROCESS_FLAGS, lab::start);
}
