// SPDX-License-Identifier: BSL-1.0
#include "hidden_zeroing_check.hpp"

#include "allocator_fix.hpp"
#include "check/plugin/syntax/clang_version.hpp"
#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <clang/AST/RecordLayout.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

constexpr int deepest_factory = 3;

/// True if no other translation unit can call the function.
bool is_private(const FunctionDecl* declaration, const SourceManager& sources) {
    if (!declaration->isExternallyVisible()) return true;
    const auto* method = dyn_cast<CXXMethodDecl>(declaration);
    return method != nullptr && (method->getParent()->isLambda() ||
                                 sources.isInMainFile(method->getParent()->getLocation()));
}

/// The declaration that stands for the function in the list of callers.
const FunctionDecl* key_of(const FunctionDecl* declaration) {
    return declaration->getCanonicalDecl();
}

bool mentions(const Stmt* part, const FieldDecl* field) {
    if (part == nullptr) return false;
    if (const auto* member = dyn_cast<MemberExpr>(part))
        if (member->getMemberDecl() == field) return true;
    for (const Stmt* child : part->children())
        if (mentions(child, field)) return true;
    return false;
}

/// True if the part, or a member function that it calls on the same object, names the member.
bool reaches(const Stmt* part, const FieldDecl* field, int depth) {
    constexpr int deepest = 3;
    if (part == nullptr) return false;
    if (mentions(part, field)) return true;
    if (const auto* call = dyn_cast<CXXMemberCallExpr>(part)) {
        const Expr* object = call->getImplicitObjectArgument();
        const FunctionDecl* body = nullptr;
        if (object != nullptr && isa<CXXThisExpr>(object->IgnoreImpCasts()) && depth < deepest &&
            call->getMethodDecl() != nullptr && call->getMethodDecl()->hasBody(body) &&
            reaches(body->getBody(), field, depth + 1))
            return true;
    }
    return std::any_of(part->child_begin(), part->child_end(),
                       [&](const Stmt* each) { return reaches(each, field, depth); });
}

/// `freehold check --min-bytes` passes its value in the environment. clang-tidy has no other way to
/// set one option and keep those of .clang-tidy.
unsigned least_bytes_by_default() {
    constexpr unsigned otherwise = 256;
    const char* text = std::getenv("FREEHOLD_CHECK_MIN_BYTES");
    if (text == nullptr) return otherwise;
    unsigned result = otherwise;
    std::from_chars(text, text + std::strlen(text), result);
    return result;
}

}  // namespace

hidden_zeroing_check::hidden_zeroing_check(llvm::StringRef name, tidy::ClangTidyContext* context)
    : ClangTidyCheck(name, context),
      min_bytes_(Options.get("MinBytes", least_bytes_by_default())),
      fill_functions_(Options.get("FillFunctions", "")),
      includes_(include_inserter()) {
    std::string problem;
    more_fillers_ = parse_fillers(fill_functions_, problem);
    filled_counts_ = filled_counts(more_fillers_);
    if (!problem.empty()) configurationDiag("%0") << problem;
}

void hidden_zeroing_check::storeOptions(tidy::ClangTidyOptions::OptionMap& options) {
    Options.store(options, "MinBytes", min_bytes_);
    Options.store(options, "FillFunctions", fill_functions_);
}

void hidden_zeroing_check::registerPPCallbacks(const SourceManager&, Preprocessor* preprocessor,
                                               Preprocessor*) {
    includes_.registerPreprocessor(preprocessor);
    has_allocator_ = getLangOpts().CPlusPlus20 && finds_header(*preprocessor, allocator_header);
}

void hidden_zeroing_check::registerMatchers(ast_matchers::MatchFinder* finder) {
    using namespace ast_matchers;
    finder->addMatcher(
        functionDecl(isDefinition(), unless(isExpansionInSystemHeader())).bind("function"), this);
    finder->addMatcher(
        varDecl(hasInitializer(expr()), unless(isExpansionInSystemHeader())).bind("variable"),
        this);
    finder->addMatcher(staticAssertDecl(unless(isExpansionInSystemHeader())).bind("assertion"),
                       this);
}

