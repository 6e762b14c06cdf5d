// SPDX-License-Identifier: BSL-1.0
#include "runner/plan.hpp"

#include "runner/child.hpp"

#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>

namespace lab {

void add_kernel(plan& into, figure what, double scale, std::function<void(kernel_state&)> run) {
    into.timed.push_back({std::move(what),
                          [run = std::move(run)](std::int64_t iterations) {
                              kernel_state state(iterations);
                              run(state);
                              return state.measured();
                          },
                          scale});
}

void add_in_a_child(plan& into, figure what, double scale, process_kind kind, double (*seconds)()) {
    into.timed.push_back({std::move(what),
                          [kind, seconds](std::int64_t iterations) {
                              double sum = 0;
                              for (; iterations > 0; --iterations) {
                                  sum += measured_in_a_child(kind, seconds);
                              }
                              return measured_time{sum};
                          },
                          scale, true});
}

std::string text_of(const figure& what) {
    return what.subject + '\t' + what.case_key + '\t' + (what.n ? std::to_string(*what.n) : "");
}

void leave_out(plan& from, const std::filesystem::path& known) {
    std::ifstream file(known);
    if (!file) throw std::runtime_error(known.string() + " cannot be read");
    std::set<std::string> texts;
    for (std::string line; std::getline(file, line);) texts.insert(line);
    for (timed_cell& cell : from.timed) cell.wanted = !texts.contains(text_of(cell.what));
}

void skip(plan& into, const std::vector<figure>& figures, const std::string& why) {
    std::set<std::string> cases;
    for (const figure& each : figures) {
        if (cases.insert(each.case_key).second) {
            into.skipped.push_back({each.subject, each.case_key, why});
        }
    }
}

}  // namespace lab
