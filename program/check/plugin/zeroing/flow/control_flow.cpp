// SPDX-License-Identifier: BSL-1.0
#include "control_flow.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace freehold::check {

using namespace clang;

namespace {

// NOLINTNEXTLINE(misc-no-recursion): statements are finite.
bool calls_setjmp(const Stmt* part) {
    if (part == nullptr || isa<LambdaExpr>(part)) return false;
    if (const auto* call = dyn_cast<CallExpr>(part))
        if (const FunctionDecl* callee = call->getDirectCallee())
            if (callee->hasAttr<ReturnsTwiceAttr>()) return true;
    return std::any_of(part->child_begin(), part->child_end(), calls_setjmp);
}

}  // namespace

CFG* graphs::of(const FunctionDecl* function, ASTContext& context) {
    const auto [found, is_new] = all_.try_emplace(function);
    if (!is_new) return found->second.get();
    // Where it waits, its caller goes on, and may end it.
    if (isa_and_nonnull<CoroutineBodyStmt>(function->getBody())) return nullptr;
    // Any call may return to setjmp.
    if (calls_setjmp(function->getBody())) return nullptr;
    CFG::BuildOptions options;
    options.setAllAlwaysAdd();
    options.AddInitializers = true;
    options.AddImplicitDtors = true;
    options.PruneTriviallyFalseEdges = true;
    auto& slot = found->second;
    slot = CFG::buildCFG(function, function->getBody(), &context, options);
    return slot.get();
}

const CFGBlock* target_of(const CFGBlock::AdjacentBlock& edge, const CFGBlock& from) {
    if (const CFGBlock* to = edge.getReachableBlock()) return to;
    const auto* choice = dyn_cast_or_null<SwitchStmt>(from.getTerminatorStmt());
    return choice != nullptr && choice->isAllEnumCasesCovered() ? edge.getPossiblyUnreachableBlock()
                                                                : nullptr;
}

bool may_throw(const Stmt* statement, const ASTContext& context, library_exceptions library) {
    if (isa<CXXThrowExpr>(statement) || isa<CXXNewExpr>(statement)) return true;
    const FunctionDecl* function = nullptr;
    if (const auto* call = dyn_cast<CallExpr>(statement))
        function = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    else if (const auto* construct = dyn_cast<CXXConstructExpr>(statement))
        function = construct->getConstructor();
    else
        return false;
    if (function == nullptr) return true;
    if (function->isExternC() || function->isImplicit() || function->isDefaulted()) return false;
    const auto* type = function->getType()->getAs<FunctionProtoType>();
    if (type != nullptr && type->isNothrow()) return false;
    return library == library_exceptions::counted || !is_in_system_header(function, context) ||
           throws_by_contract(function);
}

bool jumps_away(const FunctionDecl* function) {
    constexpr std::array names = {"longjmp", "siglongjmp", "_longjmp"};
    return is_one_of(name_of(function), names);
}

exception_edges::exception_edges(const FunctionDecl* function, const CFG& graph,
                                 const ASTContext& context)
    : context_(context) {
    for (const CFGBlock* each : graph)
        if (const auto* attempt = dyn_cast_or_null<CXXTryStmt>(each->getTerminatorStmt()))
            dispatch_[attempt] = each;
    if (dispatch_.empty()) return;
    collect(function->getBody(), nullptr);
    for (const CFGBlock* block : graph)
        for (const CFGElement& element : *block)
            if (const auto statement = element.getAs<CFGStmt>())
                if (const CFGBlock* to = handler_of(statement->getStmt())) {
                    from_[block].insert(to);
                    to_[to].insert(block);
                }
}

const CFGBlock* exception_edges::handler_of(const Stmt* statement) const {
    const auto found = handlers_.find(statement);
    return found != handlers_.end() && may_throw(statement, context_, library_exceptions::counted)
               ? found->second
               : nullptr;
}

