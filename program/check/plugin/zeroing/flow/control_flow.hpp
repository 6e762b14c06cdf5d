// SPDX-License-Identifier: BSL-1.0
// Clang's control-flow graphs, their loops, and the edges to handlers of exceptions.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>

#include <clang/AST/Decl.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Analysis/CFG.h>

namespace freehold::check {

/// The control-flow graphs of a translation unit. Each is built when a caller first asks for it.
class graphs {
public:
    /// Null if clang cannot build it.
    clang::CFG* of(const clang::FunctionDecl* function, clang::ASTContext& context);

private:
    std::map<const clang::FunctionDecl*, std::unique_ptr<clang::CFG>> all_;
};

enum class library_exceptions {
    counted,
    ignored,  ///< Functions in system headers do not throw, unless by contract.
};
/// Returns whether the statement may throw. The system's C functions count as functions that do
/// not.
bool may_throw(const clang::Stmt* statement, const clang::ASTContext& context,
               library_exceptions library);

/// True for longjmp: the functions that called this one do not go on.
bool jumps_away(const clang::FunctionDecl* function);

/// Where the edge leads. Null for an edge that is never taken. An enumeration may have a value that
/// has no name, for which a `switch` over all names has no case.
const clang::CFGBlock* target_of(const clang::CFGBlock::AdjacentBlock& edge,
                                 const clang::CFGBlock& from);

/// Adds the edges from calls in `try` blocks to handlers, which clang's graph lacks.
class exception_edges {
public:
    exception_edges(const clang::FunctionDecl* function, const clang::CFG& graph,
                    const clang::ASTContext& context);
    /// The block that chooses a handler for exceptions of the statement. Null if there is none.
    [[nodiscard]] const clang::CFGBlock* handler_of(const clang::Stmt* statement) const;
    [[nodiscard]] std::set<const clang::CFGBlock*> after(const clang::CFGBlock* block) const;
    [[nodiscard]] std::set<const clang::CFGBlock*> before(const clang::CFGBlock* block) const;

private:
    void collect(const clang::Stmt* part, const clang::CFGBlock* handler);

    const clang::ASTContext& context_;
    std::map<const clang::CXXTryStmt*, const clang::CFGBlock*> dispatch_;
    std::map<const clang::Stmt*, const clang::CFGBlock*> handlers_;
    std::map<const clang::CFGBlock*, std::set<const clang::CFGBlock*>> from_;
    std::map<const clang::CFGBlock*, std::set<const clang::CFGBlock*>> to_;
};

using block_edge = std::pair<const clang::CFGBlock*, const clang::CFGBlock*>;
using block_set = std::set<const clang::CFGBlock*>;
/// The blocks of each loop, by the edge that leads back to its beginning.
std::map<block_edge, block_set> loops_of(const clang::CFG& graph, const exception_edges& edges);
/// The blocks from which every way stays in the innermost loop.
block_set blocks_within(const std::map<block_edge, block_set>& loops, const exception_edges& edges);

}  // namespace freehold::check
