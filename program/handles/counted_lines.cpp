// SPDX-License-Identifier: BSL-1.0
#include "handles/counted_lines.hpp"

#include "handles/attribution.hpp"
#include "handles/classifier.hpp"
#include "handles/code_map.hpp"
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
    figure_count
};

/// Returns whether the user's line assigns to a handle, or to an object that holds it.
bool is_assignment(const std::vector<code_frame>& frames, std::size_t user_frame) {
    return std::any_of(
        frames.begin(),
        frames.begin() + static_cast<std::ptrdiff_t>(std::min(user_frame, frames.size())),
        [](const code_frame& each) {
            return without_arguments(each.function.name).ends_with("::operator=");
        });
}

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
                case 'P':
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
                case 'E':
                    ended = true;
                    break;
                default:
                    break;
            }
        }
        if (!ended) ++result_.killed;
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
        for (std::size_t i = 0; i < order.size(); ++i) {
            place[order[i]] = i;
            sorted.push_back(result_.lines[order[i]]);
        }
        result_.lines = std::move(sorted);
        for (removable_pair& each : result_.pairs) {
            each.copy = place[each.copy];
            each.release = place[each.release];
        }
        result_.without_debug_information.assign(counting_opaque_.begin(), counting_opaque_.end());
        result_.opaque.assign(opaque_.begin(), opaque_.end());
        result_.notes.assign(notes_.begin(), notes_.end());
        return std::move(result_);
    }