std::set<const CFGBlock*> exception_edges::after(const CFGBlock* block) const {
    const auto found = from_.find(block);
    auto result = found != from_.end() ? found->second : std::set<const CFGBlock*>();
    for (const auto& next : block->succs())
        if (const CFGBlock* to = target_of(next, *block)) result.insert(to);
    return result;
}

std::set<const CFGBlock*> exception_edges::before(const CFGBlock* block) const {
    const auto found = to_.find(block);
    auto result = found != to_.end() ? found->second : std::set<const CFGBlock*>();
    for (const auto& previous : block->preds()) {
        // Both ends of an edge know whether clang takes it for one that is never taken.
        const CFGBlock* unlikely = previous.getPossiblyUnreachableBlock();
        const CFGBlock* from =
            unlikely != nullptr ? target_of(previous, *unlikely) : previous.getReachableBlock();
        if (from != nullptr) result.insert(from);
    }
    return result;
}

void exception_edges::collect(const Stmt* part, const CFGBlock* handler) {
    if (part == nullptr || isa<LambdaExpr>(part)) return;
    if (const auto* attempt = dyn_cast<CXXTryStmt>(part)) {
        const auto found = dispatch_.find(attempt);
        collect(attempt->getTryBlock(), found != dispatch_.end() ? found->second : handler);
        for (unsigned i = 0; i < attempt->getNumHandlers(); ++i)
            collect(attempt->getHandler(i), handler);
        return;
    }
    if (handler != nullptr) handlers_[part] = handler;
    if (const auto* declarations = dyn_cast<DeclStmt>(part))
        for (const Decl* each : declarations->decls())
            if (const auto* variable = dyn_cast<VarDecl>(each))
                collect(variable->getInit(), handler);
    for (const Stmt* child : part->children()) collect(child, handler);
}

namespace {

void find_back_edges(const CFGBlock* block, block_set& on_way, block_set& done,
                     const exception_edges& edges, std::set<block_edge>& result) {
    done.insert(block);
    on_way.insert(block);
    for (const CFGBlock* to : edges.after(block)) {
        if (on_way.count(to) != 0)
            result.insert({block, to});
        else if (done.count(to) == 0)
            find_back_edges(to, on_way, done, edges, result);
    }
    on_way.erase(block);
}

block_set loop_of(const CFGBlock* from, const CFGBlock* head, const exception_edges& edges) {
    block_set result = {head};
    std::vector<const CFGBlock*> work = {from};
    while (!work.empty()) {
        const CFGBlock* each = work.back();
        work.pop_back();
        if (!result.insert(each).second) continue;
        for (const CFGBlock* previous : edges.before(each)) work.push_back(previous);
    }
    return result;
}

}  // namespace

std::map<block_edge, block_set> loops_of(const CFG& graph, const exception_edges& edges) {
    block_set on_way;
    block_set done;
    std::set<block_edge> back;
    find_back_edges(&graph.getEntry(), on_way, done, edges, back);
    std::map<block_edge, block_set> result;
    for (const auto& [from, head] : back) result[{from, head}] = loop_of(from, head, edges);
    return result;
}

block_set blocks_within(const std::map<block_edge, block_set>& loops,
                        const exception_edges& edges) {
    // `continue` makes another edge to the beginning of the same loop.
    std::map<const CFGBlock*, block_set> whole;
    for (const auto& [edge, blocks] : loops)
        whole[edge.second].insert(blocks.begin(), blocks.end());
    std::map<const CFGBlock*, const block_set*> innermost;
    for (const auto& [head, blocks] : whole) {
        for (const CFGBlock* each : blocks) {
            const block_set*& smallest = innermost[each];
            if (smallest == nullptr || blocks.size() < smallest->size()) smallest = &blocks;
        }
    }
    block_set result;
    for (const auto& [each, loop] : innermost) {
        const block_set after = edges.after(each);
        if (std::includes(loop->begin(), loop->end(), after.begin(), after.end()))
            result.insert(each);
    }
    return result;
}

}  // namespace freehold::check
