// SPDX-License-Identifier: BSL-1.0
// The shared_ptr of a standard library that is not the lab's own. The lab's kernels are compiled
// with that library.
#include "processes/host.hpp"
#include "runner/toolchain.hpp"
#include "subjects/handles/std_make_shared.hpp"
#include "subjects/handles/std_shared_ptr.hpp"
#include "suites/construction/making.hpp"
#include "suites/operations/in_a_row.hpp"

#include <string>
#include <vector>

namespace {

template <class Subject>
void add(lab::hosted_process& to, const lab::identity& is, const std::string& missing) {
    using namespace lab;
    to.subjects.push_back(subject_of(is));
    subject& of = to.subjects.back();
    of.missing = missing;
    if (missing.empty()) of.version = standard_library_version();
    const auto add_one = [&](const char* suite, const char* case_key, double scale, kernel run) {
        to.cells.push_back({suite, of.key, case_key, scale, seconds_of(run)});
    };
    constexpr double each_operation = 1e9 / operations::operations_per_reading;
    constexpr double each_made = 1e9 / construction::batch_size;
    add_one("operations", "copy", each_operation, operations::copy_and_release<Subject>);
    add_one("operations", "move", each_operation, operations::move_and_release<Subject>);
    add_one("operations", "lock", each_operation, operations::lock_and_release<Subject>);
    add_one("construction", "one", each_made, construction::one<Subject>);
    add_one("construction", "1024_alive", each_made, construction::many<Subject>);
}

/// The argument, if any, is the reason why the library is missing.
lab::hosted_process start(lab::process_kind, const std::vector<std::string>& words) {
    using namespace lab;
    const std::string missing = words.empty() ? "" : words[0];
    const origin libcxx = {"libc++", "", ""};
    hosted_process process;
    add<handles::std_shared_ptr>(process,
                                 {.name = "std::shared_ptr, libc++",
                                  .family = family::standard,
                                  .order = 10,
                                  .folded = true,
                                  .single = true,
                                  .from = &libcxx},
                                 missing);
    add<handles::std_make_shared>(process,
                                  {.name = "std::make_shared, libc++",
                                   .family = family::standard,
                                   .order = 11,
                                   .folded = true,
                                   .single = true,
                                   .from = &libcxx},
                                  missing);
    return process;
}

}  // namespace

int main(int argc, char** argv) {
    return lab::host(argc, argv, LAB_PROCESS_FLAGS, start);
}
