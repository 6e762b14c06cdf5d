// SPDX-License-Identifier: BSL-1.0
// Looks at the changes of members that may say how many elements of an array are filled.
#pragma once

#include "member_uses.hpp"
#include "statements_above.hpp"

namespace freehold::check {

class count_changes {
public:
    count_changes(member_uses& into, clang::ASTContext& context, const statements_above& above)
        : into_(into), context_(context), above_(above) {}
    /// Finds the counts that begin with another value than 0.
    void look_at(const clang::InitListExpr& list);
    /// Looks at the innermost statement, which names the count.
    void look_at(const clang::MemberExpr& member, const clang::FieldDecl* count);

private:
    [[nodiscard]] bool is_positive(const clang::Expr* value) const;
    /// If a smaller number wraps, it is larger than any buffer.
    [[nodiscard]] bool never_wraps(const clang::FieldDecl* count) const;
    /// The buffer of the same object as the count, if the expression is its element at an index for
    /// which the function returns true.
    template <class Predicate>
    [[nodiscard]] const clang::FieldDecl* buffer_of_element(const clang::Expr* expression,
                                                            const clang::MemberExpr& count,
                                                            Predicate is_index) const;
    [[nodiscard]] const clang::FieldDecl* buffer_beside(const clang::Expr* buffer,
                                                        const clang::MemberExpr& count) const;
    [[nodiscard]] std::int64_t size_of_element(const clang::FieldDecl* buffer) const;
    /// The buffer, if the call copies so many elements to its place at the count.
    [[nodiscard]] const clang::FieldDecl* buffer_copied_to(const clang::CallExpr& call,
                                                           const clang::MemberExpr& count,
                                                           const clang::Expr* number) const;
    /// The buffers whose elements at the count are written before `user` raises it by their number.
    [[nodiscard]] field_set filled_before(const clang::MemberExpr& count, const clang::Stmt* user);

    member_uses& into_;
    clang::ASTContext& context_;
    const statements_above& above_;
};

}  // namespace freehold::check
