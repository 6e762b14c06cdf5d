// SPDX-License-Identifier: BSL-1.0
#include "line/s3/provider_answers.hpp"

#include "line/s3/json.hpp"
#include "line/s3/providers.hpp"

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {

void misconfigured(const std::string& text) {
    throw std::invalid_argument("s3_source: " + text);
}

void failed(const std::string& origin, const std::string& text) {
    throw std::runtime_error("no credentials from " + origin + ": " + text);
}

std::string shown(std::string_view text, std::initializer_list<std::string_view> secrets) {
    constexpr std::size_t longest = 200;
    for (const std::string_view secret : secrets) {
        if (!secret.empty() && text.find(secret) != std::string_view::npos) return "(not shown)";
    }
    std::string line(text.substr(0, longest));
    for (char& c : line) {
        if (c >= 0 && c < ' ') c = ' ';
    }
    return line;
}

void expect_success(const http_answer& answer, const std::string& origin,
                    std::initializer_list<std::string_view> secrets) {
    if (answer.status == 0) failed(origin, answer.failure);
    if (answer.status == 200) return;
    std::string text = "it answered " + std::to_string(answer.status);
    for (const char* const name : {"Code", "Message"}) {
        const std::string_view value = xml_element(answer.body, name);
        if (!value.empty()) text += ": " + shown(value, secrets);
    }
    if (const auto fields = json_fields(answer.body)) {
        for (const char* const name :
             {"code", "message", "Message", "error", "error_description"}) {
            const auto found = fields->find(name);
            if (found != fields->end()) text += ": " + shown(found->second, secrets);
        }
    }
    failed(origin, text);
}

answer_fields fields_of(const http_answer& answer, const std::string& origin) {
    auto fields = json_fields(answer.body);
    if (!fields) failed(origin, "the answer is no JSON object");
    return std::move(*fields);
}

std::string field(const answer_fields& fields, const char* name) {
    const auto found = fields.find(name);
    return found == fields.end() || found->second == "null" ? std::string() : found->second;
}

s3_credentials keys_in(const answer_fields& fields, const field_names& names,
                       const std::string& origin) {
    s3_credentials keys{field(fields, names.access_key), field(fields, names.secret_key),
                        field(fields, names.session_token)};
    check_credentials(keys, origin);
    return keys;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
