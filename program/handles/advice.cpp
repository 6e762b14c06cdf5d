// SPDX-License-Identifier: BSL-1.0
#include "handles/advice.hpp"

#include "handles/advice_code.hpp"
#include "report/amounts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace freehold {
namespace {

// Above this mean distance, more than the operations of one call happen between copy and release.
constexpr double near_distance = 8;
// The largest share of a type's operations by other threads than the object's first. Above it, a
// biased count executes its slow path too often.
constexpr double most_foreign = 0.05;

/// Returns whether the user can change the line. The code of an installed library is not the
/// user's, and code without debug information may not be.
bool is_users(const counted_line& line) {
    constexpr std::array installed = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
    return !line.file.empty() &&
           std::none_of(installed.begin(), installed.end(),
                        [&line](const char* folder) { return line.file.starts_with(folder); });
}

class adviser {
public:
    explicit adviser(const handles_run& run)
        : run_(run),
          released_elsewhere_(run.counts.lines.size()),
          copied_elsewhere_(run.counts.lines.size()) {
        for (const removable_pair& each : run.counts.pairs) note_crossing(each);
        for (const removable_pair& each : run.counts.pairs) advise_on_pair(each);
        for (const type_total& each : types_of(run)) advise_on_type(each);
    }

    std::vector<handles_advice> pieces;
    std::vector<place_to_look_at> places;

private:
    static bool has_weak_handles(const type_total& type) {
        return type.weak != 0 || type.objects.weakened != 0;
    }

    const counted_line& line(std::size_t index) const { return run_.counts.lines[index]; }

    /// Returns the line of the copy, with what holds such copies.
    counted_line copy_of(const removable_pair& pair) const {
        counted_line copy = line(pair.copy);
        if (pair.kind == pair_kind::weak_copy) copy.holder = copy.weak_holder;
        return copy;
    }

    void add(advice_kind kind, std::size_t at, certainty sure, const time_interval& nanoseconds,
             std::string what, std::string evidence, std::string code) {
        // A sole owner of an object that was made with its counts may count nothing at all.
        if (nanoseconds.most <= 0) return;
        pieces.push_back({kind, std::move(what), std::move(evidence), std::move(code),
                          place_of(line(at)), type_of(line(at)), at, sure, nanoseconds});
    }

    void advise_on_pair(const removable_pair& pair) {
        const counted_line copy = copy_of(pair);
        const counted_line& release = line(pair.release);
        if (copy.pointee.empty() || copy.is_called || copy.is_merged || release.is_merged ||
            !is_users(copy))
            return;
        // The library copies, not the line.
        if (pair.internal * 2 > pair.count) return;
        const bool is_weak = pair.kind == pair_kind::weak_copy;
        const bool is_lock = pair.kind == pair_kind::lock;
        if (is_hidden(copy.pointee)) {
            if (!is_weak && !is_lock && !copy.holder.empty()) look_at(pair);
            return;
        }
        const bool is_repeated = pair.repeats * 2 > pair.count;
        if (!is_carried(pair)) {
            if (!is_weak && !is_lock) look_at(pair);
            return;
        }
        const std::string where =
            is_in_one_place(copy, release) ? "there" : fmt::format("at {}", place_of(release));
        if (is_lock) {
            if (!is_repeated) return;
            const auto repeats = static_cast<double>(pair.repeats);
            const double saved = repeats / static_cast<double>(pair.count);
            add(advice_kind::repeated_lock, pair.copy, certainty::hint,
                repeats * run_.costs.weak_lock + saved * releases_of(pair),
                "lock the weak handle once, before the loop",
                fmt::format("{}, released {}; {} of them lock the object that was locked just "
                            "before",
                            number_of(pair.count, "lock"), where, count_text(pair.repeats)),
                code_for_lock(copy));
            return;
        }
        // A weak handle of an owner is no copy that a reference could replace.
        if (is_weak && pair.converted * 2 > pair.count) return;
        // In some libraries the owners together also count as a weak handle.
        if (is_weak && (copy.objects != 0 || copy.copies != 0)) return;
        const bool is_converted = pair.converted * 2 > pair.count;
        const bool is_in_list = !is_converted && !is_weak && pair.stored == 0 &&
                                pair.by_call + pair.by_library == 0 &&
                                pair.in_list * 2 > pair.count;
        const bool is_stored =
            is_in_list || (!is_converted && (pair.stored + pair.by_library) * 2 > pair.count);
        const std::string code =
            pair.captured * 2 > pair.count   ? code_for_capture(copy)
            : pair.by_call * 2 > pair.count  ? code_for_call(copy, is_weak, is_converted)
            : is_converted                   ? code_for_conversion(copy)
            : pair.in_range * 2 > pair.count ? code_for_range(copy)
            : pair.by_library * 2 > pair.count
                ? code_for_moved_argument(copy, pair.in_lambda * 2 > pair.count)
            : is_in_list ? code_for_list(copy)
            : is_stored  ? code_for_assignment(copy, is_weak)
                         : code_for_pair(copy, release, is_weak);
        add(advice_kind::removable_pair, pair.copy, certainty::likely, 2 * releases_of(pair),
            is_stored ? "move, instead of the copy"
                      : "pass a reference or move, instead of the copy",
            fmt::format("{}, released {} by the same thread; {}, and nothing else used the count{}",
                        number_of(pair.count, "copy"), where,
                        is_weak ? "another weak handle lived" : "another owner lived all the time",
                        is_repeated ? "; mostly the same object again and again" : ""),
            code);
    }