void hidden_zeroing_check::check(const ast_matchers::MatchFinder::MatchResult& result) {
    context_ = result.Context;
    if (const auto* declaration = result.Nodes.getNodeAs<FunctionDecl>("function"))
        add(declaration);
    else if (const auto* variable = result.Nodes.getNodeAs<VarDecl>("variable"))
        constants_.add_variable(*variable);
    else if (const auto* assertion = result.Nodes.getNodeAs<StaticAssertDecl>("assertion"))
        constants_.add_constant(assertion->getAssertExpr());
}

void hidden_zeroing_check::add(const FunctionDecl* declaration) {
    if (declaration->isDependentContext() || declaration->isInvalidDecl() ||
        !declaration->doesThisDeclarationHaveABody() || declaration->getBody() == nullptr ||
        declaration->isConsteval() || !seen_.insert(declaration).second)
        return;
    auto added = std::make_unique<function>();
    added->declaration = declaration;
    added->contents = std::make_unique<parents>(declaration);
    for (const Expr* each : added->contents->expressions()) {
        constants_.add_call(*declaration, *each);
        if (const auto* constant = dyn_cast<ConstantExpr>(each)) constants_.add_constant(constant);
        if (const auto* call = dyn_cast<CallExpr>(each)) {
            if (const auto* callee = call->getDirectCallee())
                calls_[key_of(callee)].push_back({added.get(), call});
        } else if (const auto* construct_expression = dyn_cast<CXXConstructExpr>(each)) {
            if (!construct_expression->getConstructor()->isCopyOrMoveConstructor())
                creations_[construct_expression->getConstructor()->getParent()->getCanonicalDecl()]
                    .push_back({added.get(), each});
        } else if (const auto* list = dyn_cast<InitListExpr>(each)) {
            if (const auto* record = list->getType()->getAsCXXRecordDecl())
                creations_[record->getCanonicalDecl()].push_back({added.get(), each});
        } else if (const auto* reference = dyn_cast<DeclRefExpr>(each)) {
            // If the address of a function is taken, the function has unknown callers.
            if (const auto* callee = dyn_cast<FunctionDecl>(reference->getDecl())) {
                auto& sites = calls_[key_of(callee)];
                (void)sites;
            }
        }
    }
    for (const LambdaExpr* each : added->contents->lambdas())
        if (each->getCallOperator() != nullptr) add(each->getCallOperator());
    functions_.push_back(std::move(added));
}

hidden_zeroing_check::opinion& hidden_zeroing_check::opinion_on(const construct& what) {
    const auto where = context_->getSourceManager().getFileLoc(what.location);
    const auto [found, is_new] = opinions_.try_emplace(where);
    if (is_new) found->second.what = what;
    judged_for_[where].insert(judged_);
    return found->second;
}

verdict hidden_zeroing_check::follow(const zeroing& what, const FunctionDecl* within,
                                     bool is_zeroed) {
    const auto look = [&](flow& follower) {
        return is_zeroed ? follower.follow_parameter(within) : follower.follow(within);
    };
    flow by_counters(*context_, graphs_, filled_counts_, more_fillers_, what, work_left_);
    verdict found = look(by_counters);
    const auto is_finding = [](const verdict& each) {
        return each.overwritten && !each.needed && !each.returned;
    };
    if (!is_finding(found) && by_counters.has_running_index()) {
        flow by_indices(*context_, graphs_, filled_counts_, more_fillers_, what, work_left_,
                        loop_variable::running_index);
        const verdict other = look(by_indices);
        if (is_finding(other)) found = other;
    }
    gave_up_ = gave_up_ || found.gave_up;
    if (notes_proposals_ && found.needed && found.needed_by.callee != nullptr)
        note_proposal(found.needed_by);
    return found;
}

void hidden_zeroing_check::note_overwriting(const verdict& found, opinion& about) {
    if (!found.overwritten || !found.large) return;
    about.hidden = true;
    if (about.filled_at.isInvalid()) about.filled_at = found.filled_at;
}

