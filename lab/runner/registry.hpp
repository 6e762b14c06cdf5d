// SPDX-License-Identifier: BSL-1.0
// Registers kernels and subjects. A translation unit defines objects of these classes at namespace
// scope. Every executable that links the unit then has its kernels and subjects.
#pragma once

#include "runner/plan.hpp"
#include "runner/subject.hpp"

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

using add_cells = void (*)(plan& into, const selection& chosen);

/// Registers cells of a suite, and the subjects that they measure. All registrations of one subject
/// must agree. They are constructed before main, in any order, so use only constants in `subjects`.
class registration {
public:
    /// `add` is called for each plan.
    registration(const char* suite, add_cells add, std::vector<subject> subjects);

    /// The cells of one subject, which may belong to several. Unless one of them is wanted, `add`
    /// is not called. If it is null, the subject is missing: its cells are skipped. These are
    /// `cases`, as far as `has(subject, case)`.
    registration(const char* suite, add_cells add, std::vector<subject> subjects,
                 std::span<const std::string_view> cases,
                 bool (*has)(const subject&, std::string_view));
};

/// The base of `suite` in a file KIND.hpp. A suite may replace its members.
struct one_subject {
    /// Whether the suite measures this subject.
    template <class Subject>
    static constexpr bool measures = true;

    /// Returns the subjects to which the cells of this subject belong.
    template <class Subject>
    static std::vector<subject> subjects() {
        return {subject_of(Subject::is)};
    }

    /// Whether the suite measures one of those subjects in this case.
    static bool has(const subject&, std::string_view) { return true; }
};

/// Registers a subject's kernels in a suite. If the subject is missing, its cells are skipped.
/// `Suite` derives from `one_subject`. It has `cases` and `add<Subject>(plan&, const selection&)`.
/// The lab calls `add` if one of its subjects is wanted.
template <class Suite, class Subject>
class registered : registration {
public:
    explicit registered(const char* suite)
        : registration(suite, add(), subjects(), Suite::cases, Suite::has) {}

private:
    static std::vector<subject> subjects() {
        if constexpr (!Suite::template measures<Subject>) {
            return {};
        } else {
            return Suite::template subjects<Subject>();
        }
    }

    static add_cells add() {
        if constexpr (Suite::template measures<Subject> && installed<Subject>) {
            return Suite::template add<Subject>;
        } else {
            return nullptr;
        }
    }
};

/// Returns the subjects of all suites, in the order in which they are shown. Throws
/// std::logic_error if two descriptions of one subject differ.
std::vector<subject> registered_subjects();

/// Returns the subjects of these identities.
std::vector<subject> subjects_of(std::initializer_list<identity> all);

/// Returns whether this executable has kernels of the suite.
bool has_kernels(std::string_view suite);

/// Returns all chosen cells of a suite.
plan make_plan(std::string_view suite, const selection& chosen);

/// Adds subjects to `all`, which stays sorted. Throws std::logic_error as above.
void merge_subjects(std::vector<subject>& all, const std::vector<subject>& more);

}  // namespace lab