    /// Pairs of a line whose other end is in another function.
    struct crossings {
        std::uint64_t count = 0;
        std::uint64_t distance = 0;

        void add(const removable_pair& pair) {
            count += pair.count;
            distance += pair.distance;
        }
        [[nodiscard]] double mean() const {
            return static_cast<double>(distance) / static_cast<double>(count);
        }
    };

    void note_crossing(const removable_pair& pair) {
        if (pair.kind != pair_kind::copy || is_in_one_function(line(pair.copy), line(pair.release)))
            return;
        released_elsewhere_[pair.copy].add(pair);
        copied_elsewhere_[pair.release].add(pair);
    }

    static bool is_in_one_function(const counted_line& a, const counted_line& b) {
        return a.file == b.file && a.function == b.function;
    }

    /// Returns whether other functions released older owners while such a copy lived, and the copy
    /// may be what kept the object. Its release then ends the older owner's pair.
    [[nodiscard]] bool may_keep_alive(const removable_pair& pair) const {
        const crossings& released = released_elsewhere_[pair.copy];
        const crossings& copied = copied_elsewhere_[pair.release];
        return pair.kind == pair_kind::copy && released.count != 0 && copied.count != 0 &&
               copied.mean() > released.mean();
    }

    /// Returns whether the copy is made and released in one function. A handle that is released
    /// elsewhere was returned or stored. A handle that is assigned to is a variable that changes.
    [[nodiscard]] bool is_carried(const removable_pair& pair) const {
        const counted_line copy = copy_of(pair);
        const counted_line& release = line(pair.release);
        if (!is_in_one_function(copy, release) || release.is_called || may_keep_alive(pair))
            return false;
        if (pair.assigned * 2 > pair.count) return false;
        // It may keep the object while another thread changes the handle that it was copied from.
        if (pair.unlocked != 0) return false;
        // A parameter or a temporary object.
        if (copy.line == release.line) return true;
        // A variable. If its class holds more than the handle, the program may change it.
        return copy.holder.empty() && static_cast<double>(pair.distance) <=
                                          near_distance * static_cast<double>(pair.count);
    }

    /// Returns whether the user cannot choose how the objects are shared.
    [[nodiscard]] bool is_hidden(const std::string& pointee) const {
        const auto found = run_.counts.objects.find(pointee);
        return found != run_.counts.objects.end() && found->second.is_hidden;
    }

    [[nodiscard]] time_interval releases_of(const removable_pair& pair) const {
        return time_of(pair.count, pair.plain, pair.in_variables, run_.costs);
    }

    void look_at(const removable_pair& pair) {
        auto place = std::find_if(places.begin(), places.end(),
                                  [&pair](const auto& each) { return each.line == pair.copy; });
        if (place == places.end()) place = places.insert(places.end(), {pair.copy, {}, 0, {}});
        place->releases.push_back(pair.release);
        place->count += pair.count;
        place->nanoseconds = place->nanoseconds + 2 * releases_of(pair);
    }

