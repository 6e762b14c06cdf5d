// SPDX-License-Identifier: BSL-1.0
// Looks at the uses of members that are arrays, pointers or containers, and finds the counts that
// bound what each use reads.
#pragma once

#include "member_uses.hpp"
#include "statements_above.hpp"

#include <vector>

namespace freehold::check {

class buffer_reads {
public:
    buffer_reads(member_uses& into, clang::ASTContext& context, const fillers_by_name& fillers,
                 const statements_above& above)
        : into_(into), context_(context), fillers_(fillers), above_(above) {}
    /// Looks at the innermost statement, which names the buffer.
    void look_at(const clang::MemberExpr& member, const clang::FieldDecl* field);

private:
    /// The members of the same object that the value cannot exceed.
    [[nodiscard]] field_set counts_in(const clang::Expr* value, const clang::Expr* object,
                                      int depth = 0) const;
    /// The counts that a condition holds the index below, while the condition is true.
    [[nodiscard]] field_set counts_above(const clang::Expr* condition, const clang::VarDecl* index,
                                         const clang::Expr* object) const;
    /// The counts that the index stays below at this place.
    [[nodiscard]] field_set counts_over(const clang::Expr* index, const clang::Expr* object) const;
    /// The counts in `buffer + count`, the end of a range.
    [[nodiscard]] field_set counts_at_end(const clang::Expr* argument,
                                          const clang::MemberExpr& buffer) const;
    /// The counts that bound what a call reads of the buffer, which is one of its arguments.
    [[nodiscard]] field_set counts_of_call(const std::vector<const clang::Expr*>& arguments,
                                           const clang::Stmt* user, const clang::MemberExpr& buffer,
                                           clang::QualType element) const;

    member_uses& into_;
    clang::ASTContext& context_;
    const fillers_by_name& fillers_;
    const statements_above& above_;
};

}  // namespace freehold::check
