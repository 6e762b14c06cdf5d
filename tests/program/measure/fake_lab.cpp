// SPDX-License-Identifier: BSL-1.0
// A lab whose figures are made up, for the tests of the program: it speaks the protocol of
// lab/README.md, or breaks it as the environment asks.
//   FAKE_LAB_FAULT   SUITE=KIND: in that suite `crash`, `exit`, `garbage`, `cut off`, `short` or
//   `hang` FAKE_LAB_LOG     a file that gets a line for each run: its arguments FAKE_LAB_COMMIT the
//   commit that it claims to measure
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

namespace {

using json = nlohmann::ordered_json;

std::string variable(const char* name, const char* otherwise = "") {
    const char* value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

void print(const json& line) {
    std::cout << line.dump() << std::endl;
}

void describe() {
    json suites = json::array({{{"name", "alpha"}, {"processes", {"threaded", "single"}}},
                               {{"name", "beta"}, {"processes", {"threaded"}}},
                               {{"name", "gamma"}, {"processes", {"threaded"}}}});
    if (const std::string more = variable("FAKE_LAB_SUITE"); !more.empty())
        suites.push_back({{"name", more}, {"processes", {"threaded"}}});
    print({{"format", "freehold-lab"},
           {"version", 1},
           {"compiler", "g++ 1.2.3"},
           {"flags", "-O3"},
           {"standard_library", "none"},
           {"library", {{"version", "0.1.0"}, {"commit", variable("FAKE_LAB_COMMIT", "abcdef")}}},
           {"peers", json::array({{{"name", "Boost"}, {"version", "1.74.0"}}})},
           {"suites", suites}});
}

void log(const std::vector<std::string>& arguments) {
    const std::string path = variable("FAKE_LAB_LOG");
    if (path.empty()) return;
    std::string line = arguments.front();
    for (std::size_t i = 1; i < arguments.size(); ++i) line += " " + arguments[i];
    std::ofstream(path, std::ios::app) << line + "\n" << std::flush;
}

[[noreturn]] void fail(const std::string& kind) {
    if (kind == "crash") {
        std::cerr << "a first line\nthe last words\n\n";
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
    }
    if (kind == "garbage") std::cout << "Segmentation fault, or so" << std::endl;
    if (kind == "exit") {
        std::cerr << "freehold-lab: no memory\n";
        std::exit(1);
    }
    while (kind == "hang") std::this_thread::sleep_for(std::chrono::seconds(1));
    if (kind == "short") print({{"event", "done"}});
    std::exit(0);
}

std::string option(const std::vector<std::string>& arguments, const std::string& name) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == name && i + 1 < arguments.size()) return arguments[i + 1];
        if (arguments[i].rfind(name + "=", 0) == 0) return arguments[i].substr(name.size() + 1);
    }
    return {};
}

void run(const std::vector<std::string>& arguments) {
    const std::string& suite = arguments[2];
    const int repetitions = std::stoi(option(arguments, "--repetitions"));
    const std::regex filter(option(arguments, "--filter"));
    std::vector<std::string> competitors = {"raw"};
    for (const char* name : {"intrusive", "linked"})
        if (std::regex_search(name, filter)) competitors.emplace_back(name);

    // Two more are planned than there will be.
    print({{"event", "plan"},
           {"runs", competitors.size() * (static_cast<std::size_t>(repetitions) + 1) + 2}});
    print({{"event", "skipped"},
           {"competitor", "Loki linked"},
           {"test", "hold"},
           {"reason", "broke off"},
           {"runs", 2}});
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (const std::string& competitor : competitors)
            print({{"event", "sample"},
                   {"competitor", competitor},
                   {"test", "hold"},
                   {"n", 4},
                   {"unit", "ns"},
                   {"value", 10 + repetition},
                   {"repetition", repetition}});
        const std::string fault = variable("FAKE_LAB_FAULT");
        if (fault.rfind(suite + "=", 0) == 0) fail(fault.substr(suite.size() + 1));
    }
    for (const std::string& competitor : competitors)
        print({{"event", "exact"},
               {"competitor", competitor},
               {"test", "handle"},
               {"unit", "bytes"},
               {"value", 8},
               {"note", "I"}});
    print({{"event", "done"}});
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv, argv + argc);
    if (argc > 1 && arguments[1] == "describe") {
        describe();
    } else if (argc > 2 && arguments[1] == "run") {
        log(arguments);
        run(arguments);
    } else {
        std::cerr << "fake lab: describe, or run SUITE\n";
        return 1;
    }
    return 0;
}
