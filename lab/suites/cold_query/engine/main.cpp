// SPDX-License-Identifier: BSL-1.0
// cold_query_engine: the part of the suite that is linked with Arrow. It prints one line of JSON.
//
//   cold_query_engine write FOLDER BYTES [--plain]
//                                          writes the table; prints its files and what queries find
//   cold_query_engine run ...              answers a query twice through one file system, the
//                                          second time warm; prints the costs and results. The
//                                          store's keys are in the variables of Amazon's tools.
#include "suites/cold_query/engine/checked.hpp"
#include "suites/cold_query/engine/filesystems.hpp"
#include "suites/cold_query/engine/lineitem.hpp"
#include "suites/cold_query/engine/queries.hpp"
#include "suites/common/usage_samples.hpp"
#include "suites/zeroing/held_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <arrow/api.h>
#include <arrow/compute/initialize.h>
#include <arrow/dataset/plan.h>
#include <arrow/filesystem/localfs.h>
#include <arrow/util/thread_pool.h>
#include <nlohmann/json.hpp>

namespace {

using namespace lab::cold_query;
using lab::resident_bytes;
using lab::usage;
using lab::usage_in_parts;
using lab::usage_samples;
using nlohmann::json;

json write(const std::filesystem::path& folder, std::uint64_t bytes, encoding how) {
    const written_table table = write_lineitem(folder, bytes, how);
    return {{"files", table.files},
            {"bytes", table.bytes},
            {"q1", table.results.q1},
            {"q6", table.results.q6}};
}

struct run_settings {
    filesystem_settings files;
    query_settings query;
    std::vector<std::string> names;
    std::filesystem::path sample;
    std::uint64_t data_bytes = 0;
};

json run_once(const run_settings& settings, measured_filesystem& files,
              const std::vector<std::string>& paths, std::size_t resident_before) {
    const measured_filesystem::counts counted = files.counted();
    const usage before = usage::now();
    usage_samples samples;
    const std::vector<std::int64_t> found = answer(settings.query, files.get(), paths);
    const usage after = usage::now();
    const std::vector<usage_samples::sample>& taken = samples.finish();
    const usage_in_parts parts = in_parts(taken, lab::parts_of_a_run);
    const std::size_t most = std::max(samples.most_resident_bytes(), resident_before);
    const measured_filesystem::counts now = files.counted();
    return {{"wall", taken.back().seconds},
            {"processor", after.user - before.user + after.system - before.system},
            {"system", after.system - before.system},
            {"user_in_parts", parts.user},
            {"system_in_parts", parts.system},
            {"memory", most - resident_before},
            {"line_memory", now.most_line_bytes},
            {"bytes_pinned", now.bytes_pinned - counted.bytes_pinned},
            {"bytes_copied", now.bytes_copied - counted.bytes_copied},
            {"found", found}};
}

json run(const run_settings& settings) {
    check(arrow::compute::Initialize());
    arrow::dataset::internal::Initialize();
    // Functions are registered and threads started before the clock.
    answer(settings.query, std::make_shared<arrow::fs::LocalFileSystem>(), {settings.sample});
    // For what Arrow holds and for the cache.
    lab::lines::hold_memory(settings.data_bytes * 5 / 4 + settings.files.capacity);
    const std::size_t before = resident_bytes();
    const std::unique_ptr<measured_filesystem> files = make_filesystem(settings.files);
    std::vector<std::string> paths;
    for (const std::string& name : settings.names) paths.push_back(files->prefix() + name);
    json cold = run_once(settings, *files, paths, before);
    files->flush();
    std::cout << "cold" << std::endl;  // the reader of this output looks at the store
    std::string go_on;
    std::getline(std::cin, go_on);
    json warm = run_once(settings, *files, paths, before);
    return {{"cold", std::move(cold)}, {"warm", std::move(warm)}};
}

}  // namespace

int main(int argc, char** argv) {
    try {
        CLI::App app("A query engine over object storage");
        app.require_subcommand(1);

        std::filesystem::path folder;
        std::uint64_t bytes = 0;
        bool plain = false;
        CLI::App* const writing = app.add_subcommand("write");
        writing->add_option("FOLDER", folder)->required();
        writing->add_option("BYTES", bytes)->required();
        writing->add_flag("--plain", plain);

        run_settings settings;
        int threads = 1;
        CLI::App* const running = app.add_subcommand("run");
        running->add_option("--filesystem", settings.files.kind)->required();
        running->add_option("--endpoint", settings.files.endpoint);
        running->add_option("--bucket", settings.files.bucket)->required();
        running->add_option("--capacity", settings.files.capacity);
        running->add_option("--line-size", settings.files.line_size);
        running->add_option("--coalesce", settings.files.coalesce);
        running->add_option("--disk", settings.files.disk_folder);
        running->add_option("--query", settings.query.query)->required();
        running->add_option("--threads", threads)->required();
        running->add_flag("--pre-buffer", settings.query.pre_buffer);
        running->add_option("--sample", settings.sample)->required();
        running->add_option("--data", settings.data_bytes)->required();
        running->add_option("NAMES", settings.names)->required();
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return app.exit(error);
        }
        if (writing->parsed()) {
            std::cout << write(folder, bytes, plain ? encoding::plain : encoding::snappy)
                      << std::endl;
            return 0;
        }
        settings.query.on_all_threads = threads > 1;
        check(arrow::SetCpuThreadPoolCapacity(threads));
        std::cout << run(settings) << std::endl;
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
