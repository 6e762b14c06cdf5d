// SPDX-License-Identifier: BSL-1.0
// Recognises the expressions that zero memory, and the objects that get this memory.
#pragma once

#include "check/plugin/zeroing/flow/flow.hpp"

#include <optional>
#include <string>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>

namespace freehold::check {

enum class construct_kind {
    make,          ///< std::make_unique and similar functions.
    new_object,    ///< `new T()`, `new T[n]()`.
    variable,      ///< `T x{}`.
    container,     ///< `std::vector<T> x(n)`, `std::string x(n, c)`.
    resize,        ///< `x.resize(n)`.
    emplace_back,  ///< `x.emplace_back()`.
    emplace,       ///< `std::optional<T> x; x.emplace()`.
    member,        ///< An in-class initialiser or an entry of a constructor's list.
    calloc,
};

struct construct {
    construct_kind kind = construct_kind::make;
    const clang::Expr* expression = nullptr;
    clang::SourceLocation location;  ///< Where the finding is reported.
    std::string name;                ///< For example `std::make_unique<char[]>(n)`.
    object_kind object = object_kind::pointer;
    clang::QualType type;  ///< Of the storage, or of one element.
    zeroed_extent extent;
};

/// What gets the zeroed memory of an expression.
struct binding {
    const void* start = nullptr;
    std::optional<path> root;  ///< Empty: the function returns it.
    bool is_local = true;
    std::vector<step> part;  ///< The part of the returned object.
    /// The other initialised members of the returned object.
    std::vector<std::pair<step, const clang::Expr*>> beside;
};

/// True for a local variable and its parts, because they end with the function.
bool is_local_object(const path& root);

/// The parents of all parts of a function: statements, variables and initialisers.
class parents {
public:
    explicit parents(const clang::FunctionDecl* function);
    /// All expressions in the order of the program.
    [[nodiscard]] const std::vector<const clang::Expr*>& expressions() const {
        return expressions_;
    }
    [[nodiscard]] const std::vector<const clang::VarDecl*>& variables() const { return variables_; }
    [[nodiscard]] const std::vector<const clang::LambdaExpr*>& lambdas() const { return lambdas_; }
    /// Finds what the expression initialises. Follows only expressions that do not copy.
    [[nodiscard]] std::optional<binding> binding_of(const clang::Expr* expression,
                                                    values& names) const;

    /// The initialiser of a base class that consists of the expression. Null if there is none.
    [[nodiscard]] const clang::CXXCtorInitializer* base_initializer(
        const clang::Expr* expression) const;

private:
    struct parent {
        const clang::Stmt* statement = nullptr;
        const clang::VarDecl* variable = nullptr;
        const clang::CXXCtorInitializer* initializer = nullptr;
    };
    void add(const clang::Stmt* part, const parent& above);

    std::map<const clang::Stmt*, parent> above_;
    std::vector<const clang::Expr*> expressions_;
    std::vector<const clang::VarDecl*> variables_;
    std::vector<const clang::LambdaExpr*> lambdas_;
};

/// Constructs of fewer than `min_bytes` bytes are not reported.
std::optional<construct> zeroing_expression(const clang::Expr* expression, values& names,
                                            std::int64_t min_bytes);
std::optional<construct> zeroing_variable(const clang::VarDecl* variable, values& names,
                                          std::int64_t min_bytes);
/// Recognises a member with an initialiser that zeroes it, in the class or in a constructor's list.
std::optional<construct> zeroing_member(const clang::FieldDecl* field, const clang::Expr* initial,
                                        clang::SourceLocation where, values& names,
                                        std::int64_t min_bytes);

}  // namespace freehold::check
