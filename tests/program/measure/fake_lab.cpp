// SPDX-License-Identifier: BSL-1.0
// A lab whose figures are made up, for the tests of the program: it speaks the protocol of
// lab/README.md, or breaks it as the environment asks.
//   FAKE_LAB_FAULT   SUITE=KIND: in that suite `crash`, `exit`, `garbage`, `cut off`, `short` or
//   `hang` FAKE_LAB_LOG     a file that gets a line for each run: its arguments FAKE_LAB_COMMIT the
//   commit that it claims to measure   FAKE_LAB_SCOPE=first   one subject fewer
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

json suite(const std::string& key, std::initializer_list<const char*> processes) {
    const json schedule{{"rounds", 4},
                        {"repetitions", 2},
                        {"min_time", 0.001},
                        {"typical_seconds", 1},
                        {"limit_seconds", 600}};
    json full = schedule;
    full["data_mebibytes"] = 128;
    const json handle{{"key", "handle"}, {"label", "handle"}, {"unit", "bytes"}};
    const json hold{{"key", "hold"}, {"label", "hold"}, {"unit", "ns"}, {"parameter", "copies"}};
    return {{"key", key},
            {"title", key},
            {"processes", processes},
            {"schedule", {{"quick", schedule}, {"default", schedule}, {"full", full}}},
            {"cases", json::array({hold, handle})}};
}

void describe() {
    json subjects = json::array();
    for (const std::string key : {"raw", "intrusive", "linked", "loki_linked"})
        subjects.push_back({{"key", key},
                            {"name", key},
                            {"family", key == "raw" ? "lower_bound" : "strategy"},
                            {"folded", false},
                            {"single", true}});
    subjects[1]["origin"] = "Boost";
    subjects[1]["version"] = "1.74.0";
    if (variable("FAKE_LAB_SCOPE") == "first") subjects[2]["missing"] = "it is not in this lab";
    subjects[3]["missing"] = "install libloki-dev";
    print({{"format", "freehold-lab"},
           {"version", 2},
           {"compiler", "g++ 1.2.3"},
           {"flags", "-O3"},
           {"standard_library", "none"},
           {"library", {{"version", "0.1.0"}, {"commit", variable("FAKE_LAB_COMMIT", "abcdef")}}},
           {"families", json::array({{{"key", "lower_bound"}, {"name", "Lower bounds"}},
                                     {{"key", "strategy"}, {"name", "Strategies"}}})},
           {"subjects", subjects},
           {"suites", json::array({suite("alpha", {"threaded", "single"}),
                                   suite("beta", {"threaded"}), suite("gamma", {"threaded"})})}});
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
    std::vector<std::string> subjects = {"raw"};
    for (const char* name : {"intrusive", "linked"})
        if (std::regex_search(name, filter)) subjects.emplace_back(name);
    std::vector<std::string> timed = subjects;
    std::ifstream left_out(option(arguments, "--leave-out"));
    for (std::string line; std::getline(left_out, line);)
        std::erase_if(timed, [&](const std::string& each) { return line == each + "\thold\t4"; });

    // Two more are planned than there will be.
    print({{"event", "plan"},
           {"runs", timed.size() * static_cast<std::size_t>(repetitions) + subjects.size() + 2}});
    print({{"event", "skipped"},
           {"subject", "loki_linked"},
           {"case", "hold"},
           {"reason", "broke off"},
           {"runs", 2}});
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        for (const std::string& subject : timed)
            print({{"event", "sample"},
                   {"subject", subject},
                   {"case", "hold"},
                   {"n", 4},
                   {"unit", "ns"},
                   {"value", 10 + repetition},
                   {"repetition", repetition}});
        const std::string fault = variable("FAKE_LAB_FAULT");
        if (fault.rfind(suite + "=", 0) == 0) fail(fault.substr(suite.size() + 1));
    }
    for (const std::string& subject : subjects)
        print({{"event", "exact"},
               {"subject", subject},
               {"case", "handle"},
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
