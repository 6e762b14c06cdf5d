// SPDX-License-Identifier: BSL-1.0
// What the code of a file does to members that are arrays, and to members that may say how many
// elements of an array are filled.
#pragma once

#include "check/plugin/zeroing/fillers/fillers.hpp"
#include "steady_objects.hpp"

#include <map>
#include <set>
#include <string>

namespace freehold::check {

struct member_uses {
    using sets_by_field = std::map<const clang::FieldDecl*, field_set>;

    sets_by_field bounds;  ///< For each array that is read: the counts that bound all of its reads.
    field_set raised;      ///< Counts that are raised without a write that is known.
    field_set set_when_new;  ///< Counts that the function sets that has made the object.
    /// For the other counts that are raised: the arrays that each raise has written to.
    sets_by_field appended;
    std::map<const clang::FieldDecl*, clang::SourceLocation> filled_at;
    /// Containers and pointers that get other memory than they had after their construction.
    field_set replaced;
    /// Classes of which some code takes all bytes.
    std::set<const clang::CXXRecordDecl*> exposed;
};

/// Keeps what is in both sets: the one for the field, and the new one.
void narrow(member_uses::sets_by_field& of, const clang::FieldDecl* field, const field_set& by);

using fillers_by_name = std::map<std::string, filler>;
/// Looks at all code of the file that is not in system headers.
member_uses uses_in_file(clang::ASTContext& context, const fillers_by_name& fillers);

}  // namespace freehold::check
