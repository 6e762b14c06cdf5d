// SPDX-License-Identifier: BSL-1.0
#include "line/s3/signature.hpp"

#include <algorithm>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    encoded.reserve(text.size() + 16);
    for (const char c : text) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
        const auto byte = static_cast<unsigned char>(c);
        if (kept) {
            encoded += c;
        } else {
            encoded += {'%', digits[byte / 16], digits[byte % 16]};
        }
    }
    return encoded;
}

std::string s3_scope::text() const {
    return time.substr(0, 8) + "/" + region + "/" + service + "/aws4_request";
}

std::string s3_time(std::chrono::system_clock::time_point when) {
    const auto second = std::chrono::floor<std::chrono::seconds>(when);
    const auto day = std::chrono::floor<std::chrono::days>(second);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(second - day);
    const auto digits = [](auto number, std::size_t count) {
        const std::string text = std::to_string(number);
        return std::string(count - std::min(count, text.size()), '0') + text;
    };
    return digits(int{date.year()}, 4) + digits(unsigned{date.month()}, 2) +
           digits(unsigned{date.day()}, 2) + "T" + digits(time.hours().count(), 2) +
           digits(time.minutes().count(), 2) + digits(time.seconds().count(), 2) + "Z";
}

std::string with_single_blanks(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    }
    if (result.ends_with(' ')) result.pop_back();
    return result;
}

std::string s3_signed_names(const s3_signable& request) {
    std::string names;
    for (const auto& header : request.headers) {
        if (!names.empty()) names += ';';
        names += header.first;
    }
    return names;
}

std::string s3_canonical(const s3_signable& request) {
    std::string text = std::string(request.method) + "\n" + request.path + "\n\n";
    for (const auto& [name, value] : request.headers) {
        text.append(name).append(":").append(with_single_blanks(value)).append("\n");
    }
    return text.append("\n").append(s3_signed_names(request)).append("\n").append(request.payload);
}

std::string s3_authorization(const s3_signable& request, const s3_scope& scope,
                             const s3_credentials& credentials) {
    sha256::digest key = hmac_sha256("AWS4" + credentials.secret_key, scope.time.substr(0, 8));
    for (const std::string_view part :
         {std::string_view(scope.region), std::string_view(scope.service),
          std::string_view("aws4_request")}) {
        key = hmac_sha256(bytes_of(key), part);
    }
    const std::string to_sign = "AWS4-HMAC-SHA256\n" + scope.time + "\n" + scope.text() + "\n" +
                                hexadecimal(sha256().add(s3_canonical(request)).finish());
    return "AWS4-HMAC-SHA256 Credential=" + credentials.access_key + "/" + scope.text() +
           ", SignedHeaders=" + s3_signed_names(request) +
           ", Signature=" + hexadecimal(hmac_sha256(bytes_of(key), to_sign));
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
