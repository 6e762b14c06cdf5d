// SPDX-License-Identifier: BSL-1.0
#include "runner/peer.hpp"

#include "runner/peer_process.hpp"

#include <cmath>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

namespace lab {
namespace {

using nlohmann::json;

peer_cell cell_from(const json& from) {
    peer_cell cell{from.at("suite"), from.at("competitor"), from.at("test"), {},
                   from.at("unit"),  from.at("scale"),      from.at("once")};
    if (from.contains("n")) cell.n = from.at("n").get<std::int64_t>();
    if (!(cell.scale > 0))
        throw std::runtime_error("the scale of " + cell.test + " is not positive");
    return cell;
}

peer_joint_cell joint_cell_from(const json& from) {
    peer_joint_cell cell{from.at("suite"), from.at("competitor"), {}};
    for (const json& each : from.at("figures")) {
        cell.figures.push_back({each.at("test"), each.at("unit")});
    }
    if (cell.figures.empty()) throw std::runtime_error("a cell has no figures");
    return cell;
}

peer_description description_from(const json& from) {
    if (from.at("format") != "freehold-peer" || from.at("version") != 1) {
        throw std::runtime_error("its format is not freehold-peer, version 1");
    }
    peer_description description;
    description.compiler = from.at("compiler");
    description.flags = from.at("flags");
    description.standard_library = from.at("standard_library");
    description.missing = from.value("missing", "");
    for (const json& each : from.at("peers")) {
        description.peers.push_back({each.at("name"), each.at("version")});
    }
    for (const json& each : from.at("cells")) {
        if (each.contains("figures")) {
            description.joint_cells.push_back(joint_cell_from(each));
        } else if (description.joint_cells.empty()) {
            description.cells.push_back(cell_from(each));
        } else {
            throw std::runtime_error("a cell of one figure stands behind one of several");
        }
    }
    return description;
}

/// The whole line as a number of seconds, or nothing.
std::optional<double> seconds_from(const std::string& line) {
    const json number = json::parse(line, nullptr, false);
    if (!number.is_number()) return std::nullopt;
    const double seconds = number.get<double>();
    if (!std::isfinite(seconds) || seconds <= 0) return std::nullopt;
    return seconds;
}

/// The whole line as so many numbers from zero on, or nothing.
std::optional<std::vector<double>> figures_from(const std::string& line, std::size_t count) {
    std::istringstream words(line);
    std::vector<double> figures;
    for (std::string word; words >> word;) {
        const json number = json::parse(word, nullptr, false);
        if (!number.is_number()) return std::nullopt;
        const double figure = number.get<double>();
        if (!std::isfinite(figure) || figure < 0) return std::nullopt;
        figures.push_back(figure);
    }
    if (figures.size() != count) return std::nullopt;
    return figures;
}

std::string shortened(const std::string& line) {
    constexpr std::size_t enough = 60;
    return line.size() <= enough ? line : line.substr(0, enough) + "...";
}

}  // namespace

peer::peer(const std::filesystem::path& executable, process_kind kind, peer_patience patience)
    : patience_(patience) {
    const std::vector<std::string> arguments = {"--process", name_of(kind)};
    process_ = std::make_unique<peer_process>(executable, arguments, patience_.to_end);
    const std::string line = process_->read_line(patience_.to_describe_itself);
    try {
        description_ = description_from(json::parse(line));
    } catch (const std::exception& error) {
        process_->fail("does not describe itself as a peer: " + std::string(error.what()));
    }
}

peer::~peer() = default;

template <class Read>
auto peer::ask(std::size_t cell, std::int64_t iterations, const char* wanted, Read&& read) {
    if (!failure_.empty()) throw peer_error(failure_);
    try {
        process_->write_line(std::to_string(cell) + " " + std::to_string(iterations));
        const std::string line = process_->read_line(patience_.to_measure);
        auto answer = read(line);
        if (!answer) process_->fail(std::string("answers no ") + wanted + ": " + shortened(line));
        return *std::move(answer);
    } catch (const peer_error& error) {
        failure_ = error.what();
        throw;
    }
}

double peer::measure(std::size_t cell, std::int64_t iterations) {
    return ask(cell, iterations, "number of seconds", seconds_from);
}

std::vector<double> peer::measure_jointly(std::size_t joint_cell, std::int64_t iterations) {
    const std::size_t count = description_.joint_cells[joint_cell].figures.size();
    const std::string wanted = std::to_string(count) + " figures";
    return ask(description_.cells.size() + joint_cell, iterations, wanted.c_str(),
               [count](const std::string& line) { return figures_from(line, count); });
}

}  // namespace lab