void hidden_zeroing_check::judge_bound(const function& within, const construct& what,
                                       const binding& bound, opinion& about, int depth) {
    if (about.needed) return;
    if (!bound.root) {
        judge_callers(within, what, bound, about, depth);
        return;
    }
    zeroing followed;
    followed.least_bytes = min_bytes_;
    followed.start = bound.start;
    followed.object = {*bound.root, what.object, what.type};
    followed.extent = what.extent;
    followed.is_local = bound.is_local;
    // Nobody knows an object while its constructor runs, or gets it after an exception.
    const bool is_new =
        isa<CXXConstructorDecl>(within.declaration) && bound.root->root == within.declaration;
    followed.is_shared = !bound.is_local && !is_new;
    followed.is_storage = what.object != object_kind::container && bound.is_local;
    const verdict found = follow(followed, within.declaration);
    if (found.needed || found.optimised) {
        about.needed = true;
        return;
    }
    if (depth == 0 && !found.returned) {
        about.within = within.declaration;
        about.followed = followed;
        about.shrinks = found.shrinks;
    }
    note_overwriting(found, about);
    if (found.returned) judge_callers(within, what, binding(), about, depth);
}

/// Judges a member that a constructor zeroes. The constructor may overwrite it, or each member
/// function that uses it, or the code that uses the object.
void hidden_zeroing_check::judge_field(const function& constructor, const FieldDecl* field,
                                       const construct& what, const binding& bound,
                                       opinion& about) {
    if (about.needed) return;
    const SourceLocation filled = filled_counts_.filled_below_count(field, *context_);
    if (filled.isValid()) {
        about.hidden = true;
        about.filled_at = filled;
        return;
    }
    const auto attempt = [&](auto judge_one) {
        opinion trial = about;
        judge_one(trial);
        if (trial.needed || !trial.hidden) return false;
        about = std::move(trial);
        return true;
    };
    const bool is_written = reaches(constructor.declaration->getBody(), field, 0);
    if (is_written &&
        attempt([&](opinion& trial) { judge_bound(constructor, what, bound, trial, 0); }))
        return;
    const auto* record = cast<CXXConstructorDecl>(constructor.declaration)->getParent();
    // Another translation unit may use a class that is defined in a header.
    if (context_->getSourceManager().isInMainFile(record->getLocation()) &&
        (attempt([&](opinion& trial) { judge_class(constructor, field, what, bound, trial); }) ||
         attempt([&](opinion& trial) { judge_owned(constructor, field, what, bound, trial); }) ||
         (!is_written && what.object == object_kind::storage &&
          attempt([&](opinion& trial) { judge_creations(field, what, trial); }))))
        return;
    about.needed = true;
}

/// Judges whether each function that code outside the class may call overwrites the member before
/// it reads it, in any order of calls.
void hidden_zeroing_check::judge_class(const function& constructor, const FieldDecl* field,
                                       const construct& what, const binding& bound,
                                       opinion& about) {
    const auto* record = constructor.declaration->getDeclContext();
    for (const auto& each : functions_) {
        const auto* method = dyn_cast<CXXMethodDecl>(each->declaration);
        const bool is_member = method != nullptr && method->getParent() == record;
        if (!is_member) {
            const bool is_lambda = method != nullptr && method->getParent()->isLambda();
            if (!is_lambda && mentions(each->declaration->getBody(), field)) about.needed = true;
            if (about.needed) return;
            continue;
        }
        const bool is_constructor = isa<CXXConstructorDecl>(method);
        const bool is_inner = method->getAccess() == AS_private && !method->isVirtual();
        if ((is_constructor ? method != constructor.declaration : is_inner) ||
            !reaches(method->getBody(), field, 0))
            continue;
        zeroing followed;
        followed.least_bytes = min_bytes_;
        followed.object = {path{method, {nullptr, field->getCanonicalDecl()}}, what.object,
                           what.type};
        followed.extent = what.extent;
        if (is_constructor)
            followed.start = bound.start;
        else if (followed.extent.how != zeroed_extent::growth::fixed)
            followed.extent.how = zeroed_extent::growth::unknown;
        // The member functions must overwrite the zeroes that are left when the function ends.
        const verdict found = follow(followed, method, !is_constructor);
        if (found.needed || found.returned) {
            about.needed = true;
            return;
        }
        note_overwriting(found, about);
    }
}

