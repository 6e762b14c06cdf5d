// SPDX-License-Identifier: BSL-1.0
#include "peers/host.hpp"

#include "runner/process.hpp"
#include "runner/toolchain.hpp"

#include <cstddef>
#include <exception>
#include <iostream>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lab {
namespace {

/// As a JSON string. What is said here has no control characters.
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

void describe_cell(std::ostream& out, const hosted_cell& cell) {
    out << R"({"suite":)" << quoted{cell.suite} << R"(,"competitor":)" << quoted{cell.competitor}
        << R"(,"test":)" << quoted{cell.test};
    if (cell.n) out << R"(,"n":)" << *cell.n;
    out << R"(,"unit":)" << quoted{cell.unit} << R"(,"scale":)" << cell.scale
        << R"(,"once":false})";
}

void describe_cell(std::ostream& out, const hosted_joint_cell& cell) {
    out << R"({"suite":)" << quoted{cell.suite} << R"(,"competitor":)" << quoted{cell.competitor}
        << R"(,"figures":[)";
    const char* before = "";
    for (const hosted_joint_cell::figure& each : cell.figures) {
        out << before << R"({"test":)" << quoted{each.test} << R"(,"unit":)" << quoted{each.unit}
            << '}';
        before = ",";
    }
    out << "]}";
}

std::vector<hosted_peer::part> parts_of(const hosted_peer& peer) {
    std::vector<hosted_peer::part> parts = peer.parts;
    if (standard_library_name == std::string_view("libc++")) {
        parts.push_back({standard_library_name, standard_library_version()});
    }
    return parts;
}

std::string description(const hosted_peer& peer) {
    std::ostringstream out;
    out << R"({"format":"freehold-peer","version":1,"compiler":)" << quoted{compiler()}
        << R"(,"flags":)" << quoted{PEER_FLAGS} << R"(,"standard_library":)"
        << quoted{standard_library()};
    if (!peer.missing.empty()) out << R"(,"missing":)" << quoted{peer.missing};
    out << R"(,"peers":[)";
    const char* before = "";
    for (const hosted_peer::part& part : parts_of(peer)) {
        out << before << R"({"name":)" << quoted{part.name} << R"(,"version":)"
            << quoted{part.version} << '}';
        before = ",";
    }
    out << R"(],"cells":[)";
    before = "";
    const auto describe = [&](const auto& cell) {
        out << before;
        describe_cell(out, cell);
        before = ",";
    };
    for (const hosted_cell& cell : peer.cells) describe(cell);
    for (const hosted_joint_cell& cell : peer.joint_cells) describe(cell);
    out << "]}";
    return out.str();
}

process_kind kind_from(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    for (const process_kind kind : {process_kind::threaded, process_kind::single}) {
        if (words == std::vector<std::string>{"--process", name_of(kind)}) return kind;
    }
    throw std::runtime_error("call it with --process threaded or --process single");
}

void print_line(const std::string& line) {
    std::cout << line << std::endl;
    if (!std::cout) throw std::runtime_error("cannot write to standard output");
}

std::vector<double> answer(const std::string& request, const hosted_peer& peer) {
    std::istringstream words(request);
    std::size_t index = 0;
    std::int64_t iterations = 0;
    const std::size_t alone = peer.cells.size();
    if (!(words >> index >> iterations) || !(words >> std::ws).eof() ||
        index >= alone + peer.joint_cells.size() || iterations < 1) {
        throw std::runtime_error("`" + request + "` is not the index of a cell and iterations");
    }
    if (index < alone) return {peer.cells[index].measure(iterations)};
    return peer.joint_cells[index - alone].measure(iterations);
}

/// `start(kind)` makes the peer.
template <class Start>
int host_started(int argc, char** argv, Start&& start) noexcept {
    try {
        const process_kind kind = kind_from(argc, argv);
        const process_setting setting(kind);
        const hosted_peer peer = start(kind);
        print_line(description(peer));
        for (std::string request; std::getline(std::cin, request);) {
            std::ostringstream figures;
            figures.precision(std::numeric_limits<double>::max_digits10);
            const char* before = "";
            for (const double figure : answer(request, peer)) {
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

}  // namespace

int host(int argc, char** argv, hosted_peer (*start)(process_kind)) noexcept {
    return host_started(argc, argv, start);
}

int host(int argc, char** argv, const std::vector<hosted_cell>& cells) noexcept {
    return host_started(argc, argv, [&](process_kind) {
        hosted_peer peer{cells};
#ifdef PEER_MISSING
        peer.missing = PEER_MISSING;
#endif
        return peer;
    });
}

}  // namespace lab
