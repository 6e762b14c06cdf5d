// SPDX-License-Identifier: BSL-1.0
// Names for the parts of variables.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

/// One step from a variable to a part of it: to a member, to an element of an array, or (if it is
/// neither) to the target of a pointer.
struct step {
    static constexpr std::int64_t no_element = -1;
    step(const clang::FieldDecl* member) : field(member) {}
    explicit step(std::int64_t index) : element(index) {}

    const clang::FieldDecl* field = nullptr;
    std::int64_t element = no_element;

    friend bool operator==(const step& a, const step& b) {
        return a.field == b.field && a.element == b.element;
    }
    friend bool operator<(const step& a, const step& b) {
        return std::tie(a.field, a.element) < std::tie(b.field, b.element);
    }
};

/// A variable, or `this` of a function, and the steps from it.
struct path {
    const void* root = nullptr;
    std::vector<step> members;

    [[nodiscard]] bool starts_with(const path& other) const;
    friend bool operator==(const path& a, const path& b) {
        return a.root == b.root && a.members == b.members;
    }
    friend bool operator<(const path& a, const path& b) {
        return std::tie(a.root, a.members) < std::tie(b.root, b.members);
    }
};

/// The variable at the beginning of the path. Null if the path begins with `this`.
const clang::VarDecl* variable_of(const path& of);
/// The parts of a variable to which an initialiser list gives values.
std::vector<std::pair<path, const clang::Expr*>> parts_of_list(const path& within,
                                                               const clang::InitListExpr& list);

}  // namespace freehold::check
