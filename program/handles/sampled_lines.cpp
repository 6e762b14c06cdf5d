// SPDX-License-Identifier: BSL-1.0
#include "handles/sampled_lines.hpp"

#include "code/code_map.hpp"
#include "handles/attribution.hpp"
#include "handles/sampler.hpp"
#include "handles/stack_walk.hpp"
#include "handles/valgrind_tool/site_flags.h"
#include "support/process.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

namespace freehold {
namespace {

namespace fs = std::filesystem;

constexpr unsigned counting = site_atomic | site_plain | site_unique;

double user_seconds_of_children() {
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return static_cast<double>(used.ru_utime.tv_sec) +
           static_cast<double>(used.ru_utime.tv_usec) * 1e-6;
}

class sample_reader {
public:
    explicit sample_reader(const fs::path& described) : names_(known_handles(described)) {}

    void hold(std::vector<sampled_event> events) {
        for (sampled_event& each : events) {
            held_bytes_ += sizeof each + each.stack.size();
            held_.push_back(std::move(each));
        }
        // Reading debug information takes time, in which samples are lost. So it is done rarely.
        if (held_bytes_ > most_held_bytes) read_held();
    }

    handle_counts finish() {
        read_held();
        for (const auto& [key, line] : lines_) result_.lines.push_back(line);
        std::stable_sort(result_.lines.begin(), result_.lines.end(),
                         [](const auto& a, const auto& b) { return a.samples > b.samples; });
        result_.processes = processes_.size();
        for (const auto& [process, mapped] : processes_)
            result_.most_threads =
                std::max<std::uint64_t>(result_.most_threads, mapped.threads.size());
        result_.without_debug_information.assign(counting_opaque_.begin(), counting_opaque_.end());
        return std::move(result_);
    }

    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    void set_late(bool is_late) { back_ = is_late ? 1 : 0; }

private:
    struct mapping {
        std::uint64_t end;
        std::uint64_t bias;
        std::string path;
    };
    struct running {
        std::map<std::uint64_t, mapping> mappings;  // by their first addresses
        std::set<std::uint32_t> threads;
        std::unique_ptr<stack_walk> walk;  // made again after each new mapping
    };

    void read_held() {
        std::stable_sort(held_.begin(), held_.end(),
                         [](const auto& a, const auto& b) { return a.time < b.time; });
        for (const sampled_event& each : held_) read(each);
        held_.clear();
        held_bytes_ = 0;
    }

    void read(const sampled_event& event) {
        switch (event.what) {
            case sampled_event::kind::sample:
                read_sample(event);
                break;
            case sampled_event::kind::mapping:
                map(event);
                break;
            case sampled_event::kind::fork:
                if (const auto parent = processes_.find(event.other); parent != processes_.end())
                    processes_[event.process].mappings = parent->second.mappings;
                break;
            case sampled_event::kind::exec:
                processes_[event.process].mappings.clear();
                processes_[event.process].walk.reset();
                break;
        }
    }

    void map(const sampled_event& event) {
        running& in = processes_[event.process];
        const std::uint64_t end = event.address + event.length;
        auto old = in.mappings.lower_bound(event.address);
        while (old != in.mappings.end() && old->first < end) old = in.mappings.erase(old);
        in.walk.reset();
        if (event.path.empty() || event.path.front() != '/') {  // [vdso] and its like
            in.mappings.erase(event.address);
            return;
        }
        const std::uint64_t there = code_of(event.path).address_at(event.offset);
        in.mappings[event.address] = {end, event.address - there, event.path};
    }

    const code_map& code_of(const std::string& path) {
        auto& code = code_[path];
        if (!code) {
            code = std::make_unique<code_map>(path);
            if (!code->has_debug_information()) opaque_.insert(path);
        }
        return *code;
    }

    static const mapping* mapping_at(const running& in, std::uint64_t address) {
        const auto after = in.mappings.upper_bound(address);
        if (after == in.mappings.begin()) return nullptr;
        const mapping& found = std::prev(after)->second;
        return address < found.end ? &found : nullptr;
    }

