// SPDX-License-Identifier: BSL-1.0
// What the links of the chain in providers.cpp share: how they fail, and what is in the answers of
// the endpoints that they ask.
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/s3_options.hpp>

#include "line/s3/http_call.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

namespace freehold::inline FREEHOLD_ABI::detail {

using answer_fields = std::map<std::string, std::string>;

// Throws std::invalid_argument.
[[noreturn]] void misconfigured(const std::string& text);

// Throws std::runtime_error.
[[noreturn]] void failed(const std::string& origin, const std::string& text);

// What an endpoint said, without the secrets that it may have repeated, and in one short line.
std::string shown(std::string_view text, std::initializer_list<std::string_view> secrets);

// Fails with what the endpoint said, unless the status is 200.
void expect_success(const http_answer& answer, const std::string& origin,
                    std::initializer_list<std::string_view> secrets);

// Fails unless the answer is a JSON object.
answer_fields fields_of(const http_answer& answer, const std::string& origin);

// Returns a field's text. It is empty if there is no such field, or if it is null.
std::string field(const answer_fields& fields, const char* name);

// The fields of an answer of JSON: the names differ between endpoints.
struct field_names {
    const char* access_key;
    const char* secret_key;
    const char* session_token;
};

s3_credentials keys_in(const answer_fields& fields, const field_names& names,
                       const std::string& origin);

}  // namespace freehold::inline FREEHOLD_ABI::detail
