// SPDX-License-Identifier: BSL-1.0
#include "runner/peer.hpp"

#include "runner/peer_process.hpp"

#include <cmath>
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
    for (const json& each : from.at("cells")) description.cells.push_back(cell_from(each));
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

double peer::measure(std::size_t cell, std::int64_t iterations) {
    if (!failure_.empty()) throw peer_error(failure_);
    try {
        process_->write_line(std::to_string(cell) + " " + std::to_string(iterations));
        const std::string line = process_->read_line(patience_.to_measure);
        const auto seconds = seconds_from(line);
        if (!seconds) process_->fail("answers no number of seconds: " + shortened(line));
        return *seconds;
    } catch (const peer_error& error) {
        failure_ = error.what();
        throw;
    }
}

}  // namespace lab
