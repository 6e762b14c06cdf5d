// SPDX-License-Identifier: BSL-1.0
#include "handles/counted_lines.hpp"

#include "code/code_map.hpp"
#include "handles/attribution.hpp"
#include "handles/classifier.hpp"
#include "handles/copy_frames.hpp"
#include "handles/valgrind_tool/site_flags.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

/// The figures of a C line, in the order in which the tool writes them.
enum figure {
    up,
    down,
    last,
    unique,
    made,
    would_be_plain,
    foreign,
    sole,
    left,
    left_sole,
    object_events,
    object_foreign,
    shared,
    weakened,
    figure_count
};

struct module_file {
    std::string path;
    bool opaque = false;
};

class reader {
public:
    explicit reader(const fs::path& described) : names_(known_handles(described)) {}

    void read(const fs::path& file) {
        modules_.clear();
        records_.clear();
        links_.clear();
        neighbours_.clear();
        ++result_.processes;
        bool ended = false;
        std::ifstream stream(file);
        for (std::string text; std::getline(stream, text);) {
            std::istringstream words(text.substr(std::min<std::size_t>(1, text.size())));
            switch (text.empty() ? ' ' : text.front()) {
                case 'M':
                    read_module(words);
                    break;
                case 'J': {
                    std::size_t module = 0;
                    std::uint64_t offset = 0;
                    words >> module >> offset;
                    jumps_[modules_[module].path].insert(offset);
                    break;
                }
                case 'C':
                    read_record(words);
                    break;
                case 'L':
                    read_link(words, links_);
                    break;
                case 'N':
                    read_link(words, neighbours_);
                    break;
                case 'P':
                    resolve_types();
                    read_pair(words);
                    break;
                case 'T': {
                    std::uint64_t threads = 0;
                    words >> threads;
                    result_.most_threads = std::max(result_.most_threads, threads);
                    break;
                }
                case 'I':
                    result_.reads_input = true;
                    break;
                case 'X':
                    result_.left_out_programs = true;
                    break;
                case 'E':
                    ended = true;
                    break;
                default:
                    break;
            }
        }
        if (!ended) ++result_.killed;
        resolve_types();
        add_objects();
    }

    handle_counts finish() {
        for (const auto& [lines, counted] : pairs_) result_.pairs.push_back(counted);
        std::sort(result_.pairs.begin(), result_.pairs.end(),
                  [](const auto& a, const auto& b) { return a.count > b.count; });
        // NOLINTNEXTLINE(freehold-hidden-zeroing): few lines count
        std::vector<std::size_t> order(result_.lines.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return result_.lines[a].operations() > result_.lines[b].operations();
        });
        std::vector<std::size_t> place(order.size());
        std::vector<counted_line> sorted;
        for (const std::size_t each : order) {
            if (is_empty(result_.lines[each])) continue;
            place[each] = sorted.size();
            sorted.push_back(result_.lines[each]);
        }
        result_.lines = std::move(sorted);
        for (removable_pair& each : result_.pairs) {
            each.copy = place[each.copy];
            each.release = place[each.release];
        }
        for (auto& [pointee, objects] : result_.objects)
            objects.is_hidden = names_.is_hidden(pointee);
        result_.without_debug_information.assign(counting_opaque_.begin(), counting_opaque_.end());
        result_.notes.assign(notes_.begin(), notes_.end());
        return std::move(result_);
    }

