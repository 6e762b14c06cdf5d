// SPDX-License-Identifier: BSL-1.0
#include "flow.hpp"

#include "check/plugin/syntax/syntax.hpp"
#include "check/plugin/zeroing/values/padding.hpp"
#include "control_flow.hpp"
#include "destructors.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace freehold::check {
namespace {

using namespace clang;

// Above these limits the analysis gives up, and finds nothing.
constexpr std::size_t most_states = 24;
constexpr int most_passes = 8;

/// True if the number of elements is computed in fewer bits than a size has.
bool has_narrow_count(const zeroed_extent& extent, const ASTContext& context) {
    constexpr unsigned width_of_sizes = 64;
    if (extent.count == nullptr || extent.second_count != nullptr) return false;
    const Expr* count = strip_casts(extent.count);
    if (const auto* name = dyn_cast<DeclRefExpr>(count)) {
        for (const auto& [parameter, argument] : extent.arguments)
            if (parameter == name->getDecl()) count = strip_casts(argument);
        const auto* variable = dyn_cast<VarDecl>(name->getDecl());
        const auto* within =
            variable != nullptr
                ? dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod())
                : nullptr;
        if (within != nullptr && variable->hasLocalStorage() && variable->getInit() != nullptr &&
            !isa<ParmVarDecl>(variable) && !is_changed(within->getBody(), variable))
            count = strip_casts(variable->getInit());
    }
    return isa<BinaryOperator>(count) && count->getType()->isIntegralOrEnumerationType() &&
           context.getIntWidth(count->getType()) < width_of_sizes;
}

/// After each pass of a loop with a condition such as `x < w`, `w - x` is often not negative. Then
/// the end of the loop shows that x is w. Empty for other conditions.
std::optional<polynomial> bound_of_counter(const Expr* condition, values& values) {
    const auto* comparison =
        condition != nullptr ? dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
    if (comparison == nullptr || !comparison->isRelationalOp() ||
        !comparison->getLHS()->getType()->isIntegralOrEnumerationType())
        return {};
    const polynomial distance =
        values.value_of(comparison->getRHS()) - values.value_of(comparison->getLHS());
    switch (comparison->getOpcode()) {
        case BO_LT:
            return distance;
        case BO_LE:
            return distance + 1;
        case BO_GT:
            return polynomial() - distance;
        default:
            return polynomial() - distance + 1;
    }
}

}  // namespace

flow::flow(ASTContext& context, graphs& graphs, filled_counts& counts,
           const std::vector<filler>& more_fillers, const zeroing& what, std::int64_t& work_left,
           loop_variable preferred)
    : values_(context),
      graphs_(graphs),
      filled_counts_(counts),
      what_(what),
      work_left_(work_left),
      preferred_(preferred) {
    for (const filler& each : known_fillers()) fillers_[each.name] = each;
    for (const filler& each : more_fillers) fillers_[each.name] = each;
    values_.object = what.object;
    values_.is_size_narrow = has_narrow_count(what.extent, context);
    padding_ = padding_of(what.object.type, values_);
    is_ended_by_code_ = has_written_destructor(what.object.type, context) ||
                        is_read_by_destructor(what.object.root, what.object.type, context);
    has_padded_numbers_ = has_padded_numbers(what.object.type, context);
}

verdict flow::follow(const FunctionDecl* function) {
    return follow_from(function, false);
}

verdict flow::follow_parameter(const FunctionDecl* function) {
    return follow_from(function, true);
}

/// Stores the results of one look at a loop for the next look.
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

std::vector<atom> flow::in_order(const std::set<atom>& changed) const {
    std::vector<atom> result(changed.begin(), changed.end());
    if (preferred_ == loop_variable::running_index)
        std::stable_partition(result.begin(), result.end(),
                              [&](atom each) { return running_indices_.count(each) == 0; });
    return result;
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
    entry.work_left = &work_left_;
    if (is_zeroed) activate(entry);
    const states ends = run(function, uses, entry);
    if (!what_.is_local && !finished_) {
        // Every later reader counts as a read at the function's end.
        for (facts each : ends) {
            if (!each.live) continue;
            if (!each.is_all_covered()) cover_unfilled(each);
            if (!each.is_all_covered()) cover_padding(each);
            verdict_.padding_left = verdict_.padding_left || each.padding_left;
            if (each.is_all_covered())
                verdict_.overwritten = true;
            else
                verdict_.needed = true;
        }
    }
}