    void advise_on_type(const type_total& type) {
        if (type.objects.is_merged || type.objects.is_hidden || !is_users(line(type.line))) return;
        const operation_costs& costs = run_.costs;
        const time_interval apart =
            static_cast<double>(std::max(type.apart, type.objects.made_apart)) * costs.allocation;
        const bool has_one_owner = has_unique_handle(type) && type.last != 0 &&
                                   type.sole == type.last && type.left_shared == 0 &&
                                   type.objects.shared == 0 && !has_weak_handles(type);
        if (has_one_owner) {
            add(advice_kind::one_owner, type.line, certainty::certain, type.time + apart,
                "one owner is enough",
                fmt::format("of {}, none had a second owner or a weak one in this run",
                            number_of(type.last, "object")),
                code_for_one_owner(type));
            return;
        }
        if (type.apart != 0) advise_on_allocations(type);
        const std::uint64_t locked = type.operations - type.plain;
        if (locked == 0) return;
        const std::string that_lock =
            fmt::format("{} that lock{}", number_of(locked, "operation"), locked == 1 ? "s" : "");
        const auto foreign = static_cast<double>(type.foreign);
        const time_interval gain = (static_cast<double>(locked) - foreign) * costs.locking;
        if (type.foreign == 0 && type.objects.foreign == 0 && has_local_count(type)) {
            add(advice_kind::one_thread, type.line, certainty::likely, gain,
                "one thread uses each object: count without locking",
                fmt::format("{}; only one thread counted the owners of each object; threads in the "
                            "run: {}",
                            that_lock, run_.counts.most_threads),
                code_for_local_count(type));
        } else if (has_biased_count(type) &&
                   foreign <= most_foreign * static_cast<double>(type.operations) &&
                   static_cast<double>(type.objects.foreign) <=
                       most_foreign * static_cast<double>(type.objects.events)) {
            add(advice_kind::mostly_one_thread, type.line, certainty::hint, gain,
                "use a biased count: one thread counts most owners",
                fmt::format("{}; {} of them by another thread than the object's first", that_lock,
                            count_text(type.foreign)),
                code_for_biased_count(type));
        }
    }

    void advise_on_allocations(const type_total& type) {
        for (std::size_t i = 0; i < run_.counts.lines.size(); ++i) {
            const counted_line& each = line(i);
            if (each.made_apart == 0 || each.pointee != type.pointee || each.is_merged ||
                !is_users(each))
                continue;
            add(advice_kind::allocate_together, i,
                has_weak_handles(type) ? certainty::likely : certainty::certain,
                static_cast<double>(each.made_apart) * run_.costs.allocation,
                "allocate the object and its counts together",
                fmt::format("new made {}, and the counts were allocated separately{}",
                            number_of(each.made_apart, "object"),
                            has_weak_handles(type)
                                ? "; a weak handle would keep the object's memory for longer"
                                : ""),
                code_for_making_together(each));
        }
    }

    const handles_run& run_;
    std::vector<crossings> released_elsewhere_;  // by the copy's line
    std::vector<crossings> copied_elsewhere_;    // by the release's line
};

}  // namespace

const char* text_of(certainty sure) {
    switch (sure) {
        case certainty::certain:
            return "certain in this run";
        case certainty::likely:
            return "likely";
        case certainty::hint:
            return "hint";
    }
    return "";
}

const char* key_of(advice_kind kind) {
    switch (kind) {
        case advice_kind::removable_pair:
            return "removable_pair";
        case advice_kind::repeated_lock:
            return "repeated_lock";
        case advice_kind::one_owner:
            return "one_owner";
        case advice_kind::one_thread:
            return "one_thread";
        case advice_kind::mostly_one_thread:
            return "mostly_one_thread";
        case advice_kind::allocate_together:
            return "allocate_together";
    }
    return "";
}

given_advice advise_on(const handles_run& run) {
    given_advice result;
    if (run.sampled) return result;
    adviser found(run);
    result.pieces = std::move(found.pieces);
    result.places = std::move(found.places);
    const auto usually_more = [](const auto& a, const auto& b) {
        return a.nanoseconds.usual > b.nanoseconds.usual;
    };
    std::stable_sort(result.pieces.begin(), result.pieces.end(), usually_more);
    std::stable_sort(result.places.begin(), result.places.end(), usually_more);
    const double least =
        least_share * (run.cpu_seconds ? *run.cpu_seconds * 1e9 : run.nanoseconds());
    const auto shown_of = [least](const auto& sorted) {
        return static_cast<std::size_t>(
            std::find_if(sorted.begin(), sorted.end(),
                         [least](const auto& each) { return each.nanoseconds.usual < least; }) -
            sorted.begin());
    };
    result.shown_pieces = shown_of(result.pieces);
    result.shown_places = shown_of(result.places);
    return result;
}

}  // namespace freehold
