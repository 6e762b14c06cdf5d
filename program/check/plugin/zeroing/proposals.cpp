// SPDX-License-Identifier: BSL-1.0
// Functions that the command proposes for the option FillFunctions: if they fill their buffers,
// more findings follow.
#include "check/plugin/syntax/project.hpp"
#include "check/plugin/syntax/syntax.hpp"
#include "hidden_zeroing_check.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <clang/Basic/SourceManager.h>

namespace freehold::check {
namespace {

using namespace clang;

using locations = std::set<SourceLocation>;

template <class T>
bool have_common(const std::set<T>& some, const std::set<T>& others) {
    return std::any_of(some.begin(), some.end(),
                       [&](const T& each) { return others.count(each) != 0; });
}

locations without(const locations& some, const locations& others) {
    locations result;
    std::set_difference(some.begin(), some.end(), others.begin(), others.end(),
                        std::inserter(result, result.end()));
    return result;
}

/// The line of the source, or the one before it.
llvm::StringRef line_of(SourceLocation where, bool before, const SourceManager& sources) {
    const auto [file, offset] = sources.getDecomposedLoc(where);
    const llvm::StringRef text = sources.getBufferData(file);
    std::size_t begin = text.rfind('\n', offset) + 1;
    std::size_t end = text.find('\n', offset);
    if (before) {
        if (begin == 0) return {};
        end = begin - 1;
        begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    }
    return text.slice(begin, end);
}

bool is_suppressed(SourceLocation where, const SourceManager& sources) {
    const llvm::StringRef line = line_of(where, false, sources);
    return line.find("NOLINT") != llvm::StringRef::npos ||
           line_of(where, true, sources).find("NOLINTNEXTLINE") != llvm::StringRef::npos;
}

}  // namespace

void hidden_zeroing_check::note_proposal(const unknown_reader& by) {
    for (possible_filler& what : possible_fillers_of(*by.callee, by.argument, *context_)) {
        proposal& each = proposals_[what.arguments];
        each.what = std::move(what);
        each.declarations.insert(by.callee->getCanonicalDecl());
        each.functions.insert(judged_);
    }
}

locations hidden_zeroing_check::findings() const {
    const auto& sources = context_->getSourceManager();
    locations result;
    for (const auto& [where, about] : opinions_) {
        const SourceLocation written = about.what.location;
        if (!about.hidden || about.needed) continue;
        if (!sources.isMacroBodyExpansion(written)) {
            if (!grows_by_zeroes(about)) result.insert(where);
            continue;
        }
        const SourceLocation in_macro = sources.getSpellingLoc(written);
        result.insert(sources.isInSystemHeader(in_macro) ? where : in_macro);
    }
    return result;
}

locations hidden_zeroing_check::zeroings_for(const proposal& each) const {
    // Code that calls the filler keeps facts that it would forget otherwise.
    std::set<const function*> changed = each.functions;
    for (const FunctionDecl* declaration : each.declarations)
        if (const auto sites = calls_.find(declaration); sites != calls_.end())
            for (const call_site& site : sites->second) changed.insert(site.caller);
    locations result;
    for (const auto& [where, functions] : judged_for_)
        if (have_common(functions, changed)) result.insert(where);
    return result;
}

void hidden_zeroing_check::propose(const proposal& each, const locations& before) {
    const locations zeroings = zeroings_for(each);
    std::set<const function*> again;
    for (const SourceLocation where : zeroings) {
        const auto& functions = judged_for_.at(where);
        again.insert(functions.begin(), functions.end());
    }
    opinions known = std::exchange(opinions_, {});
    const std::vector<filler> fillers = more_fillers_;
    more_fillers_.emplace_back();
    bool is_first = true;
    for (const std::string_view form : each.what.forms) {
        const std::string entry = each.what.arguments + ":" + std::string(form);
        std::string problem;
        more_fillers_.back() = parse_fillers(entry, problem).front();
        // Which counts are proved depends on the buffer, and not on the form.
        if (std::exchange(is_first, false)) filled_counts_ = filled_counts(more_fillers_);
        opinions_ = known;
        for (const SourceLocation where : zeroings) opinions_.erase(where);
        for (const auto& one : functions_)
            if (again.count(one.get()) != 0) judge_all(*one);
        if (work_left_ < 0) break;
        const locations after = findings();
        if (!without(before, after).empty()) continue;
        for (const SourceLocation where : without(after, before)) tell_proposal(entry, where);
    }
    opinions_ = std::move(known);
    more_fillers_ = fillers;
    filled_counts_ = filled_counts(more_fillers_);
}

void hidden_zeroing_check::propose_fillers() {
    constexpr std::size_t most_proposals = 16;
    const locations before = findings();
    std::vector<const proposal*> all;
    for (const auto& [arguments, each] : proposals_) all.push_back(&each);
    std::stable_sort(all.begin(), all.end(), [](const proposal* a, const proposal* b) {
        return a->functions.size() > b->functions.size();
    });
    if (all.size() > most_proposals) all.resize(most_proposals);
    if (!all.empty() && !fill_functions_.empty())
        llvm::errs() << "freehold-fill-functions " << fill_functions_ << "\n";
    for (const proposal* each : all) {
        if (work_left_ < 0) return;
        propose(*each, before);
    }
}

void hidden_zeroing_check::tell_proposal(const std::string& entry, SourceLocation finding) const {
    const auto& sources = context_->getSourceManager();
    const PresumedLoc where = sources.getPresumedLoc(finding, false);
    if (where.isInvalid() || is_suppressed(finding, sources) || !is_in_project(finding, sources))
        return;
    llvm::SmallString<128> name(where.getFilename());
    sources.getFileManager().makeAbsolutePath(name);
    llvm::errs() << "freehold-filler " << entry << " " << name << ":" << where.getLine() << ":"
                 << where.getColumn() << "\n";
}

}  // namespace freehold::check
