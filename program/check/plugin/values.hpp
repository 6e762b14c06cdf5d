// SPDX-License-Identifier: BSL-1.0
// Translates expressions of the analysed program: what they are worth (a polynomial), which
// variable or member they name (a path), and where in the zeroed object they point (a place).
// values.cpp, paths.cpp and places.cpp have one of these each.
#pragma once

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

/// The object whose zeroing is judged.
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
    polynomial offset;     ///< In bytes from its first one.
    clang::QualType type;  ///< Of the object, or of what the address points to; may be null.
    std::optional<polynomial> size;  ///< Of a view, in bytes.
};

class values {
public:
    explicit values(clang::ASTContext& context) : context_(context) {}

    [[nodiscard]] clang::ASTContext& context() const { return context_; }
    /// Size of one object; 1 for void and what is incomplete.
    [[nodiscard]] std::int64_t size_of(clang::QualType type) const;

    [[nodiscard]] std::optional<path> path_of(const clang::Expr* expression) const;
    /// What the pointer points to.
    [[nodiscard]] std::optional<path> pointee_of(const clang::Expr* pointer) const;
    /// What a member function is called on: `object.f()`, `pointer->f()`.
    [[nodiscard]] std::optional<path> object_path(const clang::Expr* object_argument) const {
        return object_argument->getType()->isPointerType() ? pointee_of(object_argument)
                                                           : path_of(object_argument);
    }
    [[nodiscard]] polynomial value_of(const clang::Expr* expression);
    /// The number of elements of a container, a view or an array; none if it is not known.
    [[nodiscard]] std::optional<polynomial> count_of(const clang::Expr* range);
    /// The number of elements from one iterator up to the other, of what is not the object.
    [[nodiscard]] std::optional<polynomial> count_between(const clang::Expr* first,
                                                          const clang::Expr* last);
    /// True for a call of a member function that does nothing but return a place.
    [[nodiscard]] bool is_place_of_accessor(const clang::Expr* expression) {
        const auto* call = clang::dyn_cast<clang::CallExpr>(expression);
        return call != nullptr && accessed(call) != nullptr && place_of(call).has_value();
    }
    /// An object by its own name, or what points into it: `object` and `aliases` decide.
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
    /// True for what a call told, which the same call will tell anew.
    [[nodiscard]] bool is_of_call(atom which) const { return of_calls_.count(which) != 0; }
    /// The atoms whose values may change when what the path names, or only what it leads to,
    /// changes.
    [[nodiscard]] std::vector<atom> atoms_of(const path& changed, bool itself) const;
    /// The atoms of the variables of one function.
    [[nodiscard]] std::vector<atom> atoms_within(const clang::FunctionDecl* function) const;

    /// Values that are never negative: those of unsigned types, and `x - min(x, y)`.
    std::vector<polynomial> axioms;

    zeroed_object object;
    /// True for an address of the object's bytes: a container's handle is none.
    [[nodiscard]] bool is_address(const std::optional<place>& of) const {
        return of && (of->how == form::address ||
                      (of->how == form::handle && object.kind != object_kind::container));
    }
    /// Local pointers, references, iterators and views that refer to nothing but the object.
    std::map<const clang::VarDecl*, form> aliases;
    /// Pointers to the object that were assigned later, or are in a local variable: `p = bytes`,
    /// `z.next_out = bytes`, `iovec parts[] = {{bytes, n}}`.
    std::set<path> pointers;
    /// Unsigned variables that a loop's last comparison takes below zero: `i-- > 0`.
    std::set<const clang::VarDecl*> may_wrap;
    /// What references, and `this` of a called function, stand for.
    std::map<const void*, path> bound;
    /// What pointer parameters of a called function point to.
    std::map<const void*, path> bound_pointees;
    /// Where `this` of a called function points, if into the object.
    std::map<const void*, polynomial> this_places;
    /// The functions under analysis: the innermost is the last.
    std::vector<const clang::FunctionDecl*> frames;

private:
    enum class role { value, size, base, stream, stream_count, result, count, opaque, fresh };
    atom base_atom(const path& of);
    atom intern(role what, const std::string& key, std::vector<path> depends);
    atom opaque_atom(const clang::Expr* expression);
    atom formatted_atom(const clang::CallExpr* call);
    bool collect_paths(const clang::Stmt* expression, std::vector<path>& into, bool& pure) const;
    polynomial call_value(const clang::CallExpr* call);
    std::optional<polynomial> iterator_arithmetic(const clang::CXXOperatorCallExpr* operation);
    /// What a member function returns that has no other statement; null otherwise.
    [[nodiscard]] const clang::Expr* accessed(const clang::CallExpr* call) const;
    /// As long as it lives, values and places are those that the member function sees.
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
    // What a member function that is being seen through gets as its parameters.
    std::map<const clang::Decl*, polynomial> given_;
    std::map<std::pair<role, std::string>, atom> atoms_;
    std::vector<std::vector<path>> depends_;
    std::set<atom> of_calls_;
};

/// The size of what an iterator or pointer points to; 0 if it is not known.
std::int64_t step_of(const values& values, clang::QualType type);

}  // namespace freehold::check
