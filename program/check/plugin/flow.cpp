// SPDX-License-Identifier: BSL-1.0
#include "flow.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include <clang/AST/RecordLayout.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

// Above these the analysis gives up, and finds nothing.
constexpr std::size_t most_states = 24;
constexpr int most_passes = 8;

/// The system's functions in C count as functions that do not throw.
bool may_throw_in_try(const Stmt* statement) {
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
    return !(type != nullptr && type->isNothrow());
}

/// Clang's graph leads no call in a `try` block to the handlers.
class exception_edges {
public:
    exception_edges(const FunctionDecl* function, const CFG& graph) {
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

    /// The block that chooses a handler, for what the statement may throw; null if there is none.
    [[nodiscard]] const CFGBlock* handler_of(const Stmt* statement) const {
        const auto found = handlers_.find(statement);
        return found != handlers_.end() && may_throw_in_try(statement) ? found->second : nullptr;
    }
    [[nodiscard]] std::set<const CFGBlock*> after(const CFGBlock* block) const {
        const auto found = from_.find(block);
        auto result = found != from_.end() ? found->second : std::set<const CFGBlock*>();
        for (const auto& next : block->succs())
            if (next.getReachableBlock() != nullptr) result.insert(next.getReachableBlock());
        return result;
    }
    [[nodiscard]] std::set<const CFGBlock*> before(const CFGBlock* block) const {
        const auto found = to_.find(block);
        auto result = found != to_.end() ? found->second : std::set<const CFGBlock*>();
        for (const auto& previous : block->preds())
            if (previous.getReachableBlock() != nullptr)
                result.insert(previous.getReachableBlock());
        return result;
    }

private:
    void collect(const Stmt* part, const CFGBlock* handler) {
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

    std::map<const CXXTryStmt*, const CFGBlock*> dispatch_;
    std::map<const Stmt*, const CFGBlock*> handlers_;
    std::map<const CFGBlock*, std::set<const CFGBlock*>> from_;
    std::map<const CFGBlock*, std::set<const CFGBlock*>> to_;
};

/// The blocks of the loop that this back edge closes.
std::set<const CFGBlock*> loop_of(const CFGBlock* from, const CFGBlock* head,
                                  const exception_edges& edges) {
    std::set<const CFGBlock*> result = {head};
    std::vector<const CFGBlock*> work = {from};
    while (!work.empty()) {
        const CFGBlock* each = work.back();
        work.pop_back();
        if (!result.insert(each).second) continue;
        for (const CFGBlock* previous : edges.before(each)) work.push_back(previous);
    }
    return result;
}

void find_back_edges(const CFGBlock* block, std::set<const CFGBlock*>& on_way,
                     std::set<const CFGBlock*>& done, const exception_edges& edges,
                     std::set<std::pair<const CFGBlock*, const CFGBlock*>>& result) {
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

bool has_pointers(QualType type) {
    if (type.isNull()) return false;
    if (type->isArrayType())
        return has_pointers(QualType(type->getArrayElementTypeNoTypeQual(), 0));
    if (type->isAnyPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    return record != nullptr && record->hasDefinition() &&
           std::any_of(record->field_begin(), record->field_end(),
                       [](const FieldDecl* each) { return has_pointers(each->getType()); });
}

/// The system's functions count as functions that do not throw.
bool may_throw(const Stmt* statement, const ASTContext& context) {
    if (isa<CXXThrowExpr>(statement) || isa<CXXNewExpr>(statement)) return true;
    const Decl* callee = nullptr;
    if (const auto* call = dyn_cast<CallExpr>(statement))
        callee = call->getCalleeDecl();
    else if (const auto* construct = dyn_cast<CXXConstructExpr>(statement))
        callee = construct->getConstructor();
    else
        return false;
    const auto* function = dyn_cast_or_null<FunctionDecl>(callee);
    if (function == nullptr) return true;
    if (function->isExternC() || function->isImplicit() || function->isDefaulted()) return false;
    const auto* type = function->getType()->getAs<FunctionProtoType>();
    return !(type != nullptr && type->isNothrow()) && !is_in_system_header(function, context);
}

}  // namespace

CFG* graphs::of(const FunctionDecl* function, ASTContext& context) {
    const auto [found, is_new] = all_.try_emplace(function);
    if (!is_new) return found->second.get();
    CFG::BuildOptions options;
    options.setAllAlwaysAdd();
    options.AddInitializers = true;
    options.PruneTriviallyFalseEdges = true;
    auto& slot = found->second;
    slot = CFG::buildCFG(function, function->getBody(), &context, options);
    return slot.get();
}

flow::flow(ASTContext& context, graphs& graphs, const std::vector<filler>& more_fillers,
           const zeroing& what)
    : values_(context), graphs_(graphs), what_(what) {
    for (const filler& each : known_fillers()) fillers_[each.name] = each;
    for (const filler& each : more_fillers) fillers_[each.name] = each;
    values_.object = what.object;
    find_padding(what.object.type, 0);
}

void flow::find_padding(QualType type, std::int64_t offset) {
    const auto* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition() || record->isUnion() ||
        record->isDependentContext() || record->isInvalidDecl())
        return;
    const auto& layout = values_.context().getASTRecordLayout(record);
    std::int64_t end = -1;
    for (const FieldDecl* field : record->fields()) {
        if (field->isBitField()) return;
        const auto begin =
            static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
        if (end >= 0 && begin > end) padding_[offset + end] = begin - end;
        find_padding(field->getType(), offset + begin);
        end = begin + values_.size_of(field->getType());
    }
    const std::int64_t size = values_.size_of(type);
    if (end >= 0 && size > end && padding_.count(offset + end) == 0)
        padding_[offset + end] = size - end;
}

void flow::needed(const Stmt* where) {
    if (!verdict_.needed && where != nullptr) verdict_.needed_at = where->getBeginLoc();
    verdict_.needed = true;
    finished_ = true;
}

/// Members that loops wrote reach up to the padding behind them only when the loops have ended.
void flow::cover_padding(facts& now) const {
    if (padding_.empty() || what_.extent.how != zeroed_extent::growth::fixed) return;
    facts wider = now;
    for (const auto& [begin, size] : padding_) wider.cover({begin, begin + size});
    if (!wider.is_all_covered()) return;
    now = std::move(wider);
    now.padding_left = true;
}

void flow::read(facts& now, const byte_range& range, const Stmt* where, bool raw) {
    if (!now.live || finished_) return;
    if (!now.is_covered(range) && !raw) cover_padding(now);
    if (!now.is_covered(range) || (raw && now.padding_left)) {
        needed(where);
        return;
    }
    if (!now.covered.empty() && !now.at_least_zero(range.low - range.high))
        verdict_.overwritten = true;
}

std::vector<path> flow::names_of_struct(const facts& now) {
    path whole = what_.object.root;
    if (what_.object.kind == object_kind::storage) return {whole};
    if (what_.object.kind == object_kind::pointer) {
        whole.members.emplace_back(nullptr);
        return {whole};
    }
    std::vector<path> result;
    if (what_.extent.how != zeroed_extent::growth::appended) return result;
    for (const auto& [variable, how] : values_.aliases) {
        path name{variable, {}};
        const polynomial at = polynomial::of(values_.value_atom(name));
        if (!(now.normal(at) == now.normal(now.zeroed.low))) continue;
        if (how == form::address) name.members.emplace_back(nullptr);
        if (how == form::object || how == form::address) result.push_back(std::move(name));
    }
    return result;
}

void flow::cover_untold(facts& now) {
    const auto* record =
        what_.object.type.isNull() ? nullptr : what_.object.type->getAsCXXRecordDecl();
    auto& context = values_.context();
    const bool is_appended = what_.extent.how == zeroed_extent::growth::appended;
    if (!now.live || record == nullptr || !record->hasDefinition() || record->isUnion() ||
        (what_.extent.how != zeroed_extent::growth::fixed && !is_appended) ||
        what_.extent.offset != 0 || !context.getSourceManager().isInMainFile(record->getLocation()))
        return;
    const std::vector<path> names = names_of_struct(now);
    const auto& layout = context.getASTRecordLayout(record);
    const auto is_told = [&](const polynomial& count) {
        const auto tells = [&](const path& whole, const FieldDecl* each) {
            path member = whole;
            member.members.emplace_back(each->getCanonicalDecl());
            return each->getType()->isIntegerType() &&
                   now.normal(polynomial::of(values_.value_atom(member))) == count;
        };
        return !count.constant() && std::any_of(names.begin(), names.end(), [&](const path& whole) {
            return std::any_of(record->field_begin(), record->field_end(),
                               [&](const FieldDecl* each) { return tells(whole, each); });
        });
    };
    facts wider = now;
    for (const FieldDecl* field : record->fields()) {
        const auto* array = context.getAsConstantArrayType(field->getType());
        if (array == nullptr) continue;
        const auto offset =
            static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
        const polynomial begin =
            is_appended ? now.zeroed.low + polynomial(offset) : polynomial(offset);
        const polynomial end = begin + polynomial(values_.size_of(field->getType()));
        for (const byte_range& each : now.covered) {
            const auto count =
                (each.high - begin).divided(values_.size_of(array->getElementType()));
            if (each.is_one() && count && now.at_least_zero(begin - each.low) && is_told(*count))
                wider.cover({each.high, end});
        }
    }
    now = std::move(wider);
}

void flow::read_all(facts& now, const Stmt* where, bool raw) {
    constexpr std::array keepers = {"push_back", "emplace_back", "push", "insert", "emplace"};
    const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(where);
    if (isa_and_nonnull<ReturnStmt>(where) || isa_and_nonnull<CXXConstructExpr>(where) ||
        (call != nullptr && is_one_of(name_of(call->getMethodDecl()), keepers)))
        cover_untold(now);
    read(now, now.zeroed, where, raw);
}

void flow::write(facts& now, const byte_range& range, const Stmt* where, bool one_operation) {
    if (!now.live || finished_) return;
    byte_range wide{now.normal(range.low), now.normal(range.high)};
    const std::int64_t size = values_.size_of(what_.object.type);
    if (!padding_.empty() && wide.high.is_multiple_but_for_constant(size)) {
        const auto padding = padding_.find(((wide.high.constant_term() % size) + size) % size);
        if (padding != padding_.end()) {
            wide.high += polynomial(padding->second);
            now.padding_left = true;
        }
    }
    const bool before = now.is_all_covered();
    if (one_operation && now.is_covered({range.low, range.high}) == false &&
        now.at_least_zero(now.zeroed.low - range.low) &&
        now.at_least_zero(range.high - now.zeroed.high) && what_.is_storage &&
        block_ == start_block_ && now.zeroed.high.constant())
        verdict_.optimised = true;
    now.cover(wide);
    if (!verdict_.filled_at.isValid()) verdict_.filled_at = where->getBeginLoc();
    if (!before && now.is_all_covered()) verdict_.overwritten = true;
}

void flow::assign(facts& now, atom which, const polynomial& value) {
    assigned_[block_].insert(which);
    now.assign(which, value, [&] { return values_.fresh_atom(); });
}

void flow::forget(facts& now, atom which) {
    assigned_[block_].insert(which);
    now.forget(which, [&] { return values_.fresh_atom(); });
}

void flow::forget_all(facts& now, const path& changed, bool itself) {
    for (const atom each : values_.atoms_of(changed, itself)) forget(now, each);
}

void flow::forget_dependents(facts& now, const path& changed) {
    const atom own = values_.value_atom(changed);
    for (const atom each : values_.atoms_of(changed, true))
        if (each != own) forget(now, each);
}

byte_range flow::extent_of(const place& where) {
    switch (where.how) {
        case form::object:
            return {where.offset, where.offset + polynomial(values_.size_of(where.type))};
        case form::view:
            if (where.size) return {where.offset, where.offset + *where.size};
            break;
        case form::handle:
            if (what_.object.kind == object_kind::container)
                return {0, polynomial(values_.size_of(what_.object.type)) *
                               polynomial::of(values_.size_atom(what_.object.root))};
            break;
        case form::address:
            break;
    }
    return {where.offset, where.offset};
}

verdict flow::follow(const FunctionDecl* function) {
    return follow_from(function, false);
}

verdict flow::follow_parameter(const FunctionDecl* function) {
    return follow_from(function, true);
}

/// What one look at a loop finds out is used by the next.
void flow::learn(const CFGBlock* head, const facts& after_pass, const facts& entry,
                 const std::vector<atom>& changed) {
    constexpr std::size_t most_columns = 8;
    auto& known = columns_[head];
    for (const column_write& each : after_pass.columns(entry, changed)) {
        if (known.size() >= most_columns ||
            std::find(known.begin(), known.end(), each) != known.end())
            continue;
        known.push_back(each);
        learnt_ = true;
    }
}

verdict flow::follow_from(const FunctionDecl* function, bool is_zeroed) {
    constexpr int most_looks = 4;
    for (int i = 0; i < most_looks; ++i) {
        verdict_ = {};
        finished_ = learnt_ = false;
        steps_left_ = most_steps;
        start_block_ = block_ = nullptr;
        look(function, is_zeroed);
        if (!verdict_.needed || !learnt_) break;
    }
    return verdict_;
}

void flow::look(const FunctionDecl* function, bool is_zeroed) {
    values_.frames = {function};
    CFG* graph = graphs_.of(function, values_.context());
    if (graph == nullptr) {
        verdict_.needed = true;
        return;
    }
    const function_uses uses = collect(function);
    facts entry;
    entry.axioms = &values_.axioms;
    if (is_zeroed) activate(entry);
    const states ends = run(function, uses, entry, nullptr);
    if (!what_.is_local && !finished_) {
        // Whatever reads it later counts as a read at the function's end.
        for (facts each : ends) {
            if (!each.live) continue;
            if (!each.is_all_covered()) cover_untold(each);
            if (!each.is_all_covered()) cover_padding(each);
            verdict_.padding_left = verdict_.padding_left || each.padding_left;
            if (each.is_all_covered())
                verdict_.overwritten = true;
            else
                verdict_.needed = true;
        }
    }
}

flow::states flow::run(const FunctionDecl* function, const function_uses& uses, const facts& entry,
                       const Expr* call) {
    CFG* graph = graphs_.of(function, values_.context());
    if (graph == nullptr) {
        needed(call);
        return {};
    }
    std::set<const CFGBlock*> on_way;
    std::set<const CFGBlock*> done;
    std::set<std::pair<const CFGBlock*, const CFGBlock*>> back_edges;
    const exception_edges edges(function, *graph);
    find_back_edges(&graph->getEntry(), on_way, done, edges, back_edges);

    struct incoming {
        states all;
        states from_outside;  // Those that did not come by a back edge.
        int passes = 0;
    };
    std::map<unsigned, incoming> blocks;
    // Clang numbers the blocks downwards in the order of the program.
    std::map<unsigned, std::pair<const CFGBlock*, states>, std::greater<>> work;

    const auto enter = [&](const CFGBlock* from, const CFGBlock* to, facts state) {
        incoming& target = blocks[to->getBlockID()];
        const bool is_back = back_edges.count({from, to}) != 0;
        if (is_back) {
            // The next pass begins with another object, or makes this one larger.
            const bool grows = what_.extent.how == zeroed_extent::growth::appended ||
                               what_.extent.how == zeroed_extent::growth::resized;
            if (grows) cover_untold(state);
            if (grows && state.live && state.is_all_covered() && !state.padding_left) {
                if (!state.covered.empty()) verdict_.overwritten = true;
                state.end();
            }
            std::set<atom> in_loop;
            std::set<atom> dead;  // What no later pass sees: variables of the loop, and results.
            for (const CFGBlock* each : loop_of(from, to, edges)) {
                in_loop.insert(assigned_[each].begin(), assigned_[each].end());
                dead.insert(declared_[each].begin(), declared_[each].end());
            }
            const std::vector<atom> changed(in_loop.begin(), in_loop.end());
            const auto forget_dead = [&](facts& of) {
                for (const atom each : dead)
                    if (!of.is_end(each)) of.forget(each, [&] { return values_.fresh_atom(); });
            };
            forget_dead(state);
            for (const atom each : changed)
                if (values_.is_of_call(each)) dead.insert(each);
            // A pass that changed nothing, for example after EINTR.
            facts rest = state;
            forget_dead(rest);
            if (std::any_of(target.all.begin(), target.all.end(),
                            [&](const facts& each) { return rest.implies(each); }))
                return;
            if (state.live) {
                if (target.passes > 0) {
                    std::vector<atom> seen;
                    std::set_difference(in_loop.begin(), in_loop.end(), dead.begin(), dead.end(),
                                        std::back_inserter(seen));
                    learn(to, state, target.from_outside.back(), seen);
                }
                // The latest entry is the one that this pass began with, most often.
                for (auto outside = target.from_outside.rbegin();
                     outside != target.from_outside.rend(); ++outside) {
                    facts general = state;
                    general.generalise(*outside, changed, columns_[to]);
                    if (general == state) continue;
                    state = general;
                    break;
                }
                if (++target.passes > most_passes) {
                    const auto is_new = [&](const byte_range& range) {
                        return std::none_of(target.from_outside.begin(), target.from_outside.end(),
                                            [&](const facts& each) {
                                                return std::find(each.covered.begin(),
                                                                 each.covered.end(),
                                                                 range) != each.covered.end();
                                            });
                    };
                    auto& covered = state.covered;
                    covered.erase(std::remove_if(covered.begin(), covered.end(), is_new),
                                  covered.end());
                }
            }
            state.forget_values(
                changed, target.from_outside.empty() ? nullptr : &target.from_outside.back());
            forget_dead(state);
        } else {
            add_state(target.from_outside, state);
        }
        if (std::find(target.all.begin(), target.all.end(), state) != target.all.end()) return;
        for (facts& each : target.all) {
            const bool crowded = is_back || target.all.size() >= most_states / 3;
            const bool mergeable =
                !state.live ? !each.live : crowded && each.same_object_state(state);
            if (!mergeable) continue;
            facts weaker = each;
            weaker.weaken_to(state);
            if (weaker == each) return;
            each = weaker;
            auto& waiting = work[to->getBlockID()];
            waiting.first = to;
            add_state(waiting.second, weaker);
            return;
        }
        target.all.push_back(state);
        if (target.all.size() > most_states) {
            needed(nullptr);
            return;
        }
        auto& waiting = work[to->getBlockID()];
        waiting.first = to;
        waiting.second.push_back(std::move(state));
    };

    enter(nullptr, &graph->getEntry(), entry);
    states ends;
    const CFGBlock* const outer = block_;
    while (!work.empty() && !finished_) {
        const auto first = work.begin();
        const CFGBlock* block = first->second.first;
        states now = std::move(first->second.second);
        work.erase(first);
        if (--steps_left_ < 0) {
            needed(nullptr);
            break;
        }
        if (block == &graph->getExit()) {
            watch(nullptr, now);
            for (facts& each : now) add_state(ends, std::move(each));
            continue;
        }
        block_ = block;
        for (const CFGElement& element : *block) {
            if (now.empty() || finished_) break;
            if (const auto statement = element.getAs<CFGStmt>()) {
                if (const CFGBlock* handler = edges.handler_of(statement->getStmt()))
                    for (const facts& each : now) enter(block, handler, each);
                now = transfer(statement->getStmt(), uses, std::move(now));
            } else if (const auto initializer = element.getAs<CFGInitializer>()) {
                const CXXCtorInitializer* each = initializer->getInitializer();
                for (facts& state : now) {
                    const auto found = uses.uses.find(each);
                    if (found != uses.uses.end() &&
                        !(each->isMemberInitializer() &&
                          each->getMember()->getType()->isReferenceType()))
                        read_all(state, each->getInit());
                    if (each->isMemberInitializer()) {
                        const path member = member_of_this(function, each->getMember());
                        const auto type = each->getMember()->getType();
                        if (type->isIntegralOrEnumerationType())
                            assign(state, values_.value_atom(member),
                                   values_.value_of(each->getInit()));
                    }
                    if (each == what_.start) activate(state);
                }
            }
        }
        if (finished_) break;
        const Expr* condition = block->getLastCondition();
        const Stmt* terminator = block->getTerminatorStmt();
        const bool is_switch = terminator != nullptr && isa<SwitchStmt>(terminator);
        unsigned index = 0;
        for (const auto& next : block->succs()) {
            const CFGBlock* to = next.getReachableBlock();
            const bool truth = index++ == 0;
            if (to == nullptr) continue;
            for (const facts& each : now) {
                if (condition == nullptr || block->succ_size() != 2 || is_switch) {
                    enter(block, to, each);
                    continue;
                }
                for (facts& possible : assume(condition, truth, each))
                    enter(block, to, std::move(possible));
            }
        }
    }
    block_ = outer;
    return ends;
}

path flow::member_of_this(const FunctionDecl* constructor, const FieldDecl* member) const {
    const auto found = values_.bound.find(constructor);
    path result = found != values_.bound.end() ? found->second : path{constructor, {nullptr}};
    result.members.emplace_back(member->getCanonicalDecl());
    return result;
}

void flow::activate(facts& now) {
    const bool is_new_storage = what_.extent.how == zeroed_extent::growth::fixed ||
                                what_.extent.how == zeroed_extent::growth::counted;
    if (now.live && !now.is_all_covered() && !is_new_storage) {
        needed(nullptr);
        return;
    }
    if (start_block_ == nullptr) start_block_ = block_;
    const zeroed_extent& extent = what_.extent;
    const polynomial size = values_.size_of(what_.object.type);
    const auto translated = [&](polynomial value) {
        for (const auto& [parameter, argument] : extent.arguments)
            value = value.replaced(values_.value_atom({parameter->getCanonicalDecl(), {}}),
                                   values_.value_of(argument));
        return now.normal(value);
    };
    const auto count = [&] {
        polynomial result = values_.value_of(extent.count);
        if (extent.second_count != nullptr) result = result * values_.value_of(extent.second_count);
        return translated(result);
    };
    for (const auto& [member, value] : extent.beside) {
        path other = what_.object.root;
        other.members.back() = member;
        assign(now, values_.value_atom(other), translated(values_.value_of(value)));
    }
    const atom container_size = values_.size_atom(what_.object.root);
    now.end();
    now.live = true;
    switch (extent.how) {
        case zeroed_extent::growth::fixed:
            now.zeroed = {extent.offset, extent.offset + extent.bytes};
            break;
        case zeroed_extent::growth::counted:
            now.zeroed = {0, size * count()};
            if (what_.object.kind == object_kind::container) assign(now, container_size, count());
            break;
        case zeroed_extent::growth::unknown:
            now.zeroed = {0, size * polynomial::of(what_.object.kind == object_kind::container
                                                       ? container_size
                                                       : values_.fresh_atom())};
            break;
        case zeroed_extent::growth::resized:
            now.zeroed = {now.normal(size * polynomial::of(container_size)), size * count()};
            assign(now, container_size, count());
            break;
        case zeroed_extent::growth::appended: {
            const polynomial old = now.normal(polynomial::of(container_size));
            now.zeroed = {size * old, size * old + size};
            assign(now, container_size, old + 1);
            break;
        }
    }
    // Numbers of elements are not negative, whatever the type that they are written in.
    for (const atom each : now.zeroed.high.atoms()) values_.axioms.push_back(polynomial::of(each));
    for (const auto& [low, high] : extent.initialised) now.cover({low, high});
    if (now.at_least_zero(now.zeroed.low - now.zeroed.high)) now.end();
}

void flow::watch(const Stmt* statement, const states& before) {
    if (values_.frames.size() != 1) return;
    if (what_.filling != nullptr && what_.filling->count(statement) == 0)
        for (const facts& now : before)
            if (now.live && !now.is_all_covered()) verdict_.left_by_filling = true;
    const auto* call = dyn_cast_or_null<CXXMemberCallExpr>(statement);
    if (call == nullptr || call == what_.start || name_of(call->getMethodDecl()) != "resize" ||
        call->getNumArgs() == 0 || what_.object.kind != object_kind::container)
        return;
    const auto target = values_.object_path(call->getImplicitObjectArgument());
    if (!target || !(*target == what_.object.root)) return;
    const polynomial bytes =
        polynomial(values_.size_of(what_.object.type)) * values_.value_of(call->getArg(0));
    bool& shrinks = verdict_.shrinks.try_emplace(call, true).first->second;
    for (const facts& now : before)
        shrinks = shrinks && now.live && now.at_least_zero(now.zeroed.high - bytes);
}

flow::states flow::transfer(const Stmt* statement, const function_uses& uses, states before) {
    watch(statement, before);
    // A destructor may go through the pointers of what is not local.
    if (!what_.is_local && has_pointers(what_.object.type) &&
        may_throw(statement, values_.context()))
        for (facts& now : before) read_all(now, statement);
    if (isa<CXXThrowExpr>(statement)) return {};
    if (const auto* call = dyn_cast<CallExpr>(statement)) {
        const auto* callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
        if (callee != nullptr && callee->isNoReturn()) return {};
    }
    states after;
    const auto found = uses.uses.find(statement);
    const bool is_call = isa<CallExpr>(statement) || isa<CXXConstructExpr>(statement);
    if (found == uses.uses.end() || !is_call) {
        after = std::move(before);
        for (facts& now : after) {
            const auto use_all = [&](const void* where) {
                const auto places = uses.uses.find(where);
                if (places == uses.uses.end() || !now.live) return;
                if (where == statement && storing_.count(statement) != 0 &&
                    std::none_of(places->second.begin(), places->second.end(),
                                 [&](const Expr* each) { return values_.place_of(each); }))
                    return;
                for (const Expr* each : places->second) {
                    if (const auto place = values_.place_of(each))
                        use(statement, each, *place, uses, now);
                    else
                        read_all(now, statement);
                }
            };
            use_all(statement);
            if (const auto* declarations = dyn_cast<DeclStmt>(statement))
                for (const Decl* each : declarations->decls()) use_all(each);
        }
    } else {
        const call_parts call = parts_of(cast<Expr>(statement));
        for (const facts& now : before)
            for (facts& each : now.live ? use_in_call(call, uses, now) : states{now})
                add_state(after, std::move(each));
    }
    if (statement == what_.creation) {
        const states constructed = std::exchange(after, {});
        for (const facts& now : constructed) {
            auto made = inlined(parts_of(what_.creation), now);
            if (!made) needed(statement);
            if (made)
                for (facts& each : *made) add_state(after, std::move(each));
        }
    }
    if (finished_) return {};
    for (facts& now : after) {
        effects(statement, now);
        bool starts = statement == what_.start;
        if (const auto* declarations = dyn_cast<DeclStmt>(statement))
            for (const Decl* each : declarations->decls()) starts = starts || each == what_.start;
        if (starts) activate(now);
    }
    // What an inlined function returns becomes the value of its call.
    const auto* result = dyn_cast<ReturnStmt>(statement);
    if (result != nullptr && result->getRetValue() != nullptr && values_.frames.size() > 1 &&
        (result->getRetValue()->getType()->isIntegralOrEnumerationType() ||
         result->getRetValue()->getType()->isPointerType())) {
        const Expr* value = result->getRetValue();
        const atom name = values_.value_atom({values_.frames.back(), {nullptr, nullptr}});
        states split;
        for (const facts& now : after) {
            if (!value->getType()->isBooleanType()) {
                facts one = now;
                assign(one, name, values_.value_of(value));
                add_state(split, std::move(one));
                continue;
            }
            for (const bool truth : {true, false})
                for (facts& each : assume(value, truth, now)) {
                    assign(each, name, truth ? 1 : 0);
                    add_state(split, std::move(each));
                }
        }
        return split;
    }
    return after;
}

bool flow::is_returned(const Expr* expression, const function_uses& uses) const {
    const Stmt* each = expression;
    while (each != nullptr) {
        if (isa<ReturnStmt>(each)) return true;
        const auto* construct = dyn_cast<CXXConstructExpr>(each);
        const bool passes =
            each == expression || isa<CastExpr>(each) || isa<FullExpr>(each) ||
            isa<ParenExpr>(each) || isa<CXXBindTemporaryExpr>(each) ||
            isa<MaterializeTemporaryExpr>(each) ||
            (construct != nullptr && construct->getNumArgs() >= 1) ||
            (isa<CallExpr>(each) && name_of_callee(cast<CallExpr>(each)) == "std::move");
        if (!passes) return false;
        const auto found = uses.parents.find(each);
        if (found == uses.parents.end()) return false;
        each = found->second;
    }
    return false;
}

/// True for an operand of `a, b` whose value nobody gets.
bool flow::is_discarded(const BinaryOperator* comma, const Expr* operand,
                        const function_uses& uses) {
    while (comma != nullptr && comma->getOpcode() == BO_Comma) {
        if (strip(comma->getLHS()) == strip(operand)) return true;
        const auto above = uses.parents.find(comma);
        if (above == uses.parents.end() || !isa_and_nonnull<Expr>(above->second)) return true;
        operand = comma;
        comma = dyn_cast<BinaryOperator>(above->second);
    }
    return false;
}

/// True for a byte that is read through a pointer that was made from one to an object.
bool flow::is_raw(const Expr* expression) const {
    for (;;) {
        expression = strip(expression);
        if (const auto* name = dyn_cast<DeclRefExpr>(expression)) {
            const auto* variable = dyn_cast<VarDecl>(name->getDecl());
            return variable != nullptr && raw_.count(variable->getCanonicalDecl()) != 0;
        }
        if (const auto* cast = dyn_cast<CastExpr>(expression))
            expression = cast->getSubExpr();
        else if (const auto* element = dyn_cast<ArraySubscriptExpr>(expression))
            expression = element->getBase();
        else if (const auto* unary = dyn_cast<UnaryOperator>(expression))
            expression = unary->getSubExpr();
        else if (const auto* binary = dyn_cast<BinaryOperator>(expression))
            expression = binary->getLHS();
        else
            return false;
    }
}

void flow::note_raw(const VarDecl* variable, const Expr* pointer) {
    if (!variable->getType()->isPointerType() ||
        variable->getType()->getPointeeType()->isRecordType())
        return;
    for (pointer = strip(pointer); const auto* cast = dyn_cast<CastExpr>(pointer);
         pointer = strip(cast->getSubExpr())) {
        const QualType from = cast->getSubExpr()->getType();
        if (cast->getCastKind() == CK_BitCast && from->isPointerType() &&
            from->getPointeeType()->isRecordType())
            raw_.insert(variable->getCanonicalDecl());
    }
    if (is_raw(pointer)) raw_.insert(variable->getCanonicalDecl());
}

void flow::use(const Stmt* statement, const Expr* expression, const place& where,
               const function_uses& uses, facts& now) {
    const byte_range range = extent_of(where);
    if (const auto* cast = dyn_cast<CastExpr>(statement)) {
        switch (cast->getCastKind()) {
            case CK_ToVoid:
            case CK_PointerToBoolean:
                return;
            case CK_LValueToRValue:
                read(now, range, statement, !padding_.empty() && is_raw(expression));
                return;
            default:
                if (cast->getType()->isBooleanType()) return;
                read_all(now, statement);
                return;
        }
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
        if (binary->isComparisonOp() || binary->isLogicalOp() || binary->getOpcode() == BO_Sub ||
            is_discarded(binary, expression, uses))
            return;
        if (binary->isAssignmentOp()) {
            const bool is_target = strip(binary->getLHS()) == strip(expression);
            if (is_target && where.how == form::object) {
                if (binary->isCompoundAssignmentOp()) read(now, range, statement);
                // Whatever is written may take a string's terminator away.
                if (!string_sizes_.empty() && values_.value_of(binary->getRHS()).constant() != 0)
                    for (const atom each : string_sizes_) forget(now, each);
                write(now, range, statement, true);
            } else if (is_target && where.how == form::handle && statement != what_.start) {
                now.end();
            } else if (!is_target && !values_.place_of(binary->getLHS())) {
                if (where.how == form::object)
                    read(now, range, statement);
                else
                    read_all(now, statement);
            }
            return;
        }
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(statement)) {
        if (unary->getOpcode() == UO_LNot) return;
        if (unary->isIncrementDecrementOp()) {
            if (where.how == form::object) {
                read(now, range, statement);
                write(now, range, statement, false);
            }
            return;
        }
    }
    if (storing_.count(statement) != 0 && where.how != form::object) return;
    if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
        for (const Decl* each : declarations->decls()) {
            const auto* variable = dyn_cast<VarDecl>(each);
            if (variable != nullptr &&
                (values_.aliases.count(variable) != 0 || values_.bound.count(variable) != 0))
                return;
        }
        if (where.how == form::object)
            read(now, range, statement);
        else
            read_all(now, statement);
        return;
    }
    if (isa<CXXDeleteExpr>(statement)) {
        now.end();
        return;
    }
    if (isa<MemberExpr>(statement)) return;
    // What a followed function returns is used where it is called.
    if (isa<ReturnStmt>(statement) && values_.frames.size() > 1 && where.how == form::address &&
        cast<ReturnStmt>(statement)->getRetValue()->getType()->isPointerType() &&
        returns_parameter_)
        return;
    if (isa<ReturnStmt>(statement) || is_returned(expression, uses)) {
        const bool untouched = now.covered.size() <= what_.extent.initialised.size();
        if (values_.frames.size() == 1 && where.how != form::object && what_.is_local &&
            untouched && !now.is_all_covered()) {
            verdict_.returned = true;
            now.end();
            return;
        }
    }
    if (where.how == form::object)
        read(now, range, statement);
    else
        read_all(now, statement);
}

}  // namespace freehold::check