private:
    void read_module(std::istringstream& words) {
        std::size_t number = 0;
        module_file module;
        words >> number >> module.opaque >> std::ws;
        std::getline(words, module.path);
        if (module.opaque) opaque_.insert(module.path);
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

    /// Returns false if they are not known.
    bool append_jumped_over(std::vector<code_frame>& frames, std::int64_t module,
                            std::uint64_t call, std::uint64_t reached) {
        const auto found = modules_.find(static_cast<std::size_t>(module));
        if (module < 0 || found == modules_.end()) return true;
        const std::string& path = found->second.path;
        const auto is_passed_over = [this](const code_function& each) {
            return names_.is_passed_over(each);
        };
        const auto more = code_of(path)->jumped_over(call, reached, jumps_[path], is_passed_over);
        if (more) frames.insert(frames.end(), more->begin(), more->end());
        return more.has_value();
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
            records_.push_back({nothing});
            return;
        }
        std::vector<code_frame> frames;
        append_frames(frames, static_cast<std::int64_t>(module), offset);
        std::int64_t reached_in = static_cast<std::int64_t>(module);
        std::uint64_t reached = offset;
        std::optional<std::size_t> lost;  // the number of frames below one that is not known
        for (std::size_t i = 0; i < callers; ++i) {
            std::int64_t in = 0;
            std::uint64_t at = 0;
            char colon = 0;
            words >> in >> colon >> at;
            if (in == reached_in && !append_jumped_over(frames, in, at, reached) && !lost)
                lost = frames.size();
            append_frames(frames, in, at);
            reached_in = in;
            reached = at;
        }

        const std::string& path = modules_[module].path;
        counted_line key;
        bool is_weak = (flags & site_weak) != 0;
        bool is_lock = false;
        bool is_apart = false;
        bool assigns = false;
        bool in_variable = false;
        bool in_register = false;
        std::string holder;
        if ((flags & site_opaque) != 0) {
            key.handle = "code without names";
            key.function = path;
        } else {
            const attribution found = attribute(names_, frames, path);
            if (!found.what || (found.what->function->by_caller && !found.what->kind->word)) {
                records_.push_back({nothing});
                return;
            }
            key = found.line;
            key.is_called = lost && found.shown >= *lost && found.shown < frames.size();
            if (key.pointee.empty()) take_type(key, typed);
            const count_kind& kind = *found.what->kind;
            if (!kind.note.empty()) notes_.insert(kind.note);
            if (!kind.weak_by_address && !kind.word)
                is_weak = found.what->function->weak || (is_weak && kind.strong_by_address);
            is_lock = found.what->function->lock;
            is_apart = found.what->apart;
            assigns = is_assignment(frames, found.what->user_frame);
            holder = holder_at(frames, found.shown);
            in_register = found.what->handle->in_register;
            in_variable = in_register || (n[up] != 0 && found.shown < frames.size() &&
                                          makes_variable(frames[found.shown]));
        }
        if (modules_[module].opaque) counting_opaque_.insert(path);
        const pair_kind kind = is_weak   ? pair_kind::weak_copy
                               : is_lock ? pair_kind::lock
                                         : pair_kind::copy;
        const std::size_t index = index_of(key);
        records_.push_back({index, kind, assigns, in_variable, in_register});
        counted_line& to = result_.lines[index];
        if (n[up] != 0) note_holder(to, holder);
        note_calls(to, frames, n[up] + n[down] + n[made]);
        (is_weak ? to.weak_copies : is_lock ? to.locks : to.copies) += n[up];
        (is_weak ? to.weak_releases : to.releases) += n[down];
        if (in_variable && kind != pair_kind::lock) to.in_variables += n[up];
        if (in_register) to.in_variables += n[down] - n[unique];
        to.objects += n[made];
        if (is_apart) to.made_apart += n[made];
        to.would_be_plain += n[would_be_plain];
        to.threads |= threads;
        if (is_weak) return;
        to.last_releases += n[last];
        to.unique_releases += n[unique];
        to.sole += n[sole];
        to.foreign += n[foreign];
        to.left += n[left];
        to.left_shared += n[left] - n[left_sole];
    }

    /// Takes the type of the record with this number, which begins at 1, if that record has one.
    void take_type(counted_line& key, std::size_t number) const {
        if (number == 0 || number > records_.size()) return;
        const std::size_t line = records_[number - 1].line;
        if (line == nothing || result_.lines[line].pointee.empty()) return;
        key.pointee = result_.lines[line].pointee;
        key.handle = result_.lines[line].handle;
    }

    /// Returns the class that the user's line copies, if the compiler generated the copy. Returns
    /// an empty text if the line copies the handle itself.
    std::string holder_at(const std::vector<code_frame>& frames, std::size_t user_frame) {
        if (user_frame == 0 || user_frame >= frames.size()) return {};
        const code_function& copies = frames[user_frame - 1].function;
        const std::size_t end = copies.implicit ? copies.name.rfind("::") : std::string::npos;
        if (end == std::string::npos || copies.name.find("<lambda") != std::string::npos ||
            names_.names_pointee(copies))
            return {};
        return copies.name.substr(0, end);
    }

    /// Returns whether the frame's line declares a handle as a variable.
    bool makes_variable(const code_frame& frame) {
        const std::vector<std::string> classes = code_map::declared_at(frame);
        return std::any_of(classes.begin(), classes.end(), [this](const std::string& each) {
            return names_.names_pointee({each});
        });
    }

    static void note_holder(counted_line& line, const std::string& holder) {
        const bool is_first = line.copies + line.weak_copies + line.locks == 0;
        if (is_first)
            line.holder = holder;
        else if (line.holder != holder)
            line.holder.clear();
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
        const auto [found, is_new] = index_.try_emplace(
            {key.handle, key.pointee, key.function, key.file, key.line, key.is_called},
            result_.lines.size());
        if (is_new) result_.lines.push_back(key);
        return found->second;
    }

    void read_pair(std::istringstream& words) {
        std::size_t copy = 0;
        std::size_t release = 0;
        std::uint64_t count = 0;
        std::uint64_t repeats = 0;
        std::uint64_t plain = 0;
        std::uint64_t distance = 0;
        words >> copy >> release >> count >> repeats >> plain >> distance;
        if (copy >= records_.size() || release >= records_.size() || count == 0) return;
        const record& from = records_[copy];
        const record& to = records_[release];
        if (from.line == nothing || to.line == nothing) return;
        removable_pair& sum = pairs_
                                  .try_emplace({from.line, to.line, from.kind},
                                               removable_pair{from.line, to.line, from.kind})
                                  .first->second;
        sum.count += count;
        sum.repeats += repeats;
        sum.plain += plain;
        sum.distance += distance;
        if (to.assigns) sum.assigned += count;
        if (!from.in_variable) return;
        sum.in_variables += count;
        if (!to.in_register) result_.lines[to.line].in_variables += count;
    }

    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

    classifier names_;
    handle_counts result_;
    std::map<std::string, std::unique_ptr<code_map>> code_;
    std::map<std::size_t, module_file> modules_;
    std::map<std::string, std::set<std::uint64_t>> jumps_;  // indirect ones, by the module's path
    struct record {
        std::size_t line;  // `nothing` if it was not executed in this process
        pair_kind kind = pair_kind::copy;
        bool assigns = false;      // it belongs to an assignment to a handle
        bool in_variable = false;  // its copies make a variable
        bool in_register = false;  // all of its operations cost as much as those in variables
    };
    std::vector<record> records_;
    std::map<std::tuple<std::string, std::string, std::string, std::string, int, bool>, std::size_t>
        index_;
    std::map<std::tuple<std::size_t, std::size_t, pair_kind>, removable_pair> pairs_;
    std::set<std::string> counting_opaque_;
    std::set<std::string> opaque_;
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
