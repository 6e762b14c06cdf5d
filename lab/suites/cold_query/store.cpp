// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_query/store.hpp"

#include "runner/child_process.hpp"
#include "support/descriptor.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace lab::cold_query {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::minutes patience{10};
constexpr const char* bucket = "cold-query";

fs::path engine() {
    return support::own_folder() / "cold_query_engine";
}

/// A program of Python that is called as the engine is.
fs::path python_program() {
    return support::own_folder() / "cold_query_s3fs.py";
}

std::string why_python_cannot() {
    try {
        const auto tried = support::run({.command = {"python3", python_program(), "check"}});
        if (tried.status == 0) return "";
        return "python3 cannot run it: " + tried.last_line() + " (pip install s3fs pyarrow)";
    } catch (const std::system_error& error) {
        return error.what();
    }
}

struct traffic {
    std::size_t requests = 0;
    std::uint64_t bytes = 0;
};

traffic traffic_of(const file_server* server) {
    traffic all;
    if (server == nullptr) return all;
    for (const auto& each : server->requests()) {
        ++all.requests;
        all.bytes += each.bytes;
    }
    return all;
}

run_cost cost_from(const json& told, const traffic& before, const traffic& after) {
    return {.wall = told.at("wall"),
            .processor = told.at("processor"),
            .system = told.at("system"),
            .user_in_parts = told.value("user_in_parts", std::vector<double>()),
            .system_in_parts = told.value("system_in_parts", std::vector<double>()),
            .memory = told.at("memory"),
            .bytes = static_cast<double>(after.bytes - before.bytes),
            .requests = static_cast<double>(after.requests - before.requests),
            .bytes_in_place = told.value("bytes_pinned", 0.0),
            .bytes_copied = told.value("bytes_copied", 0.0)};
}

}  // namespace

disk_folder::disk_folder(bool wanted) {
    if (wanted) folder_.emplace("disk-tier");
}

fs::path disk_folder::path() const {
    return folder_ ? folder_->path() : fs::path();
}

void disk_folder::forget_pages() const {
    if (!folder_) return;
    for (const auto& each : fs::recursive_directory_iterator(folder_->path())) {
        if (!each.is_regular_file()) continue;
        const support::descriptor file(open(each.path().c_str(), O_RDONLY | O_CLOEXEC));
        if (file.get() < 0 || fsync(file.get()) != 0 ||
            posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED) != 0) {
            throw std::runtime_error("cannot drop " + each.path().string() +
                                     " from the page cache");
        }
    }
}

query_store::query_store(std::uint64_t bytes, encoding files)
    : why_no_python_(why_python_cannot()) {
    std::vector<std::string> words = {"write", near_.folder() / bucket, std::to_string(bytes)};
    if (files == encoding::plain) words.emplace_back("--plain");
    child_process writer(engine(), words, patience);
    const json table = json::parse(writer.read_line(patience));
    table.at("bytes").get_to(bytes_);
    table.at("files").get_to(names_);
    for (const char* const query : {"q1", "q6"}) table.at(query).get_to(expected_[query]);
    fs::create_directory(far_.folder() / bucket);
    for (const std::string& name : names_) {
        fs::create_hard_link(near_.folder() / bucket / name, far_.folder() / bucket / name);
    }
    if (files == encoding::plain) return;
    try {
        start_versitygw();
    } catch (const std::exception& error) {
        versitygw_.reset();
        why_no_versitygw_ = error.what();
    }
}

void query_store::start_versitygw() {
    const std::optional<fs::path> executable = find_versitygw();
    if (!executable) throw std::runtime_error(std::string(s3_server::how_to_install));
    versitygw_.emplace(*executable);
    versitygw_->make_bucket(bucket);
    for (const std::string& name : names_) {
        std::ifstream file(near_.folder() / bucket / name, std::ios::binary);
        const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
        versitygw_->put(bucket, name, std::as_bytes(std::span(bytes)));
    }
}

const file_server* query_store::own_server(place at) const {
    if (at == place::versitygw) return nullptr;
    return at == place::far ? &far_ : &near_;
}

std::string query_store::endpoint(place at) const {
    const file_server* const own = own_server(at);
    return own != nullptr ? own->endpoint() : versitygw_->endpoint();
}

std::vector<std::string> query_store::environment(place at) const {
    const bool is_own = own_server(at) != nullptr;
    return {"AWS_ACCESS_KEY_ID=" + (is_own ? "made-up" : versitygw_->access_key()),
            "AWS_SECRET_ACCESS_KEY=" + (is_own ? "made-up" : versitygw_->secret_key()),
            "AWS_SESSION_TOKEN="};
}

const std::string& query_store::why_missing(const way& how, place at) const {
    static const std::string nothing;
    if (*how.filesystem == '\0' && !why_no_python_.empty()) return why_no_python_;
    return at == place::versitygw ? why_no_versitygw_ : nothing;
}

std::vector<std::string> query_store::arguments(const way& how, const std::string& query,
                                                const question& about,
                                                std::uint64_t capacity) const {
    const fs::path folder = near_.folder() / bucket;
    std::vector<std::string> words = {"run",
                                      "--filesystem",
                                      how.filesystem,
                                      "--endpoint",
                                      endpoint(about.at),
                                      "--bucket",
                                      how.is_local() ? folder.string() : bucket,
                                      "--capacity",
                                      std::to_string(capacity),
                                      "--line-size",
                                      std::to_string(how.line_size),
                                      "--coalesce",
                                      std::to_string(how.coalesce),
                                      "--query",
                                      query,
                                      "--threads",
                                      std::to_string(about.threads),
                                      "--sample",
                                      folder / "sample.parquet",
                                      "--data",
                                      std::to_string(bytes_)};
    if (how.pre_buffer) words.emplace_back("--pre-buffer");
    if (how.has_disk()) words.insert(words.end(), {"--disk", about.disk});
    words.insert(words.end(), names_.begin(), names_.end());
    return words;
}

answered_query query_store::answer(const way& how, const std::string& query,
                                   const question& about) const {
    const std::uint64_t capacity =
        how.line_size == 0 ? 0 : (bytes_ * 5 / 4 / how.line_size + 1) * how.line_size;
    std::vector<std::string> words = arguments(how, query, about, capacity);
    fs::path program = engine();
    if (*how.filesystem == '\0') {
        words.insert(words.begin(), {"python3", python_program()});
        program = "/usr/bin/env";
    }
    const file_server* const own = own_server(about.at);
    const traffic before = traffic_of(own);
    child_process process(program, words, patience, environment(about.at));
    process.read_line(patience);
    const traffic between = traffic_of(own);
    process.write_line("warm");
    const json told = json::parse(process.read_line(patience));
    const traffic after = traffic_of(own);
    for (const char* const run : {"cold", "warm"}) {
        if (told.at(run).at("found") != expected_.at(query)) {
            process.fail("finds " + told.at(run).at("found").dump() + ", not " +
                         json(expected_.at(query)).dump() +
                         ": what was read is not what was written");
        }
        if (const double held = told.at(run).value("line_memory", 0.0);
            held > static_cast<double>(capacity)) {
            process.fail("holds " + std::to_string(held) + " bytes of lines, more than its " +
                         std::to_string(capacity));
        }
    }
    return {cost_from(told.at("cold"), before, between),
            cost_from(told.at("warm"), between, after)};
}

}  // namespace lab::cold_query