/// Judges a buffer that a constructor leaves to the users of the object. All objects must be local
/// variables.
void hidden_zeroing_check::judge_owned(const function& constructor, const FieldDecl* field,
                                       const construct& what, const binding& bound,
                                       opinion& about) {
    const auto* declaration = cast<CXXConstructorDecl>(constructor.declaration);
    const auto sites = creations_.find(declaration->getParent()->getCanonicalDecl());
    if (sites == creations_.end()) {
        about.needed = true;
        return;
    }
    for (const call_site& each : sites->second) {
        const auto* creation = dyn_cast<CXXConstructExpr>(each.call);
        if (creation != nullptr &&
            creation->getConstructor()->getCanonicalDecl() != declaration->getCanonicalDecl())
            continue;
        values names(*context_);
        names.frames = {each.caller->declaration};
        const auto holder = each.caller->contents->binding_of(each.call, names);
        if (creation == nullptr || !holder || !holder->root || !holder->is_local) {
            about.needed = true;
            return;
        }
        zeroing followed;
        followed.least_bytes = min_bytes_;
        followed.start = bound.start;
        followed.creation = creation;
        followed.whole = *holder->root;
        followed.object = {followed.whole, what.object, what.type};
        followed.object.root.members.emplace_back(field->getCanonicalDecl());
        followed.extent = what.extent;
        const verdict found = follow(followed, each.caller->declaration);
        if (found.needed || found.returned) {
            about.needed = true;
            return;
        }
        note_overwriting(found, about);
    }
}

void hidden_zeroing_check::judge_callers(const function& factory, const construct& what,
                                         const binding& returned, opinion& about, int depth) {
    const auto sites = calls_.find(key_of(factory.declaration));
    if (depth >= deepest_factory || sites == calls_.end() || sites->second.empty() ||
        !is_private(factory.declaration, context_->getSourceManager())) {
        about.needed = true;
        return;
    }
    for (const call_site& each : sites->second) {
        values names(*context_);
        names.frames = {each.caller->declaration};
        auto bound = each.caller->contents->binding_of(each.call, names);
        if (!bound) {
            about.needed = true;
            return;
        }
        auto& where = bound->root ? bound->root->members : bound->part;
        where.insert(where.end(), returned.part.begin(), returned.part.end());
        construct here = what;
        here.extent.beside = returned.beside;
        const auto* call = cast<CallExpr>(each.call);
        const FunctionDecl* callee = factory.declaration;
        for (unsigned i = 0; i < callee->getNumParams() && i < call->getNumArgs(); ++i)
            here.extent.arguments.emplace_back(callee->getParamDecl(i), call->getArg(i));
        judge_bound(*each.caller, here, *bound, about, depth + 1);
    }
}

void hidden_zeroing_check::judge(const function& within) {
    values names(*context_);
    names.frames = {within.declaration};
    for (const Expr* each : within.contents->expressions()) {
        const auto what = zeroing_expression(each, names, min_bytes_);
        if (!what) continue;
        std::optional<binding> bound;
        if (what->kind == construct_kind::resize || what->kind == construct_kind::emplace_back ||
            what->kind == construct_kind::emplace) {
            const Expr* object = cast<CXXMemberCallExpr>(each)->getImplicitObjectArgument();
            if (const auto root = names.object_path(object)) {
                bound = binding{each, root, is_local_object(*root), {}, {}};
            }
        } else {
            bound = within.contents->binding_of(each, names);
        }
        if (!bound) continue;
        opinion& about = opinion_on(*what);
        const auto* constructor = dyn_cast<CXXConstructorDecl>(within.declaration);
        const auto* field = constructor != nullptr && bound->root &&
                                    bound->root->root == constructor &&
                                    bound->root->members.size() == 2
                                ? bound->root->members[1].field
                                : nullptr;
        if (field != nullptr)
            judge_field(within, field, *what, *bound, about);
        else
            judge_bound(within, *what, *bound, about, 0);
    }
    for (const VarDecl* each : within.contents->variables()) {
        const auto what = zeroing_variable(each, names, min_bytes_);
        if (!what) continue;
        opinion& about = opinion_on(*what);
        about.variable = each;
        const binding bound{each, path{each->getCanonicalDecl(), {}}, true, {}, {}};
        judge_bound(within, *what, bound, about, 0);
    }
}

