// SPDX-License-Identifier: BSL-1.0
// Members that say how many elements of another member of the same object have been written. It is
// a proof only if all code of the file reads no more than that.
#pragma once

#include "check/plugin/zeroing/fillers/fillers.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

namespace freehold::check {

/// True if the variable is an object, or names one, that was made for it.
bool names_new_object(const clang::VarDecl* variable);

class told_counts {
public:
    explicit told_counts(const std::vector<filler>& more_fillers);
    /// True if all code of the file reads `elements` only up to `count`, and raises `count` only
    /// for objects that it has just made. The class must be defined in the file itself.
    /// O(1), but for the first call, which looks at the whole file once.
    bool is_bound(const clang::FieldDecl* elements, const clang::FieldDecl* count,
                  clang::ASTContext& context);
    /// Where the array is written, if its elements are read only up to a member that begins at 0
    /// and is raised only by what was written just before. Otherwise, no valid place.
    clang::SourceLocation filled_below_count(const clang::FieldDecl* elements,
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
    // Members that are raised without a write that is known, or by the function that made the
    // object. For the others that are raised: the arrays that each raise has written to.
    std::set<const clang::FieldDecl*> raised_;
    std::set<const clang::FieldDecl*> set_;
    std::map<const clang::FieldDecl*, std::set<const clang::FieldDecl*>> appended_;
    std::map<const clang::FieldDecl*, clang::SourceLocation> filled_at_;
    // Containers and pointers that get other memory than they had after their construction.
    std::set<const clang::FieldDecl*> replaced_;
    std::set<const clang::CXXRecordDecl*> exposed_;
};

}  // namespace freehold::check
