// SPDX-License-Identifier: BSL-1.0
#include "report/html.hpp"

#include "report/page.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

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

/// In JSON a `<` occurs only inside strings, where it may be written as an escape; without it
/// nothing can close the script element or open a comment in it.
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

void append(std::string& html, const std::initializer_list<std::string_view>& pieces) {
    for (const std::string_view piece : pieces) html += piece;
}

}  // namespace

std::string html_page(const nlohmann::json& model) {
    const auto title = model.find("title");
    std::string html;
    append(html, page::before_title);
    if (title != model.end() && title->is_string()) {
        html += escaped_text(title->get_ref<const std::string&>());
    }
    append(html, page::before_model);
    html += embedded_json(model);
    append(html, page::after_model);
    return html;
}

}  // namespace freehold
