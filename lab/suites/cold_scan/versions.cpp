// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_scan/versions.hpp"

#include "servers/s3_server.hpp"

#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string_view>

#include <curl/curl.h>

namespace lab::cold_scan {
namespace {

/// An environment that names what is no server is told when the suite is run.
std::optional<std::filesystem::path> executable() {
    try {
        return find_versitygw();
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

}  // namespace

std::string libcurl_version() {
    return curl_version_info(CURLVERSION_NOW)->version;
}

std::optional<std::string> server_version() {
    const auto server = executable();
    if (!server) return std::nullopt;
    // What Go builds by a module's name does not know its version; scripts/lib/versitygw.sh writes
    // it into the name of the file.
    const std::string name = std::filesystem::canonical(*server).filename();
    constexpr std::string_view before = "versitygw-v";
    if (name.starts_with(before)) return name.substr(before.size());
    std::ostringstream command;
    command << "'" << server->string() << "' --version 2>/dev/null";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(popen(command.str().c_str(), "r"),
                                                                 pclose);
    std::array<char, 256> text{};
    while (output != nullptr && std::fgets(text.data(), text.size(), output.get()) != nullptr) {
        std::istringstream words(text.data());  // "Version  : v1.2.3"
        std::string word;
        while (words >> word) {
            if (word.starts_with("v") && word.find('.') != std::string::npos) return word.substr(1);
        }
    }
    return "unknown";
}

}  // namespace lab::cold_scan
