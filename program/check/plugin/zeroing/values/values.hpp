// SPDX-License-Identifier: BSL-1.0
// Translates expressions of the analysed program into their values (polynomials), into the
// variables or members that they name (paths), and into places of the zeroed object to which they
// point. values.cpp, paths.cpp and places.cpp implement one of these each, atoms.cpp the names of
// values, and accessors.cpp the member functions that only return one.
#pragma once

#include "facts.hpp"
#include "paths.hpp"
#include "polynomial.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

enum class object_kind {
    storage,    ///< The path names the bytes: an array, an aggregate, a member.
    pointer,    ///< The path names a pointer to them: raw, smart, or std::optional.
    container,  ///< The path names a vector or a string of them.
};

/// The zeroed object that the analysis judges.
struct zeroed_object {
    path root;
    object_kind kind = object_kind::storage;
    clang::QualType type;  ///< Of the storage, or of one element.
};

/// How an expression refers to the zeroed object.
enum class form {
    object,   ///< An lvalue within it.
    address,  ///< A pointer or an iterator into it.
    handle,   ///< The smart pointer or container itself.
    view,     ///< A std::span, a std::string_view or the like.
};

struct place {
    form how = form::object;
    polynomial offset;     ///< In bytes from the object's first byte.
    clang::QualType type;  ///< Of the object, or of what the address points to; may be null.
    std::optional<polynomial> size;  ///< Of a view, in bytes.
};

class values {
public:
    explicit values(clang::ASTContext& context) : context_(context) {}

    [[nodiscard]] clang::ASTContext& context() const { return context_; }
    /// The size of one object. It is 1 for void and incomplete types.
    [[nodiscard]] std::int64_t size_of(clang::QualType type) const;

    [[nodiscard]] std::optional<path> path_of(const clang::Expr* expression) const;
    /// The path of the pointer's target.
    [[nodiscard]] std::optional<path> pointee_of(const clang::Expr* pointer) const;
    /// The path of the object on which a member function is called: `object.f()`, `pointer->f()`.
    [[nodiscard]] std::optional<path> object_path(const clang::Expr* object_argument) const {
        return object_argument->getType()->isPointerType() ? pointee_of(object_argument)
                                                           : path_of(object_argument);
    }
    [[nodiscard]] polynomial value_of(const clang::Expr* expression);
    /// True if a conversion to an integer of this width cannot change the value.
    [[nodiscard]] bool fits(const polynomial& value, clang::QualType from, unsigned width,
                            bool is_signed) const;
    [[nodiscard]] bool may_be_result_below_zero(const polynomial& value) const;
    /// True if the result of unsigned arithmetic in this type is the value itself, and not what is
    /// left of it in fewer bits than a size has.
    [[nodiscard]] bool is_exact(const polynomial& value, clang::QualType type) const;
    /// The number of zeroed elements is itself computed in few bits. Then whatever is too large for
    /// them would be written behind the object.
    bool is_size_narrow = false;
    /// The atom of an expression with a value that each execution reads or converts anew.
    [[nodiscard]] std::optional<atom> known_result(const clang::Expr* expression) const;
    /// The number of elements of a container, a view or an array. Empty if it is unknown.
    [[nodiscard]] std::optional<polynomial> count_of(const clang::Expr* range);
    /// The number of elements between two iterators that do not point into the object.
    [[nodiscard]] std::optional<polynomial> count_between(const clang::Expr* first,
                                                          const clang::Expr* last);
    /// True for a call of a member function that only returns a place.
    [[nodiscard]] bool is_place_of_accessor(const clang::Expr* expression) {
        const auto* call = clang::dyn_cast<clang::CallExpr>(expression);
        return call != nullptr && accessed(call) != nullptr && place_of(call).has_value();
    }
    /// The place to which the expression refers, by the object's own name or an alias.
    [[nodiscard]] std::optional<place> place_of(const clang::Expr* expression);

    /// The stream that the expression names, or returns after an operation on it.
    [[nodiscard]] std::optional<path> stream_of(const clang::Expr* expression) const;

    atom value_atom(const path& of);
    atom size_atom(const path& of);
    atom stream_atom(const path& of);
    atom stream_count_atom(const path& of);
    atom result_atom(const clang::Expr* call);
    atom count_atom(const clang::Expr* call, std::int64_t which = 0);
    atom fresh_atom();
    /// True for a result of a call, which the next execution of the same call replaces.
    [[nodiscard]] bool is_of_call(atom which) const { return of_calls_.count(which) != 0; }
    /// True for a result of a call whose type is signed.
    [[nodiscard]] bool is_of_signed_call(atom which) const {
        return signed_calls_.count(which) != 0;
    }
    /// The atoms with values that may change when the path's own value (if `itself`), or only what
    /// it leads to, changes.
    [[nodiscard]] std::vector<atom> atoms_of(const path& changed, bool itself) const;
    /// The paths on which the value of the atom depends.
    [[nodiscard]] const std::vector<path>& paths_of(atom which) const { return depends_[which]; }
    [[nodiscard]] std::size_t atoms() const { return depends_.size(); }
    /// The atoms of the variables of one function.
    [[nodiscard]] std::vector<atom> atoms_within(const clang::FunctionDecl* function) const;

