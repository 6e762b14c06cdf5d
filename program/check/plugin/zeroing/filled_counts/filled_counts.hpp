// SPDX-License-Identifier: BSL-1.0
// Members that say how many elements of another member of the same object are filled. It is a proof
// only if all code of the file reads no more than that.
#pragma once

#include "member_uses.hpp"

#include <optional>
#include <vector>

namespace freehold::check {

class filled_counts {
public:
    explicit filled_counts(const std::vector<filler>& more_fillers);
    /// True if all code of the file reads `elements` only up to `count`, and raises `count` only
    /// for objects that it has just made. The class must be defined in the file itself.
    /// O(1), but for the first call, which looks at the whole file once.
    bool is_bound(const clang::FieldDecl* elements, const clang::FieldDecl* count,
                  clang::ASTContext& context);
    /// True if some code of the file reads `elements`.
    bool is_read_in_file(const clang::FieldDecl* elements, clang::ASTContext& context);
    /// Where the array is written, if its elements are read only up to a member that begins at 0
    /// and is raised only by what was written just before. Otherwise, no valid place.
    clang::SourceLocation filled_below_count(const clang::FieldDecl* elements,
                                             clang::ASTContext& context);
    /// True if some code takes all bytes of objects of the class: as raw memory, by a comparison
    /// that the compiler wrote, by a structured binding, or in another file.
    bool is_exposed(const clang::CXXRecordDecl* record, clang::ASTContext& context);

private:
    const member_uses& uses(clang::ASTContext& context);

    fillers_by_name fillers_;
    std::optional<member_uses> uses_;
};

}  // namespace freehold::check
