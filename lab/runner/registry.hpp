// SPDX-License-Identifier: BSL-1.0
// How kernels and subjects make themselves known: a translation unit that has some defines objects
// of these classes at namespace scope, and the executables that it is linked into have them.
#pragma once

#include "runner/plan.hpp"
#include "runner/subject.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

using add_cells = void (*)(plan& into, const selection& chosen);

/// Cells of a suite, and the subjects that they measure. Two descriptions of one subject have to
/// agree. Made before main, in any order, so that `subjects` is made of constants alone.
class registration {
public:
    registration(const char* suite, add_cells add, std::vector<subject> subjects);
};

/// The base of a `Suite` whose kernels measure one subject, unless it says otherwise.
struct one_subject {
    /// Whether it is measured at all.
    template <class Subject>
    static constexpr bool measures = true;

    template <class Subject>
    static std::vector<subject> subjects() {
        return {subject_of(Subject::is)};
    }

    /// Whether one of those subjects is measured in a case.
    static bool has(const subject&, std::string_view) { return true; }
};

/// A subject's kernels in a suite, or that the subject is missing. `Suite` derives from
/// `one_subject` and has `cases`, and `add<Subject>(plan&, const selection&)`, which is called if
/// one of its subjects is wanted.
template <class Suite, class Subject>
class registered : registration {
public:
    explicit registered(const char* suite) : registration(suite, add, subjects()) {}

private:
    static std::vector<subject> subjects() {
        if constexpr (!Suite::template measures<Subject>) {
            return {};
        } else {
            return Suite::template subjects<Subject>();
        }
    }

    static void add(plan& into, const selection& chosen) {
        std::vector<subject> wanted = subjects();
        std::erase_if(wanted, [&](const subject& each) { return !chosen.wants(each); });
        if (wanted.empty()) return;
        if constexpr (Suite::template measures<Subject> && installed<Subject>) {
            Suite::template add<Subject>(into, chosen);
        } else {
            for (const subject& each : wanted) {
                for (const std::string_view one : Suite::cases) {
                    if (!Suite::has(each, one)) continue;
                    into.skipped.push_back({each.key, std::string(one), each.missing});
                }
            }
        }
    }
};

/// The subjects of all suites, in the order in which they are shown. Throws std::logic_error if two
/// descriptions of one subject differ.
std::vector<subject> registered_subjects();

/// Those of identities.
std::vector<subject> subjects_of(std::initializer_list<identity> all);

/// The keys of the suites that have kernels here.
bool has_kernels(std::string_view suite);

/// All cells of a suite that are chosen.
plan make_plan(std::string_view suite, const selection& chosen);

/// Adds subjects to `all`, which stays sorted. Throws std::logic_error as above.
void merge_subjects(std::vector<subject>& all, const std::vector<subject>& more);

}  // namespace lab