    /// Values that are never negative: those of unsigned types, and `x - min(x, y)`. A difference
    /// of unsigned numbers is not negative where it is computed, and may be so elsewhere.
    std::vector<polynomial> axioms;
    [[nodiscard]] bool is_never_negative(const polynomial& value) const;
    /// What the value of `std::min(x, y)` or `x < y ? x : y` does not exceed. Empty for others.
    std::vector<polynomial> upper_bounds(const clang::Expr* expression);

    /// What is known where the expressions are evaluated. May be null.
    const facts* known = nullptr;

    zeroed_object object;
    /// True for an address of the object's bytes. The handle of a container is no such address.
    [[nodiscard]] bool is_address(const std::optional<place>& of) const {
        return of && (of->how == form::address ||
                      (of->how == form::handle && object.kind != object_kind::container));
    }
    /// Local pointers, references, iterators and views that refer only to the object.
    std::map<const clang::VarDecl*, form> aliases;
    /// Other pointers to the object, which are assigned later or are part of a local variable: `p =
    /// bytes`, `z.next_out = bytes`, `iovec parts[] = {{bytes, n}}`.
    std::set<path> pointers;
    /// Unsigned variables that the last comparison of a loop decrements below zero: `i-- > 0`.
    std::set<const clang::VarDecl*> may_wrap;
    /// The paths to which references, and `this` of a called function, refer.
    std::map<const void*, path> bound;
    /// The paths to which pointer parameters of a called function point.
    std::map<const void*, path> bound_pointees;
    /// The place to which `this` of a called function points, if that is in the object.
    std::map<const void*, polynomial> this_places;
    /// The functions under analysis. The innermost is the last.
    std::vector<const clang::FunctionDecl*> frames;

private:
    enum class role { value, size, base, stream, stream_count, result, count, opaque, fresh };
    atom base_atom(const path& of);
    atom intern(role what, const std::string& key, std::vector<path> depends);
    /// True for a lambda's copy of a variable that changes: the copy may be older.
    bool is_stale_copy(const clang::DeclRefExpr& name);
    atom intern_of_call(role what, const std::string& key, const clang::Expr* call);
    atom opaque_atom(const clang::Expr* expression);
    void bound_quotient(const clang::BinaryOperator& operation, atom result);
    atom formatted_atom(const clang::CallExpr* call);
    bool collect_paths(const clang::Stmt* expression, std::vector<path>& into, bool& pure) const;
    polynomial converted(const clang::CastExpr* conversion);
    std::optional<polynomial> arithmetic(const clang::BinaryOperator& operation);
    polynomial result_of(const clang::BinaryOperator& operation);
    polynomial call_value(const clang::CallExpr* call);
    std::optional<polynomial> iterator_arithmetic(const clang::CXXOperatorCallExpr* operation);
    /// The expression that a member function returns in its only statement. Null for other
    /// functions.
    [[nodiscard]] const clang::Expr* accessed(const clang::CallExpr* call) const;
    /// While it exists, values and places are those that the member function sees.
    class accessor_frame {
    public:
        accessor_frame(values& of, const clang::CallExpr* call);
        accessor_frame(const accessor_frame&) = delete;
        accessor_frame& operator=(const accessor_frame&) = delete;
        ~accessor_frame();
        const clang::Expr* const result;  ///< What the function returns.

    private:
        values& values_;
        std::map<const void*, path> bound_;
        std::map<const clang::Decl*, polynomial> given_;
    };
    std::optional<polynomial> pointer_value(const clang::Expr* expression);
    std::optional<place> place_of_call(const clang::CallExpr* call);
    std::optional<place> place_of_name(const clang::VarDecl* variable, clang::QualType type);
    std::optional<place> root_place();
    std::optional<place> dereferenced(std::optional<place> from, clang::QualType type);
    std::optional<place> view_from(llvm::ArrayRef<const clang::Expr*> arguments);

    clang::ASTContext& context_;
    // The arguments of the accessor that is being analysed, by parameter.
    std::map<const clang::Decl*, polynomial> given_;
    std::map<std::pair<role, std::string>, atom> atoms_;
    std::vector<std::vector<path>> depends_;
    // The bounds of unsigned variables of 32 bits. They are axioms that few proofs need.
    std::vector<polynomial> narrow_bounds_;
    std::set<atom> of_calls_;
    std::set<atom> signed_calls_;
    // Whether a lambda copies a variable that changes.
    std::map<const clang::VarDecl*, bool> stale_copies_;
};

/// While it exists, expressions are evaluated where these facts hold.
class evaluation {
public:
    evaluation(values& of, const facts* known) : values_(of), outer_(of.known) { of.known = known; }
    evaluation(const evaluation&) = delete;
    evaluation& operator=(const evaluation&) = delete;
    ~evaluation() { values_.known = outer_; }

private:
    values& values_;
    const facts* const outer_;
};

/// The size of the target of an iterator or pointer. 0 if it is unknown.
std::int64_t step_of(const values& values, clang::QualType type);

}  // namespace freehold::check
