// SPDX-License-Identifier: BSL-1.0
#include "names.hpp"

#include "syntax.hpp"

#include <utility>

#include <clang/AST/RecursiveASTVisitor.h>

namespace freehold::check {
namespace {

using namespace clang;

// The only visitor of whole functions: clang's template takes seconds to compile for each.
class name_collector : public RecursiveASTVisitor<name_collector> {
public:
    function_names found;
    bool VisitVarDecl(VarDecl* variable) {
        found.unqualified.insert(variable->getNameAsString());
        return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr* reference) {
        found.references.push_back(reference);
        if (!reference->hasQualifier())
            found.unqualified.insert(reference->getDecl()->getNameAsString());
        return true;
    }
    bool VisitMemberExpr(MemberExpr* member) {
        if (member->isImplicitAccess())
            found.unqualified.insert(member->getMemberDecl()->getNameAsString());
        return true;
    }
    bool VisitLambdaExpr(LambdaExpr* lambda) {
        for (const LambdaCapture& each : lambda->captures())
            if (is_copy(each)) found.copied.insert(each.getCapturedVar());
        return true;
    }
};

}  // namespace

function_names names_of(const FunctionDecl* function) {
    name_collector collector;
    collector.TraverseDecl(const_cast<FunctionDecl*>(function));
    return std::move(collector.found);
}

}  // namespace freehold::check
