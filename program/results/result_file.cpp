// SPDX-License-Identifier: BSL-1.0
#include "results/result_file.hpp"

#include "results/json_node.hpp"
#include "results/replace_file.hpp"
#include "results/result_json.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace freehold {
namespace {

std::string read_text(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path))
        throw result_error(fmt::format("{}: is a directory, not a result file", path.string()));
    errno = 0;
    std::ifstream input(path, std::ios::binary);
    std::string text;
    if (input) text.assign(std::istreambuf_iterator<char>(input), {});
    if (!input || input.bad())
        throw result_error(fmt::format("{}: cannot be read: {}", path.string(),
                                       std::strerror(errno != 0 ? errno : EIO)));
    return text;
}

nlohmann::json parse(const std::filesystem::path& path, const std::string& text) {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos)
        throw result_error(fmt::format("{}: is empty, not a result file", path.string()));
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        if (error.byte > text.size())
            throw result_error(fmt::format(
                "{}: ends in the middle: it was cut off, or is not a result file", path.string()));
        const auto before = text.begin() + static_cast<std::ptrdiff_t>(error.byte);
        throw result_error(fmt::format("{}: is not JSON, so not a result file (line {})",
                                       path.string(), 1 + std::count(text.begin(), before, '\n')));
    } catch (const nlohmann::json::exception&) {
        throw result_error(fmt::format("{}: is not JSON, so not a result file", path.string()));
    }
}

}  // namespace

result_file load_results(const std::filesystem::path& path) {
    const nlohmann::json document = parse(path, read_text(path));
    try {
        return results_from_json(document);
    } catch (const json_error& error) {
        throw result_error(fmt::format("{}: {}", path.string(), error.what()));
    }
}

void save_results(const result_file& results, const std::filesystem::path& path) {
    try {
        validate(results);
        const auto document = results_to_json(results);
        constexpr auto replace = nlohmann::ordered_json::error_handler_t::replace;
        replace_file(path, document.dump(1, ' ', false, replace) + "\n");
    } catch (const json_error& error) {
        throw result_error(fmt::format("{}: not written: {}", path.string(), error.what()));
    } catch (const file_error& error) {
        throw result_error(error.what());
    }
}

}  // namespace freehold
