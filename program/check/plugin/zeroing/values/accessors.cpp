// SPDX-License-Identifier: BSL-1.0
// Analyses member functions that only return a value or a place.
#include "check/plugin/syntax/syntax.hpp"
#include "values.hpp"

#include <algorithm>
#include <utility>

#include <clang/AST/Attr.h>

namespace freehold::check {

using namespace clang;

const Expr* values::accessed(const CallExpr* call) const {
    constexpr std::size_t deepest = 6;
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getCalleeDecl());
    const FunctionDecl* definition = nullptr;
    if (method == nullptr || method->isStatic() || frames.size() >= deepest ||
        method->getParent()->isInStdNamespace() || method->getParent()->isLambda() ||
        isa<CXXConversionDecl>(method) || !method->hasBody(definition) ||
        definition->isDependentContext() || may_be_overridden(*method) ||
        std::find(frames.begin(), frames.end(), definition) != frames.end())
        return nullptr;
    const Expr* object_argument = receiver_of(call);
    const auto arguments = arguments_of_call(call);
    if (object_argument == nullptr || arguments.size() != definition->getNumParams() ||
        std::any_of(definition->param_begin(), definition->param_end(),
                    [](const ParmVarDecl* each) { return !each->getType()->isIntegerType(); }))
        return nullptr;
    const auto* body = dyn_cast_or_null<CompoundStmt>(definition->getBody());
    const auto* result =
        body != nullptr && body->size() == 1 ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
    const Expr* value = result != nullptr ? result->getRetValue() : nullptr;
    const bool may_follow =
        value != nullptr && !value->HasSideEffects(context_, false) && object_path(object_argument);
    return may_follow ? value : nullptr;
}

values::accessor_frame::accessor_frame(values& of, const CallExpr* call)
    : result(of.accessed(call)), values_(of), bound_(of.bound), given_(of.given_) {
    const FunctionDecl* definition = nullptr;
    cast<CXXMethodDecl>(call->getCalleeDecl())->hasBody(definition);
    std::vector<polynomial> given;
    for (const Expr* each : arguments_of_call(call)) given.push_back(of.value_of(each));
    of.bound[definition] = *of.object_path(receiver_of(call));
    for (unsigned i = 0; i < definition->getNumParams(); ++i)
        of.given_[definition->getParamDecl(i)->getCanonicalDecl()] = given[i];
    of.frames.push_back(definition);
}

values::accessor_frame::~accessor_frame() {
    values_.frames.pop_back();
    values_.bound = std::move(bound_);
    values_.given_ = std::move(given_);
}

}  // namespace freehold::check