    void read_sample(const sampled_event& sample) {
        ++samples_;
        running& in = processes_[sample.process];
        in.threads.insert(sample.other);
        const std::uint64_t address = sample.address - back_;
        const mapping* const at = mapping_at(in, address);
        if (at == nullptr) return;
        const auto [known, is_new] =
            attributions_.try_emplace({&code_of(at->path), address - at->bias});
        if (is_new)
            known->second =
                attribute(names_, code_of(at->path).frames(address - at->bias), at->path);
        const attribution& innermost = known->second;
        if (!innermost.what || (innermost.what->flags & counting) == 0) return;
        if (opaque_.count(at->path) != 0) counting_opaque_.insert(at->path);
        add((innermost.what->flags & site_stack) == 0 ? innermost : with_callers(in, sample, *at));
    }

    /// Goes from caller to caller until a line of the user is found.
    attribution with_callers(running& in, const sampled_event& sample, const mapping& innermost) {
        if (!in.walk) {
            std::vector<mapped_file> files;
            for (const auto& [begin, each] : in.mappings) files.push_back({each.path, each.bias});
            in.walk = std::make_unique<stack_walk>(files);
        }
        std::vector<code_frame> frames =
            code_of(innermost.path).frames(sample.address - back_ - innermost.bias);
        attribution found = attribute(names_, frames, innermost.path);
        for (const std::uint64_t each : in.walk->callers(sample)) {
            const mapping* const at = mapping_at(in, each - 1);
            if (at == nullptr) break;
            const auto more = code_of(at->path).frames(each - 1 - at->bias);
            frames.insert(frames.end(), more.begin(), more.end());
            found = attribute(names_, frames, innermost.path);
            if (!found.what || found.what->user_frame < frames.size()) break;
        }
        return found;
    }

    void add(const attribution& found) {
        counted_line line = found.line;
        if (line.pointee.empty()) name_one_of(line, found.what->pointees_of_merged);
        counted_line& to =
            lines_
                .try_emplace({line.handle, line.pointee, line.function, line.file, line.line}, line)
                .first->second;
        ++to.samples;
    }

    static constexpr std::size_t most_held_bytes = 256U << 20U;

    classifier names_;
    std::uint64_t back_ = 1;  // subtracted from a sample's address: see sampler::is_late
    std::vector<sampled_event> held_;
    std::size_t held_bytes_ = 0;
    std::uint64_t samples_ = 0;
    std::map<std::uint32_t, running> processes_;
    std::map<std::string, std::unique_ptr<code_map>> code_;
    std::map<std::pair<const code_map*, std::uint64_t>, attribution> attributions_;
    std::map<std::tuple<std::string, std::string, std::string, std::string, int>, counted_line>
        lines_;
    std::set<std::string> opaque_;
    std::set<std::string> counting_opaque_;
    handle_counts result_;
};

}  // namespace

handles_run sample_run(const std::vector<std::string>& command, const fs::path& described,
                       const support::signal_watch& signals) {
    handles_run run;
    run.command = command;
    sample_reader reader(described);
    const double before = user_seconds_of_children();
    sampler samples(
        [&reader](std::vector<sampled_event> events) { reader.hold(std::move(events)); });
    reader.set_late(samples.is_late());
    const support::ended_child end = support::wait_while_passing_on(
        support::start({.command = command, .mask = signals.mask_before()}), signals);
    samples.finish();
    run.exit_status = end.status;
    run.counts = reader.finish();
    run.sampled = {samples.event(),
                   samples.is_late() ? "It stops one instruction late, so that the one before is "
                                       "shown."
                                     : "It names the instruction itself.",
                   reader.samples(), samples.lost()};
    const double seconds = user_seconds_of_children() - before;
    run.cpu_seconds = seconds;
    if (reader.samples() != 0)
        run.costs.sample = seconds * 1e9 / static_cast<double>(reader.samples());
    name_files(run.counts.lines);
    return run;
}

}  // namespace freehold
