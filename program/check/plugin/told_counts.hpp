// SPDX-License-Identifier: BSL-1.0
// Members that say how many elements of another member of the same object have been written. It is
// a proof only if all code of the file reads no more than that.
#pragma once

#include "fillers.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace freehold::check {

class told_counts {
public:
    explicit told_counts(const std::vector<filler>& more_fillers);
    /// True if all code of the file reads `elements` only up to `count`, and raises `count` only
    /// for objects that it has just made. The class must be defined in the file itself.
    /// O(1), but for the first call, which looks at the whole file once.
    bool is_bound(const clang::FieldDecl* elements, const clang::FieldDecl* count,
                  clang::ASTContext& context);
    /// True if some code takes all bytes of objects of the class: as raw memory, by a comparison
    /// that the compiler wrote, by a structured binding, or in another file.
    bool is_exposed(const clang::CXXRecordDecl* record, clang::ASTContext& context);

private:
    friend class reader_of_file;
    void look(clang::ASTContext& context);

    std::map<std::string, filler> fillers_;
    bool has_looked_ = false;
    // For each member that is read: the members that bound all of its reads.
    std::map<const clang::FieldDecl*, std::set<const clang::FieldDecl*>> bounds_;
    std::set<const clang::FieldDecl*> raised_;
    std::set<const clang::CXXRecordDecl*> exposed_;
};

}  // namespace freehold::check
