// SPDX-License-Identifier: BSL-1.0
#include "flow.hpp"

#include "clang_version.hpp"

#include <algorithm>
#include <array>

#include <clang/AST/RecordLayout.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

// Above these the analysis gives up, and finds nothing.
constexpr std::size_t most_states = 24;
constexpr int most_passes = 8;
constexpr std::size_t deepest_call = 4;

template <class Names>
bool is_one_of(std::string_view name, const Names& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// `std::ranges::__copy_fn::operator()` is `std::ranges::copy`.
std::string without_function_object(const std::string& name) {
    constexpr std::string_view begin = "std::ranges::__";
    const std::size_t end = name.rfind("_fn::operator()");
    if (name.compare(0, begin.size(), begin) != 0 || end == std::string::npos) return name;
    return "std::ranges::" + name.substr(begin.size(), end - begin.size());
}

/// The parts of a variable that an initialiser list gives values.
std::vector<std::pair<path, const Expr*>> parts_of_list(const path& within,
                                                        const InitListExpr& list) {
    std::vector<std::pair<path, const Expr*>> result;
    const auto* record = list.getType()->getAsRecordDecl();
    const auto* derived = dyn_cast_or_null<CXXRecordDecl>(record);
    if ((record != nullptr && record->isUnion()) ||
        (derived != nullptr && derived->getNumBases() != 0))
        return result;
    auto field = record != nullptr ? record->field_begin() : RecordDecl::field_iterator();
    for (unsigned i = 0; i < list.getNumInits(); ++i) {
        path part = within;
        if (record == nullptr)
            part.members.emplace_back(std::int64_t{i});
        else
            part.members.emplace_back((field++)->getCanonicalDecl());
        result.emplace_back(std::move(part), list.getInit(i));
    }
    return result;
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

bool is_in_system_header(const Decl* declaration, const ASTContext& context) {
    return context.getSourceManager().isInSystemHeader(declaration->getLocation());
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

llvm::StringRef identifier(const NamedDecl* declaration) {
    return declaration != nullptr && declaration->getDeclName().isIdentifier()
               ? declaration->getName()
               : llvm::StringRef();
}

/// The size of what an iterator or pointer points to; 0 if it is not known.
std::int64_t step_of(const values& values, QualType type) {
    type = type.getNonReferenceType();
    if (type->isPointerType()) return values.size_of(type->getPointeeType());
    const auto* special =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (special == nullptr || special->getTemplateArgs().size() == 0) return 0;
    const auto& argument = special->getTemplateArgs()[0];
    if (argument.getKind() != TemplateArgument::Type || !argument.getAsType()->isPointerType())
        return 0;
    return values.size_of(argument.getAsType()->getPointeeType());
}

/// The blocks of the loop that this back edge closes.
std::set<const CFGBlock*> loop_of(const CFGBlock* from, const CFGBlock* head) {
    std::set<const CFGBlock*> result = {head};
    std::vector<const CFGBlock*> work = {from};
    while (!work.empty()) {
        const CFGBlock* each = work.back();
        work.pop_back();
        if (!result.insert(each).second) continue;
        for (const auto& previous : each->preds())
            if (previous.getReachableBlock() != nullptr) work.push_back(previous);
    }
    return result;
}

void find_back_edges(const CFGBlock* block, std::set<const CFGBlock*>& on_way,
                     std::set<const CFGBlock*>& done,
                     std::set<std::pair<const CFGBlock*, const CFGBlock*>>& result) {
    done.insert(block);
    on_way.insert(block);
    for (const auto& next : block->succs()) {
        const CFGBlock* to = next.getReachableBlock();
        if (to == nullptr) continue;
        if (on_way.count(to) != 0)
            result.insert({block, to});
        else if (done.count(to) == 0)
            find_back_edges(to, on_way, done, result);
    }
    on_way.erase(block);
}

/// True if the part names the variable other than to call it.
bool is_named(const Stmt* part, const VarDecl* variable) {
    if (part == nullptr) return false;
    if (const auto* name = dyn_cast<DeclRefExpr>(part)) return name->getDecl() == variable;
    const auto* call = dyn_cast<CXXOperatorCallExpr>(part);
    const bool calls = call != nullptr && call->getOperator() == OO_Call;
    for (const Stmt* child : part->children()) {
        const auto* name = child != nullptr && calls && child == call->getArg(0)
                               ? dyn_cast<DeclRefExpr>(call->getArg(0)->IgnoreImplicit())
                               : nullptr;
        if (!(name != nullptr && name->getDecl() == variable) && is_named(child, variable))
            return true;
    }
    return false;
}

/// A variable that holds a lambda.
bool holds_lambda(const VarDecl* variable) {
    const auto* record = variable->getType()->getAsCXXRecordDecl();
    return record != nullptr && record->isLambda();
}

void add_state(std::vector<facts>& states, facts state) {
    if (std::find(states.begin(), states.end(), state) == states.end())
        states.push_back(std::move(state));
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

void flow::read(facts& now, const byte_range& range, const Stmt* where, bool raw) {
    if (!now.live || finished_) return;
    if (!now.is_covered(range) || (raw && now.padding_left)) {
        needed(where);
        return;
    }
    if (!now.covered.empty() && !now.at_least_zero(range.low - range.high))
        verdict_.overwritten = true;
}

void flow::read_all(facts& now, const Stmt* where, bool raw) {
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

// ---- Which expressions refer to the object.

bool flow::is_alias_type(QualType type) const {
    if (type->isReferenceType() || type->isPointerType()) return true;
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr) return false;
    const llvm::StringRef name = identifier(record);
    return is_view_class(record) || name == "__normal_iterator" || name == "__wrap_iter";
}

void flow::find_aliases(const Stmt* part) {
    if (part == nullptr) return;
    if (isa<LambdaExpr>(part)) return;
    if (const auto* statement = dyn_cast<DeclStmt>(part)) {
        for (const Decl* declaration : statement->decls()) {
            const auto* variable = dyn_cast<VarDecl>(declaration);
            if (variable == nullptr || variable->getInit() == nullptr ||
                !variable->hasLocalStorage() || variable == what_.object.root.root)
                continue;
            find_pointers({variable, {}}, variable->getInit());
            if (!is_alias_type(variable->getType()) || values_.aliases.count(variable) != 0)
                continue;
            const auto from = values_.place_of(variable->getInit());
            if (!from) {
                if (variable->getType()->isReferenceType())
                    if (const auto named = values_.path_of(variable->getInit()))
                        values_.bound[variable] = *named;
                continue;
            }
            if (from->how == form::handle && variable->getType()->isReferenceType())
                values_.bound[variable] = what_.object.root;
            else if (from->how == form::handle)
                values_.aliases[variable] = form::address;
            else
                values_.aliases[variable] = from->how;
        }
    }
    const auto* assignment = dyn_cast<BinaryOperator>(part);
    if (assignment != nullptr && assignment->getOpcode() == BO_Assign &&
        assignment->getType()->isPointerType()) {
        const auto target = values_.path_of(assignment->getLHS());
        const bool is_local = target && !(*target == what_.object.root) &&
                              std::none_of(target->members.begin(), target->members.end(),
                                           [](const step& each) { return each == step(nullptr); });
        const auto* root = is_local ? static_cast<const Decl*>(target->root) : nullptr;
        const auto* variable = dyn_cast_or_null<VarDecl>(root);
        if (variable != nullptr && variable->hasLocalStorage() &&
            !variable->getType()->isReferenceType() && values_.aliases.count(variable) == 0 &&
            values_.place_of(assignment->getRHS()))
            values_.pointers.insert(*target);
    }
    for (const Stmt* child : part->children()) find_aliases(child);
}

void flow::find_pointers(const path& within, const Expr* initial) {
    initial = strip(initial);
    const auto* list = dyn_cast<InitListExpr>(initial);
    if (list == nullptr) {
        if (!within.members.empty() && initial->getType()->isPointerType() &&
            values_.place_of(initial))
            values_.pointers.insert(within);
        return;
    }
    for (const auto& [part, value] : parts_of_list(within, *list)) {
        find_pointers(part, value);
        if (values_.pointers.count(part) != 0) storing_.insert(list);
    }
}

bool flow::holds_pointer(const path& whole) const {
    return std::any_of(values_.pointers.begin(), values_.pointers.end(), [&](const path& each) {
        return each.starts_with(whole) && !(each == whole);
    });
}

/// True for an expression that names what the object is a part of.
bool flow::reaches_object(const Expr* expression) const {
    if (!isa<DeclRefExpr>(expression) && !isa<MemberExpr>(expression) &&
        !isa<CXXThisExpr>(expression))
        return false;
    const auto named = values_.path_of(expression);
    return named && !(*named == what_.object.root) && what_.object.root.starts_with(*named);
}

/// Climbs to what uses the whole that this part names: a call, or anything.
void flow::use_whole(const Stmt* part, const void* parent, bool in_any, function_uses& into) {
    const auto* above = static_cast<const Stmt*>(parent);
    const Stmt* below = part;
    while (above != nullptr && into.parents.count(above) != 0 &&
           (isa<ImplicitCastExpr>(above) || isa<ParenExpr>(above) || isa<UnaryOperator>(above) ||
            isa<FullExpr>(above))) {
        below = above;
        above = into.parents[above];
    }
    const bool is_known_parent = above != nullptr && into.parents.count(above) != 0;
    const auto* member = is_known_parent ? dyn_cast<MemberExpr>(above) : nullptr;
    if (member != nullptr && !isa<FieldDecl>(member->getMemberDecl())) above = into.parents[above];
    if (in_any || (is_known_parent && (isa<CallExpr>(above) || isa<CXXConstructExpr>(above) ||
                                       isa<InitListExpr>(above))))
        into.uses[above].push_back(cast<Expr>(below));
}

void flow::collect_from(const Stmt* part, const void* parent, bool within_place,
                        function_uses& into) {
    if (part == nullptr) return;
    if (isa<UnaryExprOrTypeTraitExpr>(part) || isa<CXXNoexceptExpr>(part) ||
        isa<CXXTypeidExpr>(part))
        return;
    // A parent that is a declaration or a constructor's initialiser has no parent of its own here.
    const auto remember_parent = [&](const Stmt* child) {
        into.parents[child] = static_cast<const Stmt*>(parent);
    };
    const void* as_parent = part;
    const auto* expression = dyn_cast<Expr>(part);
    bool is_place = false;
    if (expression != nullptr) {
        remember_parent(part);
        is_place = values_.place_of(expression).has_value();
        if (is_place && !within_place) into.uses[parent].push_back(expression);
        if (!is_place && reaches_object(expression)) use_whole(part, parent, false, into);
        if (!values_.pointers.empty() && expression->isGLValue()) {
            const auto named = values_.path_of(expression);
            if (named && holds_pointer(*named)) {
                use_whole(part, parent, true, into);
                return;
            }
            if (named && holds_pointer({named->root, {}})) return;
        }
    }
    const auto descend = [&](const Stmt* child) {
        const auto* child_expression = dyn_cast_or_null<Expr>(child);
        const bool chain =
            is_place && child_expression != nullptr && values_.place_of(child_expression);
        collect_from(child, as_parent, chain, into);
    };
    if (const auto* lambda = dyn_cast<LambdaExpr>(part)) {
        for (const Expr* capture : lambda->capture_inits())
            if (capture != nullptr) collect_from(capture, part, false, into);
        return;
    }
    if (const auto* statement = dyn_cast<DeclStmt>(part)) {
        for (const Decl* declaration : statement->decls())
            if (const auto* variable = dyn_cast<VarDecl>(declaration))
                // A lambda that is only called is followed at its calls.
                if (variable->getInit() != nullptr &&
                    !(holds_lambda(variable) &&
                      !is_named(values_.frames.back()->getBody(), variable)))
                    collect_from(variable->getInit(), variable, false, into);
        return;
    }
    if (const auto* call = dyn_cast<CallExpr>(part)) {
        if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
            if (const auto* callee = dyn_cast<MemberExpr>(strip(member->getCallee()))) {
                into.parents[callee] = call;
                descend(callee->getBase());
            }
        } else if (call->getDirectCallee() == nullptr) {
            descend(call->getCallee());
        }
        const auto* operation = dyn_cast<CXXOperatorCallExpr>(call);
        if (operation != nullptr && operation->getOperator() == OO_Call) {
            const auto* name = dyn_cast<DeclRefExpr>(operation->getArg(0)->IgnoreImplicit());
            const auto* held = name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
            if (held != nullptr && holds_lambda(held))
                into.uses[call].push_back(operation->getArg(0));
        }
        for (const Expr* argument : call->arguments()) descend(argument);
        return;
    }
    if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(part)) {
        descend(rewritten->getSemanticForm());
        return;
    }
    for (const Stmt* child : part->children()) descend(child);
}

flow::function_uses flow::collect(const FunctionDecl* function) {
    function_uses result;
    const Stmt* body = function->getBody();
    // An alias of an alias is found in the second pass.
    find_aliases(body);
    find_aliases(body);
    if (const auto* constructor = dyn_cast<CXXConstructorDecl>(function))
        for (const CXXCtorInitializer* each : constructor->inits())
            if (each != what_.start) collect_from(each->getInit(), each, false, result);
    collect_from(body, nullptr, false, result);
    return result;
}

// ---- The data flow.

verdict flow::follow(const FunctionDecl* function) {
    values_.frames = {function};
    CFG* graph = graphs_.of(function, values_.context());
    if (graph == nullptr) {
        verdict_.needed = true;
        return verdict_;
    }
    const function_uses uses = collect(function);
    facts entry;
    entry.axioms = &values_.axioms;
    const states ends = run(function, uses, entry, nullptr);
    if (!what_.is_local && !finished_) {
        // Whatever reads it later counts as a read at the function's end.
        for (const facts& each : ends) {
            if (!each.live) continue;
            if (each.is_all_covered())
                verdict_.overwritten = true;
            else
                verdict_.needed = true;
        }
    }
    return verdict_;
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
    find_back_edges(&graph->getEntry(), on_way, done, back_edges);

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
            std::set<atom> in_loop;
            for (const CFGBlock* each : loop_of(from, to))
                in_loop.insert(assigned_[each].begin(), assigned_[each].end());
            const std::vector<atom> changed(in_loop.begin(), in_loop.end());
            if (state.live) {
                // The latest entry is the one that this pass began with, most often.
                for (auto outside = target.from_outside.rbegin();
                     outside != target.from_outside.rend(); ++outside) {
                    facts general = state;
                    general.generalise(*outside, changed);
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
            state.forget_values(changed);
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
            for (facts& each : now) add_state(ends, std::move(each));
            continue;
        }
        block_ = block;
        for (const CFGElement& element : *block) {
            if (now.empty() || finished_) break;
            if (const auto statement = element.getAs<CFGStmt>()) {
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
                        const path member{function,
                                          {nullptr, each->getMember()->getCanonicalDecl()}};
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

flow::states flow::transfer(const Stmt* statement, const function_uses& uses, states before) {
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
        result->getRetValue()->getType()->isIntegralOrEnumerationType()) {
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

void flow::use(const Stmt* statement, const Expr* expression, const place& where,
               const function_uses& uses, facts& now) {
    const byte_range range = extent_of(where);
    if (const auto* cast = dyn_cast<CastExpr>(statement)) {
        switch (cast->getCastKind()) {
            case CK_ToVoid:
            case CK_PointerToBoolean:
                return;
            case CK_LValueToRValue:
                read(now, range, statement);
                return;
            default:
                if (cast->getType()->isBooleanType()) return;
                read_all(now, statement);
                return;
        }
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
        if (binary->isComparisonOp() || binary->isLogicalOp() || binary->getOpcode() == BO_Sub)
            return;
        if (binary->isAssignmentOp()) {
            const bool is_target = strip(binary->getLHS()) == strip(expression);
            if (is_target && where.how == form::object) {
                if (binary->isCompoundAssignmentOp()) read(now, range, statement);
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

flow::call_parts flow::parts_of(const Expr* expression) const {
    call_parts result;
    result.expression = expression;
    if (const auto* construct = dyn_cast<CXXConstructExpr>(expression)) {
        result.callee = construct->getConstructor();
        result.name = qualified_name(construct->getConstructor()->getParent());
        for (const Expr* each : construct->arguments()) result.arguments.push_back(each);
        return result;
    }
    const auto* call = cast<CallExpr>(expression);
    result.callee = dyn_cast_or_null<FunctionDecl>(call->getCalleeDecl());
    result.name = without_function_object(name_of_callee(call));
    for (const Expr* each : call->arguments()) result.arguments.push_back(each);
    if (const auto* member = dyn_cast<CXXMemberCallExpr>(call)) {
        result.object = member->getImplicitObjectArgument();
    } else if (isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(result.callee) &&
               !result.arguments.empty()) {
        result.object = result.arguments.front();
        result.arguments.erase(result.arguments.begin());
    }
    return result;
}

flow::states flow::use_in_call(const call_parts& call, const function_uses& uses,
                               const facts& before) {
    facts now = before;
    const auto object = call.object != nullptr ? values_.place_of(call.object) : std::nullopt;
    if (const auto* operation = dyn_cast<CXXOperatorCallExpr>(call.expression)) {
        const auto place_at = [&](unsigned index) {
            return operation->getNumArgs() > index ? values_.place_of(operation->getArg(index))
                                                   : std::nullopt;
        };
        const auto left = place_at(0);
        const auto right = place_at(1);
        const auto use_right = [&] {
            if (!right) return;
            if (right->how == form::object)
                read(now, extent_of(*right), call.expression);
            else
                read_all(now, call.expression);
        };
        switch (operation->getOperator()) {
            case OO_Equal:
                if (call.expression == what_.start) return {now};
                use_right();
                if (left && left->how == form::object)
                    write(now, extent_of(*left), call.expression, true);
                else if (left && left->how == form::handle)
                    now.end();
                else if (right && right->how == form::handle)
                    now.end();  // Moved or copied as a whole.
                return {now};
            case OO_EqualEqual:
            case OO_ExclaimEqual:
            case OO_Spaceship:
            case OO_Less:
            case OO_Greater:
            case OO_LessEqual:
            case OO_GreaterEqual:
                if (what_.object.kind == object_kind::container &&
                    ((left && left->how == form::handle) || (right && right->how == form::handle)))
                    read_all(now, call.expression);
                for (const auto& each : {left, right})
                    if (each && each->how == form::object)
                        read(now, extent_of(*each), call.expression);
                return {now};
            case OO_PlusPlus:
            case OO_MinusMinus:
            case OO_Minus:
            case OO_Plus:
            case OO_Exclaim:
                if ((left && left->how == form::object) || (right && right->how == form::object))
                    break;
                return {now};
            case OO_PlusEqual:
            case OO_MinusEqual:
                if (left && left->how != form::object) {
                    use_right();
                    return {now};
                }
                break;
            default:
                break;
        }
    }
    if (call.name == "std::move" || call.name == "std::forward") return {now};
    if (use_filler(call, now) || use_algorithm(call, now)) return {now};
    if (object && use_method(call, *object, now)) return {now};
    if (auto result = inlined(call, now)) return *result;
    const auto* lambda = dyn_cast_or_null<CXXMethodDecl>(call.callee);
    if (lambda != nullptr && lambda->getParent()->isLambda()) read_all(now, call.expression);
    if (call.object != nullptr && (object || reaches_object(strip(call.object)))) {
        if (object && object->how == form::object)
            read(now, extent_of(*object), call.expression);
        else
            read_all(now, call.expression);
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        if (const auto where = values_.place_of(call.arguments[i]))
            use_argument(call, i, *where, uses, now);
    }
    const auto used = uses.uses.find(call.expression);
    for (const Expr* each : used->second) {
        const bool was_read = each == call.object || values_.place_of(each);
        if (!was_read) read_all(now, call.expression);
    }
    return {now};
}

bool flow::use_filler(const call_parts& call, facts& now) {
    const auto found = fillers_.find(call.name);
    if (found == fillers_.end()) return false;
    const filler& how = found->second;
    if (how.how == filled::nothing) return true;
    if (how.how == filled::by_room) return use_room(call, how, now);
    if (how.how == filled::by_parts) return use_parts(call, how, now);
    const auto argument = [&](int index) -> const Expr* {
        return index >= 0 && static_cast<std::size_t>(index) < call.arguments.size()
                   ? call.arguments[static_cast<std::size_t>(index)]
                   : nullptr;
    };
    const Expr* buffer = argument(how.buffer);
    const auto where = buffer != nullptr ? values_.place_of(buffer) : std::nullopt;
    const bool copies = call.name.find("mem") != std::string::npos && how.how == filled::all;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        if (static_cast<int>(i) == how.buffer) continue;
        const auto other = values_.place_of(call.arguments[i]);
        if (!other) continue;
        if (copies)
            read(now, {other->offset, other->offset + values_.value_of(argument(how.size))},
                 call.expression, !padding_.empty());
        else
            read_all(now, call.expression);
    }
    if (!where) return true;
    if (where->how != form::address && where->how != form::handle) {
        read_all(now, call.expression);
        return true;
    }
    const polynomial& low = where->offset;
    polynomial unit = 1;
    if (how.unit != no_argument && argument(how.unit) != nullptr)
        unit = values_.value_of(argument(how.unit));
    polynomial most = how.size != no_argument && argument(how.size) != nullptr
                          ? values_.value_of(argument(how.size))
                          : now.zeroed.high - low;
    const atom result = values_.result_atom(call.expression);
    const atom count = values_.count_atom(call.expression);
    forget(now, result);
    forget(now, count);
    const polynomial counted = polynomial::of(count);
    switch (how.how) {
        case filled::all:
            write(now, {low, low + most}, call.expression, true);
            break;
        case filled::by_result:
            write(now, {low, low + unit * polynomial::of(result)}, call.expression, false);
            now.know_at_least_zero(most - polynomial::of(result));
            break;
        case filled::by_status:
            write(now, {low, low + counted}, call.expression, false);
            now.promise_if({result, how.when, counted - most});
            break;
        case filled::by_argument: {
            if (how.size == how.count)
                if (const auto* address = dyn_cast<UnaryOperator>(strip(argument(how.count))))
                    most = values_.value_of(address->getSubExpr());
            const atom told = values_.result_atom(argument(how.count));
            forget(now, told);
            write(now, {low, low + counted}, call.expression, false);
            now.promise_if({result, how.when, polynomial::of(told) - counted});
            now.know_at_least_zero(now.normal(most) - counted);
            break;
        }
        case filled::by_stream: {
            const std::int64_t character = values_.size_of(where->type);
            write(now, {low, low + polynomial(character) * counted}, call.expression, false);
            now.know_at_least_zero(most - counted);
            const auto stream =
                call.object != nullptr ? values_.stream_of(call.object) : std::nullopt;
            if (!stream) break;
            const atom good = values_.stream_atom(*stream);
            forget(now, good);
            now.promise_if({good, success::if_nonzero, counted - most});
            assign(now, values_.stream_count_atom(*stream), counted);
            break;
        }
        case filled::by_room:
        case filled::by_parts:
        case filled::nothing:
            break;
    }
    return true;
}

namespace {

const FieldDecl* field_named(QualType type, std::string_view name) {
    const auto* record = type.isNull() ? nullptr : type->getAsRecordDecl();
    if (record == nullptr) return nullptr;
    for (const FieldDecl* each : record->fields())
        if (view_of(identifier(each)) == name) return each->getCanonicalDecl();
    return nullptr;
}

path part_of(path whole, const step& last) {
    whole.members.push_back(last);
    return whole;
}

}  // namespace

std::optional<flow::room_left> flow::room_of(const call_parts& call, const filler& how) {
    if (call.arguments.size() <= static_cast<std::size_t>(how.buffer)) return std::nullopt;
    const Expr* argument = call.arguments[static_cast<std::size_t>(how.buffer)];
    auto whole = values_.pointee_of(argument);
    const QualType type = argument->getType()->getPointeeType();
    const auto* next = field_named(type, how.members.next);
    const auto* left = field_named(type, how.members.room);
    const auto* position = field_named(type, how.members.position);
    if (!whole || next == nullptr || left == nullptr) return std::nullopt;
    if (values_.pointers.count(part_of(*whole, next)) == 0) return std::nullopt;
    room_left result{*whole, values_.value_atom(part_of(*whole, next)),
                     values_.value_atom(part_of(*whole, left)), std::nullopt};
    if (position != nullptr) result.position = values_.value_atom(part_of(*whole, position));
    return result;
}

bool flow::use_room(const call_parts& call, const filler& how, facts& now) {
    const auto of = room_of(call, how);
    if (!of) return false;
    // What the function reads, for example next_in.
    for (const path& each : values_.pointers)
        if (each.starts_with(of->whole) && values_.value_atom(each) != of->next)
            read_all(now, call.expression);
    const atom count = values_.count_atom(call.expression);
    forget(now, count);
    polynomial low = polynomial::of(of->next);
    polynomial left = polynomial::of(of->left);
    if (of->position) {
        low += polynomial::of(*of->position);
        left -= polynomial::of(*of->position);
    }
    now.know_at_least_zero(polynomial::of(count));
    now.know_at_least_zero(left - polynomial::of(count));
    write(now, {low, low + polynomial::of(count)}, call.expression, false);
    return true;
}

bool flow::use_parts(const call_parts& call, const filler& how, facts& now) {
    constexpr std::int64_t most_parts = 4;
    if (call.arguments.size() <= static_cast<std::size_t>(how.size)) return false;
    const Expr* array = strip(call.arguments[static_cast<std::size_t>(how.buffer)]);
    const auto number =
        now.normal(values_.value_of(call.arguments[static_cast<std::size_t>(how.size)])).constant();
    const QualType type = array->getType()->getPointeeType();
    const auto* base = field_named(type, "iov_base");
    const auto* size = field_named(type, "iov_len");
    while (const auto* cast = dyn_cast<ImplicitCastExpr>(array)) array = strip(cast->getSubExpr());
    const bool is_array = array->getType()->isArrayType();
    auto whole = is_array ? values_.path_of(array) : values_.pointee_of(array);
    if (!number || *number < 1 || *number > most_parts || !whole || base == nullptr ||
        size == nullptr)
        return false;
    std::int64_t first = 0;
    if (!whole->members.empty() && whole->members.back().element != step::no_element) {
        first = whole->members.back().element;
        whole->members.pop_back();
    } else if (!is_array && *number != 1) {
        return false;
    }
    const bool has_elements = is_array || first != 0 || !whole->members.empty() || *number != 1;
    const atom result = values_.result_atom(call.expression);
    forget(now, result);
    polynomial sum;
    for (std::int64_t i = 0; i < *number; ++i) {
        const path part = has_elements ? part_of(*whole, step(first + i)) : *whole;
        const atom count = values_.count_atom(call.expression, i);
        forget(now, count);
        sum += polynomial::of(count);
        now.know_at_least_zero(polynomial::of(count));
        now.know_at_least_zero(polynomial::of(values_.value_atom(part_of(part, size))) -
                               polynomial::of(count));
        const path target = part_of(part, base);
        if (values_.pointers.count(target) == 0) continue;
        const polynomial low = polynomial::of(values_.value_atom(target));
        write(now, {low, low + polynomial::of(count)}, call.expression, false);
    }
    now.know_at_least_zero(sum - polynomial::of(result));
    return true;
}

bool flow::use_algorithm(const call_parts& call, facts& now) {
    std::string name = call.name;
    const bool of_ranges = name.compare(0, 13, "std::ranges::") == 0;
    if (of_ranges)
        name = name.substr(13);
    else if (name.compare(0, 5, "std::") == 0)
        name = name.substr(5);
    else
        return false;
    const auto& arguments = call.arguments;
    const auto place_at = [&](std::size_t index) {
        return index < arguments.size() ? values_.place_of(arguments[index]) : std::nullopt;
    };
    constexpr std::array<std::string_view, 3> filling = {"fill", "generate", "iota"};
    constexpr std::array<std::string_view, 2> filling_n = {"fill_n", "generate_n"};
    constexpr std::array<std::string_view, 12> copying = {"copy",
                                                          "move",
                                                          "transform",
                                                          "reverse_copy",
                                                          "partial_sum",
                                                          "inclusive_scan",
                                                          "exclusive_scan",
                                                          "copy_backward",
                                                          "uninitialized_copy",
                                                          "adjacent_difference",
                                                          "rotate_copy",
                                                          "replace_copy"};
    constexpr std::array<std::string_view, 2> copying_n = {"copy_n", "uninitialized_copy_n"};
    const auto captures_object = [&] {
        for (const Expr* each : arguments)
            if (const auto* lambda = dyn_cast<LambdaExpr>(strip(each)->IgnoreImplicit()))
                for (const Expr* capture : lambda->capture_inits())
                    if (capture != nullptr && values_.place_of(capture)) return true;
        return false;
    };
    const auto read_values = [&] {
        for (std::size_t i = 1; i < arguments.size(); ++i)
            if (const auto each = place_at(i); each && each->how == form::object)
                read(now, extent_of(*each), call.expression);
    };
    if (is_one_of(name, filling)) {
        const auto first = place_at(0);
        if (!first || captures_object()) return false;
        read_values();
        if (first->how == form::address) {
            const auto last = place_at(1);
            if (!last) return false;
            write(now, {first->offset, last->offset}, call.expression, false);
        } else {
            write(now, extent_of(*first), call.expression, false);
        }
        return true;
    }
    if (is_one_of(name, filling_n)) {
        const auto first = place_at(0);
        if (!first || first->how != form::address || arguments.size() < 2 || captures_object())
            return false;
        read_values();
        const polynomial bytes =
            polynomial(values_.size_of(first->type)) * values_.value_of(arguments[1]);
        write(now, {first->offset, first->offset + bytes}, call.expression, false);
        return true;
    }
    const bool counted = is_one_of(name, copying_n);
    if (!counted && !is_one_of(name, copying)) return false;
    if (captures_object()) return false;
    // The last iterator among the arguments is the target.
    std::size_t target = 0;
    for (std::size_t i = of_ranges && !counted ? 1 : 2; i < arguments.size(); ++i)
        if (const auto each = place_at(i))
            if (each->how == form::address || each->how == form::handle) target = i;
    const auto first = place_at(0);
    polynomial elements;
    bool known = true;
    if (counted) {
        elements = values_.value_of(arguments[1]);
        if (first) {
            const polynomial bytes = polynomial(values_.size_of(first->type)) * elements;
            read(now, {first->offset, first->offset + bytes}, call.expression);
        }
    } else if (of_ranges && !(first && first->how == form::address) && target == 1) {
        if (first) {
            read(now, extent_of(*first), call.expression);
            known = false;
        } else if (const auto* array =
                       values_.context().getAsConstantArrayType(arguments[0]->getType())) {
            elements = array->getSize().getSExtValue();
        } else if (const auto named = values_.path_of(arguments[0])) {
            elements = polynomial::of(values_.size_atom(*named));
        } else {
            known = false;
        }
    } else {
        if (first) {
            const auto last = place_at(1);
            if (!last) return false;
            read(now, {first->offset, last->offset}, call.expression);
        }
        const std::int64_t step = step_of(values_, arguments[0]->getType());
        const polynomial bytes = values_.value_of(arguments[1]) - values_.value_of(arguments[0]);
        const auto quotient = step > 0 ? bytes.divided(step) : std::nullopt;
        known = quotient.has_value();
        if (known) elements = *quotient;
    }
    if (target == 0) return true;
    auto out = place_at(target);
    if (known && name != "copy_backward") {
        const polynomial bytes = polynomial(values_.size_of(out->type)) * elements;
        // Both compilers turn a copy of trivial elements into a memmove.
        write(now, {out->offset, out->offset + bytes}, call.expression,
              name == "copy" || name == "copy_n");
    }
    return true;
}

bool flow::use_method(const call_parts& call, const place& on, facts& now) {
    const llvm::StringRef name = identifier(call.callee);
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call.callee);
    const auto* record = method != nullptr ? method->getParent() : nullptr;
    const bool library =
        record != nullptr && (record->isInStdNamespace() || on.how != form::object);
    if (!library) return false;
    constexpr std::array<std::string_view, 20> harmless = {
        "size",          "empty",        "capacity",   "max_size",      "length",
        "get_allocator", "reserve",      "use_count",  "shrink_to_fit", "push_back",
        "pop_back",      "has_value",    "get",        "data",          "begin",
        "end",           "owner_before", "size_bytes", "get_deleter",   "append"};
    if (isa<CXXConversionDecl>(method)) {
        if (!method->getReturnType()->isBooleanType()) read_all(now, call.expression);
        return true;
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
        if (const auto other = values_.place_of(call.arguments[i]))
            if (other->how != form::address || name != "get") read_all(now, call.expression);
    if (call.expression == what_.start) return true;
    if (is_one_of(view_of(name), harmless)) return true;
    if (name == "fill") {
        write(now, extent_of(on), call.expression, false);
        return true;
    }
    if (name == "resize" && !call.arguments.empty()) {
        const polynomial bytes =
            polynomial(values_.size_of(what_.object.type)) * values_.value_of(call.arguments[0]);
        // What is beyond the new size is gone. What is new is zeroed there, not here.
        if (now.is_covered({now.zeroed.low, bytes})) {
            if (!now.covered.empty() && !now.is_all_covered()) verdict_.overwritten = true;
            now.zeroed.high = now.normal(bytes);
            now.cover(now.zeroed);
        } else if (now.at_least_zero(now.zeroed.high - bytes)) {
            now.zeroed.high = now.normal(bytes);
        }
        return true;
    }
    if (name == "emplace_back") return true;
    if (name == "assign") {
        write(now, now.zeroed, call.expression, false);
        return true;
    }
    if (name == "reset" || name == "clear" || name == "emplace") {
        now.end();
        return true;
    }
    if (name == "write" || name == "substr" || name == "compare" || name == "subspan") {
        read(now, extent_of(on), call.expression);
        return true;
    }
    if (on.how == form::object)
        read(now, extent_of(on), call.expression);
    else
        read_all(now, call.expression);
    return true;
}

void flow::use_argument(const call_parts& call, std::size_t index, const place& where,
                        const function_uses& uses, facts& now) {
    const auto* construct = dyn_cast<CXXConstructExpr>(call.expression);
    if (construct != nullptr && where.how == form::handle &&
        construct->getConstructor()->isCopyOrMoveConstructor() &&
        is_returned(call.expression, uses)) {
        use(call.expression, call.arguments[index], where, uses, now);
        return;
    }
    if (call.name == "free" || call.name == "std::free") {
        now.end();
        return;
    }
    const auto& arguments = call.arguments;
    QualType type;
    if (call.callee != nullptr && index < call.callee->getNumParams())
        type = call.callee->getParamDecl(static_cast<unsigned>(index))->getType();
    const QualType object_type = what_.object.type;
    const bool raw = !padding_.empty() && !type.isNull() && type->isPointerType() &&
                     (type->isVoidPointerType() || type->getPointeeType()->isAnyCharacterType());
    (void)object_type;
    if (where.how == form::object || where.how == form::view) {
        read(now, extent_of(where), call.expression, raw);
        return;
    }
    if (where.how == form::address || where.how == form::handle) {
        if (call.name == "fwrite" || call.name == "std::fwrite") {
            const polynomial bytes =
                values_.value_of(arguments[1]) * values_.value_of(arguments[2]);
            read(now, {where.offset, where.offset + bytes}, call.expression, raw);
            return;
        }
        // A range that ends at the next argument, or began at the one before.
        for (const bool forward : {true, false}) {
            if (!forward && index == 0) continue;
            const std::size_t other_index = forward ? index + 1 : index - 1;
            if (other_index >= arguments.size()) continue;
            const auto other = values_.place_of(arguments[other_index]);
            if (!other || other->how != form::address || where.how != form::address) continue;
            byte_range range{where.offset, other->offset};
            if (!forward) std::swap(range.low, range.high);
            read(now, range, call.expression, raw);
            return;
        }
        // A pointer and how many bytes of it the function may use.
        const std::int64_t element = where.how == form::address && !where.type.isNull() && !raw
                                         ? values_.size_of(where.type)
                                         : 1;
        for (const Expr* each : arguments) {
            if (!each->getType()->isIntegerType() || each->getType()->isBooleanType()) continue;
            const polynomial count = now.normal(values_.value_of(each));
            const bool whole = count == now.normal(now.zeroed.high - where.offset);
            if (count.constant() && !whole) continue;
            const byte_range range{where.offset, where.offset + polynomial(element) * count};
            if (now.is_covered(range) && !(raw && now.padding_left)) {
                read(now, range, call.expression, raw);
                return;
            }
        }
    }
    read_all(now, call.expression, raw);
}

std::optional<flow::states> flow::inlined(const call_parts& call, const facts& before) {
    if (call.callee == nullptr || values_.frames.size() >= deepest_call) return std::nullopt;
    const FunctionDecl* callee = nullptr;
    if (!call.callee->hasBody(callee) || callee->isVariadic() || callee->isDependentContext() ||
        is_in_system_header(callee, values_.context()) || callee->isDefaulted() ||
        std::find(values_.frames.begin(), values_.frames.end(), callee) != values_.frames.end() ||
        graphs_.of(callee, values_.context()) == nullptr)
        return std::nullopt;
    if (call.arguments.size() < callee->getNumParams()) return std::nullopt;
    facts now = before;
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
        const ParmVarDecl* parameter = callee->getParamDecl(i);
        const auto* key = cast<VarDecl>(parameter->getCanonicalDecl());
        const Expr* argument = call.arguments[i];
        const bool is_reference = parameter->getType()->isReferenceType();
        const atom value = values_.value_atom({key, {}});
        values_.aliases.erase(key);
        values_.bound.erase(key);
        values_.bound_pointees.erase(key);
        if (const auto where = values_.place_of(argument)) {
            const bool is_pointer = parameter->getType()->isPointerType();
            if (where->how == form::handle && is_reference) {
                values_.bound[key] = what_.object.root;
                continue;
            }
            if (where->how == form::object && is_reference) {
                values_.aliases[key] = form::object;
            } else if ((where->how == form::address || where->how == form::handle) && is_pointer) {
                values_.aliases[key] = form::address;
            } else if (where->how == form::view && is_view_class(class_of(parameter->getType()))) {
                values_.aliases[key] = form::view;
                const auto count =
                    where->size ? where->size->divided(values_.size_of(where->type)) : std::nullopt;
                if (count)
                    assign(now, values_.size_atom({key, {}}), *count);
                else
                    forget(now, values_.size_atom({key, {}}));
            } else if (where->how == form::address && is_alias_type(parameter->getType())) {
                values_.aliases[key] = form::address;
            } else {
                return std::nullopt;
            }
            assign(now, value, where->offset);
            continue;
        }
        if (is_reference) {
            if (const auto named = values_.path_of(argument)) {
                values_.bound[key] = *named;
                continue;
            }
        }
        if (const auto* address = dyn_cast<UnaryOperator>(strip(argument)))
            if (address->getOpcode() == UO_AddrOf)
                if (const auto named = values_.path_of(address->getSubExpr()))
                    values_.bound_pointees[key] = *named;
        assign(now, value, values_.value_of(argument));
    }
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    if (method != nullptr && call.object != nullptr && !method->getParent()->isLambda()) {
        values_.bound.erase(callee);
        values_.this_places.erase(callee);
        auto named = values_.path_of(call.object);
        if (named) {
            if (call.object->getType()->isPointerType()) named->members.push_back(nullptr);
            values_.bound[callee] = *named;
        }
        if (const auto where = values_.place_of(call.object)) {
            if (where->how != form::object && where->how != form::address) return std::nullopt;
            values_.this_places[callee] = where->offset;
        }
    }
    values_.frames.push_back(callee);
    const auto [uses, is_new] = collected_.try_emplace({callee, call.expression});
    if (is_new) uses->second = collect(callee);
    const CFGBlock* const caller_block = block_;
    states ends = run(callee, uses->second, now, call.expression);
    block_ = caller_block;
    values_.frames.pop_back();
    // The result has been assigned to a name of the called function's.
    const atom returned = values_.value_atom({callee, {nullptr, nullptr}});
    const atom result = values_.result_atom(call.expression);
    states after;
    for (facts& each : ends) {
        if (call.expression->getType()->isIntegralOrEnumerationType())
            assign(each, result, polynomial::of(returned));
        for (const atom local : values_.atoms_within(callee)) forget(each, local);
        add_state(after, std::move(each));
    }
    return after;
}

// ---- What statements do to values.

void flow::effects(const Stmt* statement, facts& now) {
    if (const auto* declarations = dyn_cast<DeclStmt>(statement)) {
        for (const Decl* each : declarations->decls())
            if (const auto* variable = dyn_cast<VarDecl>(each))
                effects_of_declaration(variable, now);
        return;
    }
    if (const auto* binary = dyn_cast<BinaryOperator>(statement)) {
        if (!binary->isAssignmentOp()) return;
        const auto target = values_.path_of(binary->getLHS());
        if (!target) return;
        forget_all(now, *target, false);
        const atom name = values_.value_atom(*target);
        const polynomial right = values_.value_of(binary->getRHS());
        const QualType type = binary->getLHS()->getType();
        const polynomial step = type->isPointerType() ? values_.size_of(type->getPointeeType()) : 1;
        switch (binary->getOpcode()) {
            case BO_Assign:
                if (values_.pointers.count(*target) == 0)
                    assign(now, name, right);
                else if (const auto where = values_.place_of(binary->getRHS()))
                    assign(now, name, where->offset);
                else
                    forget(now, name);
                break;
            case BO_AddAssign:
                assign(now, name, polynomial::of(name) + step * right);
                break;
            case BO_SubAssign:
                assign(now, name, polynomial::of(name) - step * right);
                break;
            default:
                forget(now, name);
        }
        return;
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(statement)) {
        if (!unary->isIncrementDecrementOp()) return;
        const auto target = values_.path_of(unary->getSubExpr());
        if (!target) return;
        const QualType type = unary->getType();
        const polynomial step = type->isPointerType() ? values_.size_of(type->getPointeeType()) : 1;
        const atom name = values_.value_atom(*target);
        assign(now, name,
               unary->isIncrementOp() ? polynomial::of(name) + step : polynomial::of(name) - step);
        return;
    }
    if (const auto* choice = dyn_cast<ConditionalOperator>(statement)) {
        if (!choice->getType()->isIntegralOrEnumerationType()) return;
        // The path tells, if both values have not been merged, which one it is.
        const polynomial value = values_.value_of(choice);
        if (value.atoms().size() != 1 || !(value == polynomial::of(value.atoms()[0]))) return;
        const bool may_be_true = !assume(choice->getCond(), true, now).empty();
        const bool may_be_false = !assume(choice->getCond(), false, now).empty();
        if (may_be_true != may_be_false)
            assign(now, value.atoms()[0],
                   values_.value_of(may_be_true ? choice->getTrueExpr() : choice->getFalseExpr()));
        return;
    }
    if (isa<CallExpr>(statement) || isa<CXXConstructExpr>(statement))
        effects_of_call(parts_of(cast<Expr>(statement)), now);
}

void flow::effects_of_declaration(const VarDecl* variable, facts& now) {
    if (!variable->hasLocalStorage()) return;
    const path name{variable->getCanonicalDecl(), {}};
    const Expr* initial = variable->getInit();
    const auto alias = values_.aliases.find(variable);
    if (alias == values_.aliases.end() && values_.bound.count(variable) != 0) return;
    forget_all(now, name, true);
    if (initial == nullptr) return;
    if (alias != values_.aliases.end()) {
        if (const auto where = values_.place_of(initial)) {
            assign(now, values_.value_atom(name), where->offset);
            if (where->how == form::view && where->size)
                if (const auto count = where->size->divided(values_.size_of(where->type)))
                    assign(now, values_.size_atom(name), *count);
        }
        return;
    }
    if (holds_pointer(name)) {
        assign_parts(name, initial, now);
        return;
    }
    const QualType type = variable->getType();
    const auto* record = type->getAsCXXRecordDecl();
    const auto* construct = dyn_cast<CXXConstructExpr>(strip(initial)->IgnoreImplicit());
    if (record != nullptr && record->isInStdNamespace() && construct != nullptr) {
        const llvm::StringRef kind = identifier(record);
        if (kind != "vector" && kind != "basic_string") return;
        std::vector<const Expr*> arguments;
        for (const Expr* each : construct->arguments())
            if (!isa<CXXDefaultArgExpr>(each)) arguments.push_back(each);
        const atom size = values_.size_atom(name);
        if (arguments.empty())
            assign(now, size, 0);
        else if (construct->getConstructor()->isCopyOrMoveConstructor()) {
            if (const auto from = values_.path_of(arguments[0]))
                assign(now, size, polynomial::of(values_.size_atom(*from)));
        } else if (arguments[0]->getType()->isIntegerType())
            assign(now, size, values_.value_of(arguments[0]));
        return;
    }
    if (record == nullptr || !isa<InitListExpr>(strip(initial)))
        if (!type->isArrayType() && !(record != nullptr && record->isAggregate()))
            assign(now, values_.value_atom(name), values_.value_of(initial));
}

/// The values of the parts of a variable that holds pointers to the object.
void flow::assign_parts(const path& within, const Expr* initial, facts& now) {
    initial = strip(initial);
    const auto* list = dyn_cast<InitListExpr>(initial);
    if (list == nullptr) {
        if (!initial->getType()->isScalarType()) return;
        const auto where = values_.place_of(initial);
        assign(now, values_.value_atom(within), where ? where->offset : values_.value_of(initial));
        return;
    }
    for (const auto& [part, value] : parts_of_list(within, *list)) assign_parts(part, value, now);
}

void flow::effects_of_call(const call_parts& call, facts& now) {
    const bool is_filler = fillers_.count(call.name) != 0;
    if (isa<CXXConstructExpr>(call.expression) && call.arguments.empty()) return;
    // The value of an earlier pass of a loop.
    const auto* callee = call.callee;
    const FunctionDecl* body = nullptr;
    const bool was_followed = callee != nullptr && callee->hasBody(body) &&
                              collected_.count({body, call.expression}) != 0;
    if (!is_filler && !was_followed) forget(now, values_.result_atom(call.expression));
    if (was_followed) return;
    if (callee != nullptr && isa<CXXOperatorCallExpr>(call.expression)) {
        const auto* operation = cast<CXXOperatorCallExpr>(call.expression);
        const auto target = values_.path_of(operation->getArg(0));
        if (target) {
            const auto where = values_.place_of(operation->getArg(0));
            const std::int64_t step = where && where->how == form::address
                                          ? values_.size_of(where->type)
                                          : step_of(values_, operation->getArg(0)->getType());
            const atom name = values_.value_atom(*target);
            const auto move = [&](const polynomial& by) {
                assign(now, name, polynomial::of(name) + polynomial(step) * by);
            };
            switch (operation->getOperator()) {
                case OO_PlusPlus:
                    move(1);
                    return;
                case OO_MinusMinus:
                    move(-1);
                    return;
                case OO_PlusEqual:
                    if (step != 0) {
                        move(values_.value_of(operation->getArg(1)));
                        return;
                    }
                    forget_all(now, *target, true);
                    return;
                case OO_MinusEqual:
                    move(polynomial() - values_.value_of(operation->getArg(1)));
                    return;
                case OO_Equal: {
                    if (call.expression == what_.start) return;
                    const auto from = values_.place_of(operation->getArg(1));
                    forget_all(now, *target, true);
                    if (from && from->how == form::address)
                        assign(now, name, from->offset);
                    else if (is_stream(operation->getArg(0)->getType()) == false)
                        assign(now, name, values_.value_of(operation->getArg(1)));
                    return;
                }
                default:
                    break;
            }
        }
    }
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(callee);
    if (method != nullptr && call.object != nullptr && !method->isConst() && !method->isStatic()) {
        const auto target = values_.path_of(call.object);
        const llvm::StringRef name = identifier(method);
        constexpr std::array<std::string_view, 17> harmless = {
            "data",  "begin",  "end",  "at",      "front", "back", "get",  "read",    "gcount",
            "c_str", "rbegin", "rend", "reserve", "value", "good", "fill", "readsome"};
        const bool is_operator = method->isOverloadedOperator();
        if (target && call.expression != what_.start && !is_operator &&
            !is_one_of(view_of(name), harmless)) {
            const atom size = values_.size_atom(*target);
            if ((name == "resize") && !call.arguments.empty())
                assign(now, size, values_.value_of(call.arguments[0]));
            else if (name == "push_back" || (name == "emplace_back"))
                assign(now, size, polynomial::of(size) + 1);
            else if (name == "clear")
                assign(now, size, 0);
            else if (name == "pop_back")
                assign(now, size, polynomial::of(size) - 1);
            else
                forget_all(now, *target, true);
        }
    }
    const auto filling = fillers_.find(call.name);
    const auto room = filling != fillers_.end() && filling->second.how == filled::by_room
                          ? room_of(call, filling->second)
                          : std::nullopt;
    if (room) {
        const polynomial count = polynomial::of(values_.count_atom(call.expression));
        const atom first = room->position ? *room->position : room->next;
        for (const atom each : values_.atoms_of(room->whole, false))
            if (each != room->next && each != room->left && each != first) forget(now, each);
        assign(now, first, polynomial::of(first) + count);
        if (!room->position) assign(now, room->left, polynomial::of(room->left) - count);
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        const Expr* argument = call.arguments[i];
        if (room && static_cast<int>(i) == filling->second.buffer) continue;
        if (callee == nullptr || i >= callee->getNumParams()) {
            if (const auto* address = dyn_cast<UnaryOperator>(strip(argument->IgnoreImplicit())))
                if (address->getOpcode() == UO_AddrOf)
                    if (const auto target = values_.path_of(address->getSubExpr()))
                        forget_all(now, *target, true);
            continue;
        }
        const QualType type = callee->getParamDecl(static_cast<unsigned>(i))->getType();
        if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified()) {
            // The object's own handle keeps its size unless the function is not known.
            if (const auto target = values_.path_of(argument))
                if (!is_stream(argument->getType())) forget_all(now, *target, true);
        } else if (type->isPointerType() && !type->getPointeeType().isConstQualified()) {
            const Expr* inner = strip(argument);
            while (const auto* cast = dyn_cast<CastExpr>(inner)) inner = strip(cast->getSubExpr());
            const auto* address = dyn_cast<UnaryOperator>(inner);
            if (address != nullptr && address->getOpcode() == UO_AddrOf) {
                if (const auto target = values_.path_of(address->getSubExpr()))
                    forget_all(now, *target, true);
            } else if (const auto target = values_.path_of(inner)) {
                forget_all(now, *target, false);
            }
        }
    }
    if (filling != fillers_.end() && filling->second.how == filled::by_argument) {
        const auto index = static_cast<std::size_t>(filling->second.count);
        if (index < call.arguments.size()) {
            const Expr* inner = strip(call.arguments[index]);
            while (const auto* cast = dyn_cast<CastExpr>(inner)) inner = strip(cast->getSubExpr());
            const auto* address = dyn_cast<UnaryOperator>(inner);
            if (address != nullptr && address->getOpcode() == UO_AddrOf)
                if (const auto target = values_.path_of(address->getSubExpr()))
                    assign(now, values_.value_atom(*target),
                           polynomial::of(values_.result_atom(call.arguments[index])));
        }
    }
}

// ---- Conditions.

flow::states flow::assume(const Expr* condition, bool truth, const facts& before) {
    condition = strip(condition);
    const auto is_bool_cast = [](CastKind kind) {
        return kind == CK_IntegralToBoolean || kind == CK_PointerToBoolean || kind == CK_NoOp ||
               kind == CK_UserDefinedConversion || kind == CK_LValueToRValue;
    };
    while (const auto* cast = dyn_cast<CastExpr>(condition)) {
        if (!is_bool_cast(cast->getCastKind()) || cast->getCastKind() == CK_LValueToRValue) break;
        condition = strip(cast->getSubExpr());
    }
    if (const auto* unary = dyn_cast<UnaryOperator>(condition))
        if (unary->getOpcode() == UO_LNot) return assume(unary->getSubExpr(), !truth, before);
    if (const auto* literal = dyn_cast<CXXBoolLiteralExpr>(condition))
        return literal->getValue() == truth ? states{before} : states{};
    if (const auto* choice = dyn_cast<BinaryOperator>(condition)) {
        if (choice->isLogicalOp()) {
            // Both operands hold, or one of them.
            const bool both = (choice->getOpcode() == BO_LAnd) == truth;
            states result;
            for (facts& left : assume(choice->getLHS(), truth, before)) {
                if (!both) {
                    add_state(result, std::move(left));
                    continue;
                }
                for (facts& right : assume(choice->getRHS(), truth, left))
                    add_state(result, std::move(right));
            }
            if (!both)
                for (facts& left : assume(choice->getLHS(), !truth, before))
                    for (facts& right : assume(choice->getRHS(), truth, left))
                        add_state(result, std::move(right));
            return result;
        }
    }
    BinaryOperatorKind operation = BO_NE;
    const Expr* left = condition;
    const Expr* right = nullptr;
    if (const auto* binary = dyn_cast<BinaryOperator>(condition)) {
        if (binary->isComparisonOp() && binary->getOpcode() != BO_Cmp) {
            operation = binary->getOpcode();
            left = binary->getLHS();
            right = binary->getRHS();
        }
    }
    if (const auto* call = dyn_cast<CXXOperatorCallExpr>(condition)) {
        const auto overloaded = call->getOperator();
        if (overloaded == OO_Exclaim && call->getNumArgs() == 1)
            return assume(call->getArg(0), !truth, before);
        const std::pair<OverloadedOperatorKind, BinaryOperatorKind> known[] = {
            {OO_EqualEqual, BO_EQ}, {OO_ExclaimEqual, BO_NE}, {OO_Less, BO_LT},
            {OO_Greater, BO_GT},    {OO_LessEqual, BO_LE},    {OO_GreaterEqual, BO_GE}};
        for (const auto& [from, to] : known) {
            if (overloaded != from || call->getNumArgs() != 2) continue;
            operation = to;
            left = call->getArg(0);
            right = call->getArg(1);
        }
    }
    const auto* method = dyn_cast<CXXMemberCallExpr>(condition);
    facts now = before;
    if (method != nullptr && method->getMethodDecl() != nullptr &&
        is_stream(method->getImplicitObjectArgument()->getType())) {
        const llvm::StringRef name = identifier(method->getMethodDecl());
        const bool conversion = isa<CXXConversionDecl>(method->getMethodDecl());
        const bool negated =
            name == "fail" || method->getMethodDecl()->getOverloadedOperator() == OO_Exclaim;
        if (conversion || negated || name == "good" || is_stream(method->getType())) {
            if (const auto stream = values_.stream_of(condition == method && !conversion &&
                                                              !negated && name != "good"
                                                          ? condition
                                                          : method->getImplicitObjectArgument())) {
                const bool good = truth != negated;
                if (!now.assume(polynomial::of(values_.stream_atom(*stream)),
                                good ? relation::unequal : relation::equal))
                    return {};
            }
            return {now};
        }
    } else if (is_stream(condition->getType())) {
        if (const auto stream = values_.stream_of(condition))
            if (!now.assume(polynomial::of(values_.stream_atom(*stream)),
                            truth ? relation::unequal : relation::equal))
                return {};
        return {now};
    }
    // A pointer that may have been null elsewhere.
    const auto may_be_null = [&](const Expr* pointer) {
        if (pointer == nullptr || !pointer->getType()->isPointerType()) return false;
        const auto where = values_.place_of(pointer);
        return where && where->how == form::address;
    };
    const auto is_null = [&](const Expr* pointer) {
        return pointer == nullptr ||
               pointer->isNullPointerConstant(
                   values_.context(), Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
    };
    if ((may_be_null(left) && is_null(right)) || (may_be_null(right) && is_null(left)))
        return {before};
    polynomial difference = values_.value_of(left);
    if (right != nullptr) difference -= values_.value_of(right);
    if (!truth) operation = BinaryOperator::negateComparisonOp(operation);
    const polynomial opposite = polynomial() - difference;
    bool possible = true;
    switch (operation) {
        case BO_EQ:
            possible = now.assume(difference, relation::equal);
            break;
        case BO_NE:
            possible = now.assume(difference, relation::unequal);
            break;
        case BO_GE:
            possible = now.assume(difference, relation::at_least);
            break;
        case BO_GT:
            possible = now.assume(difference, relation::above);
            break;
        case BO_LE:
            possible = now.assume(opposite, relation::at_least);
            break;
        case BO_LT:
            possible = now.assume(opposite, relation::above);
            break;
        default:
            break;
    }
    return possible ? states{now} : states{};
}

}  // namespace freehold::check
