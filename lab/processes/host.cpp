// SPDX-License-Identifier: BSL-1.0
#include "processes/host.hpp"

#include "runner/process_setting.hpp"
#include "runner/toolchain.hpp"
#include "suites/common/stack_places.hpp"

#include <cstddef>
#include <exception>
#include <iostream>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace lab {
namespace {

/// Writes a text as a JSON string. It must contain no control characters.
struct quoted {
    std::string_view text;
};

std::ostream& operator<<(std::ostream& out, const quoted& what) {
    out << '"';
    for (const char c : what.text) {
        if (c == '"' || c == '\\') out << '\\';
        out << c;
    }
    return out << '"';
}

/// Writes `[`, all elements of `list` and `]`. It calls `write` for each element.
template <class List, class Write>
void write_list(std::ostream& out, const List& list, Write&& write) {
    const char* before = "";
    for (const auto& each : list) {
        out << before;
        write(each);
        before = ",";
    }
}

void write_subject(std::ostream& out, const subject& of) {
    out << R"({"name":)" << quoted{of.name} << R"(,"family":)"
        << quoted{family_names[static_cast<std::size_t>(of.family)].key} << R"(,"order":)"
        << of.order << R"(,"folded":)" << (of.folded ? "true" : "false") << R"(,"single":)"
        << (of.single ? "true" : "false");
    if (!of.version.empty()) out << R"(,"version":)" << quoted{of.version};
    if (!of.origin.empty()) out << R"(,"origin":)" << quoted{of.origin};
    if (!of.missing.empty()) out << R"(,"missing":)" << quoted{of.missing};
    out << '}';
}

std::string description(const hosted_process& process, const char* flags) {
    std::ostringstream out;
    out << R"({"format":"freehold-process","version":2,"compiler":)" << quoted{compiler()}
        << R"(,"flags":)" << quoted{flags} << R"(,"standard_library":)"
        << quoted{standard_library()} << R"(,"subjects":[)";
    write_list(out, process.subjects, [&](const subject& each) { write_subject(out, each); });
    out << R"(],"cells":[)";
    write_list(out, process.cells, [&](const hosted_cell& cell) {
        out << R"({"suite":)" << quoted{cell.suite} << R"(,"subject":)" << quoted{cell.subject}
            << R"(,"case":)" << quoted{cell.case_key};
        if (cell.n) out << R"(,"n":)" << *cell.n;
        out << R"(,"scale":)" << cell.scale << '}';
    });
    if (!process.cells.empty() && !process.joint_cells.empty()) out << ',';
    write_list(out, process.joint_cells, [&](const hosted_joint_cell& cell) {
        out << R"({"suite":)" << quoted{cell.suite} << R"(,"subject":)" << quoted{cell.subject}
            << R"(,"figures":[)";
        write_list(out, cell.cases, [&](const std::string& each) { out << quoted{each}; });
        out << "]}";
    });
    out << "]}";
    return out.str();
}

process_kind take_kind_from(std::vector<std::string>& words) {
    for (const process_kind kind : {process_kind::threaded, process_kind::single}) {
        if (words.size() >= 2 && words[words.size() - 2] == "--process" &&
            words.back() == name_of(kind)) {
            words.resize(words.size() - 2);
            return kind;
        }
    }
    throw std::runtime_error("call it with --process threaded or --process single");
}

void print_line(const std::string& line) {
    std::cout << line << std::endl;
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
}

std::vector<double> answer(const std::string& request, const hosted_process& process) {
    std::istringstream words(request);
    std::size_t index = 0;
    std::int64_t iterations = 0;
    const std::size_t alone = process.cells.size();
    if (!(words >> index >> iterations) || !(words >> std::ws).eof() ||
        index >= alone + process.joint_cells.size() || iterations < 1) {
        throw std::runtime_error("`" + request + "` is not the index of a cell and iterations");
    }
    if (index < alone) {
        static std::size_t requests = 0;
        return {at_stack_place(requests++ % stack_places,
                               [&] { return process.cells[index].measure(iterations); })};
    }
    return process.joint_cells[index - alone].measure(iterations);
}

}  // namespace

int host(int argc, char** argv, const char* flags, start_hosted start) noexcept {
    try {
        std::vector<std::string> words(argv + 1, argv + argc);
        const process_kind kind = take_kind_from(words);
        const process_setting setting(kind);
        const hosted_process process = start(kind, words);
        print_line(description(process, flags));
        for (std::string request; std::getline(std::cin, request);) {
            std::ostringstream figures;
            figures.precision(std::numeric_limits<double>::max_digits10);
            const char* before = "";
            for (const double figure : answer(request, process)) {
                figures << before << figure;
                before = " ";
            }
            setting.check();
            print_line(figures.str());
        }
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

}  // namespace lab