flow::states flow::run(const FunctionDecl* function, const function_uses& uses,
                       const facts& entry) {
    CFG* graph = graphs_.of(function, values_.context());
    if (graph == nullptr) {
        needed();
        return {};
    }
    const evaluation nowhere(values_, nullptr);
    const exception_edges edges(function, *graph, values_.context());
    const std::map<block_edge, block_set> loops = loops_of(*graph, edges);
    const block_set within_loops = blocks_within(loops, edges);

    struct incoming {
        states all;
        states from_outside;  // States that did not come by a back edge.
        int passes = 0;
    };
    std::map<unsigned, incoming> blocks;
    // Clang numbers the blocks downwards in the order of the program.
    std::map<unsigned, std::pair<const CFGBlock*, states>, std::greater<>> work;

    const auto enter = [&](const CFGBlock* from, const CFGBlock* to, facts state) {
        incoming& target = blocks[to->getBlockID()];
        const auto loop = loops.find({from, to});
        const bool is_back = loop != loops.end();
        if (is_back) {
            // The next pass creates another object, or makes this one larger.
            const bool grows = what_.extent.how == zeroed_extent::growth::appended ||
                               what_.extent.how == zeroed_extent::growth::resized;
            if (grows) cover_unfilled(state);
            // Where a loop has no pass because there are no bytes.
            if (state.live && state.at_least_zero(state.zeroed.low - state.zeroed.high))
                state.end();
            if (grows && state.live && state.is_all_covered() && !state.padding_left) {
                if (!state.covered.empty()) verdict_.overwritten = true;
                state.end();
            }
            std::set<atom> in_loop;
            // Atoms that no later pass uses: variables of the loop, and results of calls.
            std::set<atom> dead;
            for (const CFGBlock* each : loop->second) {
                in_loop.insert(assigned_[each].begin(), assigned_[each].end());
                dead.insert(declared_[each].begin(), declared_[each].end());
            }
            const std::vector<atom> changed = in_order(in_loop);
            const auto forget_dead = [&](facts& of) {
                for (const atom each : dead)
                    if (!of.is_end(each)) of.forget(each, [&] { return values_.fresh_atom(); });
            };
            forget_dead(state);
            for (const atom each : changed)
                if (values_.is_of_call(each)) dead.insert(each);
            // A pass that changed nothing, for example after EINTR, ends here.
            facts rest = state;
            forget_dead(rest);
            if (std::any_of(target.all.begin(), target.all.end(),
                            [&](const facts& each) { return rest.implies(each); }))
                return;
            const evaluation here(values_, &state);
            std::optional<polynomial> bound = bound_of_counter(to->getLastCondition(), values_);
            // Pieces at a distance are counted by the counter itself.
            const bool has_pieces =
                std::any_of(state.covered.begin(), state.covered.end(),
                            [](const byte_range& range) { return !range.is_one(); });
            if (bound && (has_pieces || !columns_[to].empty() || !state.at_least_zero(*bound)))
                bound.reset();
            if (state.live) {
                if (target.passes > 0) {
                    std::vector<atom> seen;
                    std::set_difference(in_loop.begin(), in_loop.end(), dead.begin(), dead.end(),
                                        std::back_inserter(seen));
                    learn(to, state, target.from_outside.back(), seen);
                }
                // The latest entry is most often the one with which this pass began.
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
            if (bound) state.know_at_least_zero(*bound);
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
            needed();
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
        if (work_left_ < 0) verdict_.gave_up = true;
        if (--steps_left_ < 0 || work_left_ < 0) {
            needed();
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
            for (const facts& each : now) work_left_ -= static_cast<std::int64_t>(each.size());
            if (const auto statement = element.getAs<CFGStmt>()) {
                if (const CFGBlock* handler = edges.handler_of(statement->getStmt()))
                    for (const facts& each : now) enter(block, handler, each);
                now = transfer(statement->getStmt(), uses, std::move(now));
            } else if (const auto initializer = element.getAs<CFGInitializer>()) {
                const CXXCtorInitializer* each = initializer->getInitializer();
                for (facts& state : now) {
                    const evaluation here(values_, &state);
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
            } else if (const auto ended = element.getAs<CFGAutomaticObjDtor>()) {
                const bool is_owner = variable_of(what_.object.root) == ended->getVarDecl();
                for (facts& state : now) {
                    if (is_owner && is_ended_by_code_) read_all(state, ended->getTriggerStmt());
                    end_of(ended->getVarDecl()->getType(), state);
                }
            }
        }
        if (finished_) break;
        const Expr* condition = block->getLastCondition();
        const Stmt* terminator = block->getTerminatorStmt();
        const bool is_switch = terminator != nullptr && isa<SwitchStmt>(terminator);
        within_loop_ = within_loops.count(block) != 0;
        unsigned index = 0;
        for (const auto& next : block->succs()) {
            const CFGBlock* to = target_of(next, *block);
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
        within_loop_ = false;
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
    bool& shrinks = verdict_.shrinks.try_emplace(call, true).first->second;
    for (const facts& now : before) {
        const evaluation here(values_, &now);
        if (now.live && distance_within(call->getArg(0))) continue;
        const auto bytes = kept_bytes(parts_of(call), now);
        shrinks = shrinks && bytes && now.live &&
                  (now.at_least_zero(now.zeroed.high - *bytes) || now.has_written_up_to(*bytes));
    }
}

/// True if the statement may call a function that the check cannot see, or throw an exception out
/// of the outermost function.
bool flow::lets_others_look(const Stmt* statement, const function_uses& uses) {
    const auto& context = values_.context();
    const VarDecl* variable = variable_of(what_.object.root);
    if (!what_.is_shared &&
        (variable == nullptr || escaping_.count(variable->getCanonicalDecl()) == 0))
        return false;
    const bool may_leave = what_.is_shared && context.getLangOpts().CXXExceptions &&
                           !is_noexcept(values_.frames.front());
    if (isa<CXXThrowExpr>(statement)) return may_leave;
    if (statement == what_.start || !(isa<CallExpr>(statement) || isa<CXXConstructExpr>(statement)))
        return false;
    const call_parts call = parts_of(cast<Expr>(statement));
    const bool is_library = call.callee != nullptr && is_in_system_header(call.callee, context);
    if (may_leave && is_library && throws_as_stream(call.callee)) return true;
    if (is_library && jumps_away(call.callee)) return true;
    if (fillers_.count(call.name) != 0) return false;
    // It is followed, and its own calls are judged.
    const bool is_followed = call.callee != nullptr && call.callee->hasBody() && !is_library &&
                             uses.uses.count(statement) != 0;
    if (is_followed) return false;
    if (may_leave && is_library && throws_by_contract(call.callee)) return true;
    bool result = false;
    for_each_code_of(call, [&](const FunctionDecl* code) {
        const side_effect& effect = effects_.of(code, context);
        result = result || effect.anything || (may_leave && effect.throws);
    });
    return result;
}

/// The states after the atom gets the value of the expression: two for each state if it is a bool.
flow::states flow::assigned(atom which, const Expr& value, const states& before) {
    states result;
    for (const facts& now : before) {
        const evaluation here(values_, &now);
        if (!value.getType()->isBooleanType()) {
            facts one = now;
            assign(one, which, values_.value_of(&value));
            add_state(result, std::move(one));
            continue;
        }
        for (const bool truth : {true, false})
            for (facts& each : assume(&value, truth, now)) {
                assign(each, which, truth ? 1 : 0);
                add_state(result, std::move(each));
            }
    }
    return result;
}

flow::states flow::transfer(const Stmt* statement, const function_uses& uses, states before) {
    watch(statement, before);
    // After an exception, a destructor may use the pointers in an object that is not local. Its own
    // destructor, and that of a class whose member it is, may use all of it.
    const bool is_used_at_end =
        is_ended_by_code_ || (!what_.is_local && has_pointers(what_.object.type));
    if (is_used_at_end && may_throw(statement, values_.context(), library_exceptions::ignored))
        for (facts& now : before) read_all(now, statement);
    if (lets_others_look(statement, uses))
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
            const evaluation here(values_, &now);
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
            if (!made) needed();
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
    // The value that an inlined function returns becomes the value of its call.
    const auto* result = dyn_cast<ReturnStmt>(statement);
    if (result != nullptr && result->getRetValue() != nullptr && values_.frames.size() > 1 &&
        (result->getRetValue()->getType()->isIntegralOrEnumerationType() ||
         result->getRetValue()->getType()->isPointerType()))
        return assigned(values_.value_atom({values_.frames.back(), {nullptr, nullptr}}),
                        *result->getRetValue(), after);
    // A variable such as `const bool whole = fread(...) == size` keeps what the condition implies.
    const auto* declaration = dyn_cast<DeclStmt>(statement);
    const auto* flag = declaration != nullptr && declaration->isSingleDecl()
                           ? dyn_cast<VarDecl>(declaration->getSingleDecl())
                           : nullptr;
    if (flag != nullptr && flag->hasLocalStorage() && flag->getInit() != nullptr &&
        flag->getType()->isBooleanType() && flag->getInit()->getType()->isBooleanType()) {
        states split;
        for (facts& now : after) {
            const bool matters = now.live && !now.is_all_covered();
            for (facts& each : matters
                                   ? assigned(values_.value_atom({flag->getCanonicalDecl(), {}}),
                                              *flag->getInit(), {now})
                                   : states{now})
                add_state(split, std::move(each));
        }
        return split;
    }
    return after;
}

}  // namespace freehold::check