private:
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

    struct record {
        std::size_t line = nothing;  // if it was executed in this process
        pair_kind kind = pair_kind::copy;
        bool assigns = false;      // it belongs to an assignment to a handle
        bool by_library = false;   // a function of the library copies, such as push_back
        bool in_lambda = false;    // likewise, in a lambda
        bool by_call = false;      // likewise, to call a function, such as std::function's
        bool captured = false;     // a lambda captures its copies
        bool in_range = false;     // of `by_library`: the line passes a range
        bool in_list = false;      // its line makes a std::initializer_list
        std::string library;       // the innermost function of the library that the line calls
        bool in_variable = false;  // its copies make a variable
        bool in_register = false;  // all of its operations cost as much as those in variables
        bool needed = false;       // its copies cannot be left out
        bool converts = false;     // the copy has another type than its original
        std::string within;        // the function of the handle that the user's line calls
        bool apart = false;        // its objects and their counts are allocated separately
        bool has_deleter = false;  // more than `delete` ends its objects
        // Of the class of its objects, if their counts are allocated separately.
        constructor_access constructors = constructor_access::untold;
        bool has_one_type = false;  // all handles of an object have its type
        bool is_untold = false;     // a function that is not known may name the type
        std::string pointee;
        std::string handle;
        type_objects objects;  // that belong to it
        std::array<std::uint64_t, figure_count> figures{};
    };

    void read_module(std::istringstream& words) {
        std::size_t number = 0;
        module_file module;
        words >> number >> module.opaque >> std::ws;
        std::getline(words, module.path);
        modules_[number] = module;
    }

    const code_map* code_of(const std::string& path) {
        auto& code = code_[path];
        if (!code) code = std::make_unique<code_map>(path);
        return code.get();
    }

    void append_frames(std::vector<code_frame>& frames, std::int64_t module, std::uint64_t offset) {
        const auto found = modules_.find(static_cast<std::size_t>(module));
        if (module < 0 || found == modules_.end()) return;
        const std::vector<code_frame> more = code_of(found->second.path)->frames(offset);
        frames.insert(frames.end(), more.begin(), more.end());
    }

    /// The numbers of frames below the first functions that are not known.
    struct gaps {
        std::optional<std::size_t> line;  // one of them may be of interest
        std::optional<std::size_t> type;  // one of them may name the pointee
    };

    void append_jumped_over(std::vector<code_frame>& frames, gaps& unknown, std::int64_t module,
                            std::uint64_t call, std::uint64_t reached) {
        const auto found = modules_.find(static_cast<std::size_t>(module));
        if (module < 0 || found == modules_.end()) return;
        const std::string& path = found->second.path;
        const auto is_passed_over = [this](const code_function& each) {
            return names_.is_passed_over(each);
        };
        const auto more = code_of(path)->jumped_over(call, reached, jumps_[path], is_passed_over);
        const bool may_name_type =
            !more || std::any_of(more->left_out.begin(), more->left_out.end(),
                                 [this](const code_frame& each) {
                                     return names_.names_pointee(each.function);
                                 });
        if (!more && !unknown.line) unknown.line = frames.size();
        if (may_name_type && !unknown.type) unknown.type = frames.size();
        if (more) frames.insert(frames.end(), more->frames.begin(), more->frames.end());
    }

    void read_record(std::istringstream& words) {
        std::size_t module = 0;
        std::uint64_t offset = 0;
        unsigned flags = 0;
        std::array<std::uint64_t, figure_count> n{};
        std::uint64_t threads = 0;
        std::size_t typed = 0;
        std::size_t callers = 0;
        words >> module >> offset >> flags;
        for (std::uint64_t& each : n) words >> each;
        words >> threads >> typed >> callers;
        const bool counts_nothing =
            std::all_of(n.begin(), n.end(), [](std::uint64_t each) { return each == 0; });
        if (counts_nothing) {
            records_.emplace_back();
            return;
        }
        std::vector<code_frame> frames;
        append_frames(frames, static_cast<std::int64_t>(module), offset);
        std::int64_t reached_in = static_cast<std::int64_t>(module);
        std::uint64_t reached = offset;
        gaps unknown;
        for (std::size_t i = 0; i < callers; ++i) {
            std::int64_t in = 0;
            std::uint64_t at = 0;
            char colon = 0;
            words >> in >> colon >> at;
            if (in == reached_in) append_jumped_over(frames, unknown, in, at, reached);
            append_frames(frames, in, at);
            reached_in = in;
            reached = at;
        }

        const std::string& path = modules_[module].path;
        counted_line key;
        record result;
        bool is_weak = (flags & site_weak) != 0;
        bool is_lock = false;
        std::string holder;
        if ((flags & site_opaque) != 0) {
            key.handle = "code without names";
            key.function = path;
        } else {
            const attribution found = attribute(names_, frames, path);
            if (!found.what || (found.what->function->by_caller && !found.what->kind->word)) {
                records_.emplace_back();
                return;
            }
            key = found.line;
            key.is_called =
                unknown.line && found.shown >= *unknown.line && found.shown < frames.size();
            result.is_untold =
                unknown.type && !key.pointee.empty() && found.what->typed_by >= *unknown.type;
            has_untold_ |= result.is_untold;
            if (result.is_untold) key.pointee.clear();
            if (key.pointee.empty()) take_type(key, typed);
            if (key.pointee.empty()) name_merged(key, found.what->pointees_of_merged);
            const count_kind& kind = *found.what->kind;
            if (!kind.note.empty()) notes_.insert(kind.note);
            if (!kind.weak_by_address && !kind.word)
                is_weak = found.what->function->weak || (is_weak && kind.strong_by_address);
            is_lock = found.what->function->lock;
            result.apart = found.what->apart;
            result.has_deleter = found.what->has_deleter;
            if (n[made] != 0 && found.what->takes_object)
                result.constructors =
                    code_map::constructors_of_argument(frames[*found.what->takes_object]);
            result.has_one_type = found.what->handle->one_type;
            const copy_frames around(names_, frames, found.what->user_frame);
            result.assigns = around.is_assignment();
            result.captured = !key.lambdas.empty();
            result.by_call = around.is_made_for_call();
            result.by_library = !result.by_call && around.is_made_by_library();
            result.in_lambda = result.by_library && around.is_in_lambda();
            result.in_range = result.by_library && around.is_of_range();
            result.in_list = around.makes_list();
            result.library = around.library_function();
            const bool is_from_list = around.is_from_list();
            if (is_from_list) copied_lists_.emplace(key.file, key.function, key.pointee);
            result.needed = found.what->needed || is_from_list;
            result.converts = around.converts();
            result.within = around.function_of_handle();
            holder = copy_frames(names_, frames, found.shown).holder();
            result.in_register = found.what->handle->in_register;
            result.in_variable =
                result.in_register || (n[up] != 0 && found.shown < frames.size() &&
                                       declares_handle(names_, frames[found.shown]));
        }
        if (modules_[module].opaque) counting_opaque_.insert(path);
        const pair_kind kind = is_weak   ? pair_kind::weak_copy
                               : is_lock ? pair_kind::lock
                                         : pair_kind::copy;
        result.kind = kind;
        result.figures = n;
        result.pointee = key.pointee;
        result.handle = key.handle;
        if (!is_weak)
            result.objects = {n[object_events], n[object_foreign], n[shared], n[weakened]};
        const bool is_in_this_process =
            std::any_of(n.begin(), n.begin() + object_events, [](auto each) { return each != 0; });
        if (is_in_this_process) result.line = index_of(key);
        records_.push_back(result);
        if (!is_in_this_process) return;
        counted_line& to = result_.lines[result.line];
        if (to.lambdas.empty()) to.lambdas = key.lambdas;
        if (n[up] != 0) note_holder(to, kind, holder);
        note_calls(to, frames, n[up] + n[down] + n[made]);
        to.threads |= threads;
        note_constructors(to, result);
        add_figures(to, result);
    }

    static void note_constructors(counted_line& line, const record& of) {
        if (!of.apart || of.figures[made] == 0) return;
        if (line.made_apart == 0)
            line.constructors = of.constructors;
        else if (line.constructors != of.constructors)
            line.constructors = constructor_access::untold;
    }

    static void add_figures(counted_line& to, const record& from) {
        const auto& n = from.figures;
        const bool is_weak = from.kind == pair_kind::weak_copy;
        const bool is_lock = from.kind == pair_kind::lock;
        (is_weak ? to.weak_copies : is_lock ? to.locks : to.copies) += n[up];
        (is_weak ? to.weak_releases : to.releases) += n[down];
        if (from.in_variable && !is_lock) to.in_variables += n[up];
        if (from.in_register) to.in_variables += n[down] - n[unique];
        to.objects += n[made];
        if (from.apart) to.made_apart += n[made];
        to.would_be_plain += n[would_be_plain];
        if (is_weak) return;
        to.last_releases += n[last];
        to.unique_releases += n[unique];
        to.sole += n[sole];
        to.foreign += n[foreign];
        to.left += n[left];
        to.left_shared += n[left] - n[left_sole];
    }

    using record_links = std::vector<std::pair<std::size_t, std::size_t>>;

    static void read_link(std::istringstream& words, record_links& to) {
        std::pair<std::size_t, std::size_t> link;
        words >> link.first >> link.second;
        to.push_back(link);
    }

    void name_merged(counted_line& line, const std::set<std::string>& types) {
        name_one_of(line, types);
        for (const std::string& each : types) result_.objects[each].is_merged = true;
        if (!types.empty()) result_.objects[line.pointee].is_merged = true;
    }

    /// Returns whether handles of the two types cannot have counted one object.
    static bool contradict(const record& a, const record& b) {
        // Rust's handles of a trait, of a slice and of memory without a value have other types.
        const auto is_plain = [](const std::string& type) {
            return !type.empty() && type != "str" && type.find('[') == std::string::npos &&
                   type.find("dyn ") == std::string::npos &&
                   type.find("MaybeUninit<") == std::string::npos;
        };
        return a.has_one_type && b.has_one_type && a.pointee != b.pointee && is_plain(a.pointee) &&
               is_plain(b.pointee);
    }

    /// Compilers make one function of several that do the same, and keep the name of one. Then
    /// handles of two types seem to count one object, and nothing says which type is right. Where a
    /// function that is not known may name the type, it is that of the objects.
    void resolve_types() {
        std::map<std::size_t, std::set<std::string>> doubted;
        for (const auto& [a, b] : std::exchange(neighbours_, {})) {
            if (a >= records_.size() || b >= records_.size() ||
                !contradict(records_[a], records_[b]))
                continue;
            for (const std::size_t each : {a, b})
                doubted[each].insert({records_[a].pointee, records_[b].pointee});
        }
        for (const auto& [each, types] : doubted) {
            counted_line key = line_of(records_[each]);
            name_merged(key, types);
            move_to(records_[each], key);
        }
        if (!std::exchange(has_untold_, false)) return;
        std::map<std::size_t, std::set<std::pair<std::string, std::string>>> told;
        for (const auto& [a, b] : links_) {
            if (a >= records_.size() || !records_[a].is_untold) continue;
            const record& owner = b < records_.size() ? records_[b] : record();
            told[a].emplace(owner.handle, owner.pointee);
        }
        for (const auto& [each, types] : told) {
            if (types.size() != 1) continue;
            counted_line key = line_of(records_[each]);
            std::tie(key.handle, key.pointee) = *types.begin();
            if (!key.pointee.empty()) move_to(records_[each], key);
        }
    }

    [[nodiscard]] counted_line line_of(const record& of) const {
        return of.line == nothing ? counted_line() : result_.lines[of.line];
    }

    /// Moves the figures of a record to the line of this handle and pointee.
    void move_to(record& of, const counted_line& key) {
        of.pointee = key.pointee;
        if (!key.handle.empty()) of.handle = key.handle;
        if (of.line == nothing) return;
        record negative = of;
        for (std::uint64_t& each : negative.figures) each = -each;
        add_figures(result_.lines[of.line], negative);
        of.line = index_of(key);
        counted_line& to = result_.lines[of.line];
        note_constructors(to, of);
        add_figures(to, of);
        if (to.calls.empty()) to.calls = key.calls;
        if (to.lambdas.empty()) to.lambdas = key.lambdas;
        to.threads |= key.threads;
    }

    /// Takes the type of the record with this number, which begins at 1, if that record has one.
    void take_type(counted_line& key, std::size_t number) const {
        if (number == 0 || number > records_.size()) return;
        const record& typed = records_[number - 1];
        if (typed.pointee.empty()) return;
        key.pointee = typed.pointee;
        key.handle = typed.handle;
    }

    /// Returns whether all figures were moved to other lines.
    static bool is_empty(const counted_line& line) {
        return line.operations() + line.unique_releases + line.objects + line.left == 0;
    }

    /// Adds the objects of this process to their types.
    void add_objects() {
        std::map<std::string, std::set<std::size_t>> belong;
        const auto add = [&](std::size_t from, std::size_t owner) {
            const record& by = records_[from];
            if (!by.pointee.empty() && by.kind != pair_kind::weak_copy)
                belong[by.pointee].insert(owner);
        };
        for (std::size_t i = 0; i < records_.size(); ++i) add(i, i);
        for (const auto& [from, to] : links_) {
            if (from >= records_.size()) continue;
            if (to < records_.size()) add(from, to);
            // Too many to tell: any object may be among them.
            for (std::size_t i = 0; to >= records_.size() && i < records_.size(); ++i) add(from, i);
        }
        std::map<std::size_t, std::set<std::string>> pointees;
        for (const auto& [pointee, owners] : belong)
            for (const std::size_t each : owners) pointees[each].insert(pointee);
        for (const auto& [pointee, owners] : belong) {
            type_objects& sum = result_.objects[pointee];
            for (const std::size_t each : owners) {
                const record& owner = records_[each];
                sum.events += owner.objects.events;
                sum.foreign += owner.objects.foreign;
                sum.shared += owner.objects.shared;
                sum.weakened += owner.objects.weakened;
                if (owner.figures[made] != 0) {
                    sum.have_deleters |= owner.has_deleter;
                    sum.are_closed |= owner.constructors == constructor_access::none_public;
                }
                if (owner.apart || owner.has_deleter) sum.made_apart += owner.figures[made];
                if (owner.objects.events == 0) continue;
                if (owner.pointee != pointee) sum.made_as_others = true;
                sum.others.insert(pointees[each].begin(), pointees[each].end());
            }
            sum.others.erase(pointee);
        }
    }

    static void note_holder(counted_line& line, pair_kind kind, const std::string& holder) {
        const bool is_weak = kind == pair_kind::weak_copy;
        const bool is_first = (is_weak ? line.weak_copies : line.copies + line.locks) == 0;
        std::string& known = is_weak ? line.weak_holder : line.holder;
        if (is_first)
            known = holder;
        else if (known != holder)
            known.clear();
    }

    static void note_calls(counted_line& line, const std::vector<code_frame>& frames,
                           std::uint64_t operations) {
        if (operations <= line.most_at_once) return;
        line.most_at_once = operations;
        line.calls.clear();
        for (const code_frame& each : frames)
            line.calls.push_back(each.file.empty() ? each.function.name
                                                   : fmt::format("{} at {}:{}", each.function.name,
                                                                 each.file, each.line));
    }

    std::size_t index_of(const counted_line& key) {
        const auto [found, is_new] =
            index_.try_emplace({key.handle, key.pointee, key.function, key.file, key.line,
                                key.is_called, key.is_merged},
                               result_.lines.size());
        if (is_new) {
            counted_line& line = result_.lines.emplace_back();
            std::tie(line.handle, line.pointee, line.function, line.file, line.line, line.is_called,
                     line.is_merged) = found->first;
        }
        return found->second;
    }

    void read_pair(std::istringstream& words) {
        std::size_t copy = 0;
        std::size_t release = 0;
        std::uint64_t count = 0;
        std::uint64_t repeats = 0;
        std::uint64_t plain = 0;
        std::uint64_t distance = 0;
        std::uint64_t unlocked = 0;
        words >> copy >> release >> count >> repeats >> plain >> distance >> unlocked;
        if (copy >= records_.size() || release >= records_.size() || count == 0) return;
        const record& from = records_[copy];
        const record& to = records_[release];
        if (from.line == nothing || to.line == nothing || from.needed) return;
        removable_pair& sum = pairs_
                                  .try_emplace({from.line, to.line, from.kind},
                                               removable_pair{from.line, to.line, from.kind})
                                  .first->second;
        sum.count += count;
        sum.repeats += repeats;
        sum.plain += plain;
        sum.distance += distance;
        sum.unlocked += unlocked;
        if (to.assigns) sum.assigned += count;
        if (from.assigns) sum.stored += count;
        const bool by_call = from.by_call || (!from.library.empty() && from.library == to.library);
        if (by_call) sum.by_call += count;
        if (from.by_library && !by_call) sum.by_library += count;
        if (from.in_lambda && !by_call) sum.in_lambda += count;
        if (from.in_range && !by_call) sum.in_range += count;
        const counted_line& copying = result_.lines[from.line];
        const bool is_copied_from_list =
            copied_lists_.count({copying.file, copying.function, copying.pointee}) != 0;
        if (from.in_list || to.in_list || is_copied_from_list) sum.in_list += count;
        if (from.converts) sum.converted += count;
        if (from.captured) sum.captured += count;
        if (distance == count && !from.within.empty() && from.within == to.within)
            sum.internal += count;
        if (!from.in_variable) return;
        sum.in_variables += count;
        if (!to.in_register) result_.lines[to.line].in_variables += count;
    }

    classifier names_;
    handle_counts result_;
    std::map<std::string, std::unique_ptr<code_map>> code_;
    std::map<std::size_t, module_file> modules_;
    std::map<std::string, std::set<std::uint64_t>> jumps_;  // indirect ones, by the module's path
    std::vector<record> records_;
    record_links links_;       // L lines
    record_links neighbours_;  // N lines
    bool has_untold_ = false;  // whether the types of some records are to be found by `links_`
    std::map<std::tuple<std::string, std::string, std::string, std::string, int, bool, bool>,
             std::size_t>
        index_;
    std::map<std::tuple<std::size_t, std::size_t, pair_kind>, removable_pair> pairs_;
    // The file, function and pointee of lists whose elements the library copies. Compilers give the
    // copies into the list other lines.
    std::set<std::tuple<std::string, std::string, std::string>> copied_lists_;
    std::set<std::string> counting_opaque_;
    std::set<std::string> notes_;
};

}  // namespace

handle_counts read_counts(const fs::path& folder, const fs::path& described) {
    reader all(described);
    std::set<fs::path> files;
    for (const auto& each : fs::directory_iterator(folder))
        if (each.path().filename().string().rfind("counts.", 0) == 0) files.insert(each.path());
    for (const fs::path& each : files) all.read(each);
    return all.finish();
}

}  // namespace freehold
