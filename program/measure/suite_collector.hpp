// SPDX-License-Identifier: BSL-1.0
// Turns the events of many lab processes into one suite of the result file. The events of a process
// count only after it has finished. A process that crashes adds nothing.
#pragma once

#include "measure/lab_events.hpp"
#include "results/result_file.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace freehold {

class suite_collector {
public:
    void begin_process(std::string lab, std::string process);
    /// Throws json_error if the event contradicts an earlier one.
    void add(const lab_event& event);
    void end_process();

    /// The timed cells of these processes that need no more of them: three at least measured the
    /// cell, and all are within 1 % of their median.
    [[nodiscard]] std::vector<const measurement*> narrow_cells(const std::string& lab,
                                                               const std::string& process) const;

    [[nodiscard]] const suite& collected() const { return suite_; }
    [[nodiscard]] suite& collected() { return suite_; }

private:
    using key =
        std::tuple<std::string, std::string, std::string, std::string, std::optional<std::int64_t>>;

    void add(const figure& figure, bool exact);
    void merge(const key& name, measurement&& one_process);
    void skip(freehold::skipped cell);

    std::string lab_;
    std::string process_;
    std::map<key, measurement> running_;  // of the current process; samples is one inner array
    std::vector<key> order_;              // of running_, as the process reported them
    std::vector<freehold::skipped> skipping_;
    sample_counts counts_;               // of the current process
    std::map<key, std::size_t> places_;  // in suite_.measurements
    suite suite_;
};

}  // namespace freehold
