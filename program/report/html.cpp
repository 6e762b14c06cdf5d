// SPDX-License-Identifier: BSL-1.0
#include "report/html.hpp"

#include "page_text.hpp"

#include <map>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace freehold {
namespace {

std::string escaped_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '&') {
            escaped += "&amp;";
        } else if (c == '<') {
            escaped += "&lt;";
        } else if (c == '>') {
            escaped += "&gt;";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

/// In JSON, a `<` occurs only inside strings, and there it may be written as an escape. Without a
/// `<`, no text can close the script element or open a comment in it.
std::string embedded_json(const nlohmann::json& model) {
    const std::string json = model.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string embedded;
    embedded.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            embedded += "\\u003c";
        } else {
            embedded += c;
        }
    }
    return embedded;
}

/// The page's policy admits the page's own script and styles by this nonce. Each page gets another
/// one.
std::string fresh_nonce() {
    std::random_device random;
    std::string nonce;
    for (int i = 0; i != 4; ++i) nonce += fmt::format("{:08x}", random());
    return nonce;
}

}  // namespace

std::string html_page(const nlohmann::json& model) {
    const std::map<std::string_view, std::string> parts{
        {"TITLE", escaped_text(model.value("title", ""))},
        {"NONCE", fresh_nonce()},
        {"STYLE", page_style},
        {"SCRIPT", page_script},
        {"MODEL", embedded_json(model)}};
    const std::string_view frame = page_frame;
    std::string html;
    for (std::size_t at = 0;;) {
        const auto open = frame.find("{{", at);
        html += frame.substr(at, open - at);
        if (open == std::string_view::npos) return html;
        const auto close = frame.find("}}", open);
        html += parts.at(frame.substr(open + 2, close - open - 2));
        at = close + 2;
    }
}

}  // namespace freehold