void hidden_zeroing_check::judge_members(const function& within) {
    const auto* constructor = dyn_cast<CXXConstructorDecl>(within.declaration);
    if (constructor == nullptr || constructor->isCopyOrMoveConstructor()) return;
    values names(*context_);
    names.frames = {constructor};
    for (const CXXCtorInitializer* each : constructor->inits()) {
        if (!each->isMemberInitializer()) continue;
        const FieldDecl* field = each->getMember();
        const Expr* initial = each->getInit();
        SourceLocation where = each->getSourceLocation();
        if (const auto* in_class = dyn_cast<CXXDefaultInitExpr>(strip(initial))) {
            initial = in_class->getExpr();
            where = field->getLocation();
        } else if (!each->isWritten()) {
            continue;
        }
        const auto what = zeroing_member(field, initial, where, names, min_bytes_);
        if (!what) continue;
        opinion& about = opinion_on(*what);
        about.initializer = each;
        const path member{constructor, {nullptr, field->getCanonicalDecl()}};
        judge_field(within, field, *what, binding{each, member, false, {}, {}}, about);
    }
}

void hidden_zeroing_check::judge_creations(const FieldDecl* field, const construct& what,
                                           opinion& about) {
    const auto* record = dyn_cast<CXXRecordDecl>(field->getParent());
    const auto& sources = context_->getSourceManager();
    const auto sites =
        record != nullptr ? creations_.find(record->getCanonicalDecl()) : creations_.end();
    // Another translation unit may create objects of a class in a header.
    if (sites == creations_.end() || !sources.isInMainFile(record->getLocation())) {
        about.needed = true;
        return;
    }
    const auto offset = static_cast<std::int64_t>(
        context_->getASTRecordLayout(record).getFieldOffset(field->getFieldIndex()) / 8);
    for (const call_site& each : sites->second) {
        values names(*context_);
        names.frames = {each.caller->declaration};
        // The constructor of a derived class may overwrite it.
        const auto* base = each.caller->contents->base_initializer(each.call);
        if (base != nullptr && reaches(each.caller->declaration->getBody(), field, 0)) {
            const path member{each.caller->declaration, {nullptr, field->getCanonicalDecl()}};
            judge_bound(*each.caller, what, binding{base, member, false, {}, {}}, about, 0);
            continue;
        }
        const auto bound = each.caller->contents->binding_of(each.call, names);
        if (!bound || !bound->root) {
            about.needed = true;
            return;
        }
        construct here = what;
        here.type = context_->getRecordType(record);
        here.extent.offset = offset;
        for (auto& [low, high] : here.extent.initialised) {
            low += offset;
            high += offset;
        }
        judge_bound(*each.caller, here, *bound, about, 0);
    }
}

void hidden_zeroing_check::judge_all(const function& within) {
    if (constants_.is_only_constant(*within.declaration)) return;
    judged_ = &within;
    judge(within);
    judge_members(within);
}

void hidden_zeroing_check::onEndOfTranslationUnit() {
    if (context_ == nullptr) return;
    work_left_ = most_work;
    // The caller asks for proposals by the environment, as for what was given up.
    notes_proposals_ = std::getenv("FREEHOLD_CHECK_PROPOSALS") != nullptr;
    for (const auto& each : functions_) {
        gave_up_ = false;
        judge_all(*each);
        if (gave_up_) tell_that_it_gave_up(*each->declaration);
    }
    notes_proposals_ = false;
    std::map<SourceLocation, std::vector<const opinion*>> uses_of_macros;
    const auto& sources = context_->getSourceManager();
    for (const auto& [where, about] : opinions_) {
        const SourceLocation written = about.what.location;
        if (sources.isMacroBodyExpansion(written))
            uses_of_macros[sources.getSpellingLoc(written)].push_back(&about);
        else if (about.hidden && !about.needed && !grows_by_zeroes(about))
            report(about);
    }
    for (const auto& [where, uses] : uses_of_macros) report_macro(where, uses);
    propose_fillers();
    opinions_.clear();
    judged_for_.clear();
    proposals_.clear();
    calls_.clear();
    creations_.clear();
    functions_.clear();
    other_allocator_.clear();
    seen_.clear();
    graphs_ = graphs();
    filled_counts_ = filled_counts(more_fillers_);
    constants_ = constant_evaluation();
    context_ = nullptr;
}

}  // namespace freehold::check
