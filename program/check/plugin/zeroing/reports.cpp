// SPDX-License-Identifier: BSL-1.0
// The findings of hidden_zeroing_check, as the user sees them: messages, notes and replacements.
#include "allocator_fix.hpp"
#include "check/plugin/syntax/project.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "hidden_zeroing_check.hpp"
#include "overwrite_fix.hpp"

#include <algorithm>
#include <cstdlib>

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace freehold::check {

using namespace clang;

namespace {

std::string amount_of(const construct& what, const ASTContext& context) {
    if (what.extent.bytes != 0) {
        std::int64_t bytes = what.extent.bytes;
        for (const auto& [low, high] : what.extent.initialised) bytes -= high - low;
        return std::to_string(bytes) + " bytes";
    }
    auto size = context.getTypeSizeInChars(what.type).getQuantity();
    if (const Expr* factor = what.extent.second_count) {
        Expr::EvalResult constant;
        if (!factor->EvaluateAsInt(constant, context)) return "n * size bytes";
        size = constant.Val.getInt().getExtValue();
    }
    return "n elements of " + std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

}  // namespace

bool hidden_zeroing_check::is_hidden(const Stmt* zeroing) const {
    return std::any_of(opinions_.begin(), opinions_.end(), [&](const auto& each) {
        return each.second.what.expression == zeroing && each.second.hidden && !each.second.needed;
    });
}

/// True if a vector grows later by elements that need their zeroes: another allocator would leave
/// these out, too.
bool hidden_zeroing_check::grows_by_zeroes(const opinion& about) const {
    return !is_string(about.what) &&
           std::any_of(about.shrinks.begin(), about.shrinks.end(), [&](const auto& each) {
               return !each.second && written_arguments(cast<Expr>(each.first)).size() == 1 &&
                      !is_hidden(each.first);
           });
}

void hidden_zeroing_check::fix_string(const opinion& about, fix& how) {
    values names(*context_);
    names.frames = {about.within};
    const auto fills = [&](const std::set<const Stmt*>& filling) {
        zeroing followed = about.followed;
        followed.filling = &filling;
        const verdict found = follow(followed, about.within);
        return !found.needed && !found.left_by_filling;
    };
    how.replacements = overwrite_fix(about.what, about.within, names, fills);
    if (!how.replacements.empty())
        how.advice = "use 'resize_and_overwrite', which leaves the bytes as they are";
}

void hidden_zeroing_check::fix_vector(const opinion& about, fix& how) {
    const auto& sources = context_->getSourceManager();
    const path& root = about.followed.object.root;
    const auto* variable = about.what.kind == construct_kind::resize ? resized_variable(about.what)
                                                                     : variable_of(root);
    if (!has_allocator_ || variable == nullptr || !root.members.empty()) return;
    values names(*context_);
    names.frames = {about.within};
    const auto other = [&](const Expr* zeroing) {
        const auto shrinks = about.shrinks.find(zeroing);
        return (shrinks != about.shrinks.end() && shrinks->second) || is_hidden(zeroing);
    };
    how.replacements = allocator_fix(about.what, variable, about.within, names, other,
                                     other_allocator_.count(variable) == 0);
    if (how.replacements.empty()) return;
    other_allocator_.insert(variable);
    const auto file = sources.getFileID(variable->getLocation());
    if (const auto include =
            includes_.createIncludeInsertion(file, std::string("<") + allocator_header + ">"))
        how.replacements.push_back(*include);
    how.advice = "use 'freehold::default_init_allocator', which leaves the elements as they are";
}

fix hidden_zeroing_check::fix_of(const opinion& about) {
    const construct& what = about.what;
    fix result = fix_for(what, about.variable, about.initializer, *context_);
    if (about.within == nullptr) return result;
    if (what.kind == construct_kind::container || what.kind == construct_kind::resize) {
        if (is_string(what))
            fix_string(about, result);
        else
            fix_vector(about, result);
    }
    return result;
}

/// clang-tidy drops remarks of plug-ins, so the caller asks for these lines by the environment.
void hidden_zeroing_check::tell_that_it_gave_up(const FunctionDecl& within) const {
    if (std::getenv("FREEHOLD_CHECK_VERBOSE") == nullptr) return;
    const PresumedLoc where = context_->getSourceManager().getPresumedLoc(
        context_->getSourceManager().getExpansionLoc(within.getLocation()));
    if (where.isInvalid()) return;
    llvm::errs() << "freehold-gave-up " << where.getFilename() << ":" << where.getLine() << ": '"
                 << within.getNameAsString() << "'\n";
}

/// The lines of a macro are reported once, whatever the number of its uses.
void hidden_zeroing_check::report_macro(SourceLocation written,
                                        const std::vector<const opinion*>& uses) {
    const auto is_hidden = [](const opinion* each) { return each->hidden && !each->needed; };
    const auto first = std::find_if(uses.begin(), uses.end(), is_hidden);
    if (first == uses.end()) return;
    const auto hidden = std::count_if(uses.begin(), uses.end(), is_hidden);
    const auto& sources = context_->getSourceManager();
    const opinion& about = **first;
    const std::string macro =
        Lexer::getImmediateMacroName(about.what.location, sources, getLangOpts()).str();
    std::string count = std::to_string(hidden);
    if (static_cast<std::size_t>(hidden) != uses.size())
        count += " of " + std::to_string(uses.size());
    const SourceLocation where =
        sources.isInSystemHeader(written) ? sources.getFileLoc(about.what.location) : written;
    if (!is_in_project(where, sources)) return;
    diag(where,
         "'%0' zeroes %1 that are overwritten before any is read, in %2 use%3 of the macro "
         "'%4'")
        << about.what.name << amount_of(about.what, *context_) << count
        << (uses.size() == 1 ? "" : "s") << macro;
    if (about.filled_at.isValid())
        diag(about.filled_at, "they are overwritten here", DiagnosticIDs::Note);
    diag(where, "%0", DiagnosticIDs::Note) << fix_of(about).advice;
}

/// The text with the line ends of the file.
std::string hidden_zeroing_check::with_line_ends_of(SourceLocation where,
                                                    llvm::StringRef text) const {
    const auto& sources = context_->getSourceManager();
    const llvm::StringRef file = sources.getBufferData(sources.getFileID(where));
    const std::size_t end = file.find('\n');
    if (end == llvm::StringRef::npos || end == 0 || file[end - 1] != '\r') return text.str();
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) result += '\r';
        result += text[i];
    }
    return result;
}

void hidden_zeroing_check::report(const opinion& about) {
    const construct& what = about.what;
    if (!is_in_project(what.location, context_->getSourceManager())) return;
    fix how = fix_of(about);
    {
        auto warning =
            diag(what.location, "'%0' zeroes %1 that are overwritten before any is read");
        warning << what.name << amount_of(what, *context_);
        for (FixItHint& each : how.replacements) {
            if (each.RemoveRange.isValid())
                each.CodeToInsert =
                    with_line_ends_of(each.RemoveRange.getBegin(), each.CodeToInsert);
            warning << each;
        }
    }
    if (about.filled_at.isValid())
        diag(about.filled_at, "they are overwritten here", DiagnosticIDs::Note);
    diag(what.location, "%0", DiagnosticIDs::Note) << how.advice;
}

}  // namespace freehold::check
