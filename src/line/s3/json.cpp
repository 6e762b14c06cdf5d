// SPDX-License-Identifier: BSL-1.0
#include "line/s3/json.hpp"

#include "line/s3/signature.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

class json_reader {
public:
    explicit json_reader(std::string_view text) : rest_(text) {}

    std::optional<std::map<std::string, std::string>> read() {
        skip_blanks();
        if (rest_.empty() || rest_.front() != '{' || !value("", 0)) return std::nullopt;
        skip_blanks();
        if (!rest_.empty()) return std::nullopt;
        return std::move(fields_);
    }

private:
    static constexpr int deepest = 32;

    void skip_blanks() noexcept {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    }

    bool take(char c) noexcept {
        skip_blanks();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }

    // Reads a value whose members' names start with `name`.
    bool value(const std::string& name, int depth) {
        skip_blanks();
        if (rest_.empty() || depth > deepest) return false;
        if (take('{')) return members(name, depth);
        if (take('[')) return elements(depth);
        std::string text;
        if (rest_.front() == '"' ? !string(text) : !word(text)) return false;
        fields_[name] = std::move(text);
        return true;
    }

    bool members(const std::string& name, int depth) {
        if (take('}')) return true;
        do {
            std::string key;
            skip_blanks();
            if (!string(key) || !take(':')) return false;
            if (!name.empty()) key.insert(0, name + ".");
            if (!value(key, depth + 1)) return false;
        } while (take(','));
        return take('}');
    }

    bool elements(int depth) {
        if (take(']')) return true;
        // What an array has is checked, and not kept.
        auto kept = std::move(fields_);
        do {
            fields_.clear();
            if (!value("", depth + 1)) return false;
        } while (take(','));
        fields_ = std::move(kept);
        return take(']');
    }

    bool string(std::string& text) {
        if (rest_.empty() || rest_.front() != '"') return false;
        rest_.remove_prefix(1);
        while (!rest_.empty()) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return true;
            if (c >= 0 && c < ' ') return false;
            if (c != '\\') {
                text += c;
            } else if (!escaped(text)) {
                return false;
            }
        }
        return false;
    }

    bool escaped(std::string& text) {
        constexpr std::string_view names = "\"\\/bfnrt";
        constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
        if (rest_.empty()) return false;
        const char c = rest_.front();
        rest_.remove_prefix(1);
        const std::size_t at = names.find(c);
        if (at != std::string_view::npos) {
            text += meanings[at];
            return true;
        }
        std::uint32_t code = 0;
        if (c != 'u' || !four_digits(code)) return false;
        if (code >= 0xDC00 && code < 0xE000) return false;
        if (code >= 0xD800 && code < 0xDC00) {
            std::uint32_t low = 0;
            if (!rest_.starts_with("\\u")) return false;
            rest_.remove_prefix(2);
            if (!four_digits(low) || low < 0xDC00 || low >= 0xE000) return false;
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(text, code);
        return true;
    }

    bool four_digits(std::uint32_t& code) noexcept {
        if (rest_.size() < 4) return false;
        const char* const end = rest_.data() + 4;
        const auto [stop, failure] = std::from_chars(rest_.data(), end, code, 16);
        if (failure != std::errc() || stop != end) return false;
        rest_.remove_prefix(4);
        return true;
    }

    static void append_utf8(std::string& text, std::uint32_t code) {
        const auto tail = [&](unsigned shift) {
            text += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
        };
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xC0 | code >> 6);
            tail(0);
        } else if (code < 0x10000) {
            text += static_cast<char>(0xE0 | code >> 12);
            tail(6);
            tail(0);
        } else {
            text += static_cast<char>(0xF0 | code >> 18);
            tail(12);
            tail(6);
            tail(0);
        }
    }

    // A number, true, false or null.
    bool word(std::string& text) {
        const std::size_t end = std::min(
            rest_.find_first_not_of("+-.0123456789abcdefghijklmnopqrstuvwxyzE"), rest_.size());
        text = rest_.substr(0, end);
        rest_.remove_prefix(end);
        if (text == "true" || text == "false" || text == "null") return true;
        return !text.empty() &&
               (text.front() == '-' || (text.front() >= '0' && text.front() <= '9')) &&
               text.find_first_not_of("+-.0123456789eE") == std::string::npos;
    }

    std::string_view rest_;
    std::map<std::string, std::string> fields_;
};

// Reads so many decimal digits.
bool digits(std::string_view& text, std::size_t count, int& number) noexcept {
    if (text.size() < count) return false;
    number = 0;
    for (const char c : text.substr(0, count)) {
        if (c < '0' || c > '9') return false;
        number = 10 * number + (c - '0');
    }
    text.remove_prefix(count);
    return true;
}

bool mark(std::string_view& text, char c) noexcept {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

std::optional<std::map<std::string, std::string>> json_fields(std::string_view text) {
    return json_reader(text).read();
}

std::string json_text(const std::map<std::string, std::string>& fields) {
    std::string text;
    const auto add_quoted = [&](std::string_view part) {
        constexpr std::string_view digits = "0123456789abcdef";
        text += '"';
        for (const char c : part) {
            if (c >= 0 && c < ' ') {
                text += "\\u00";
                text += {digits[c / 16], digits[c % 16]};
            } else {
                if (c == '"' || c == '\\') text += '\\';
                text += c;
            }
        }
        text += '"';
    };
    for (const auto& [name, value] : fields) {
        text += text.empty() ? "{" : ", ";
        add_quoted(name);
        text += ": ";
        add_quoted(value);
    }
    return text.empty() ? "{}" : text + "}";
}

std::optional<std::int64_t> integer_of(std::string_view text) noexcept {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || stop != end) return std::nullopt;
    return number;
}

std::string_view xml_element(std::string_view text, std::string_view name) noexcept {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
        const std::size_t begin = at + name.size();
        if (at == 0 || text[at - 1] != '<' || begin >= text.size() || text[begin] != '>') continue;
        const std::size_t end = text.find('<', begin);
        if (end == std::string_view::npos) return {};
        return text.substr(begin + 1, end - begin - 1);
    }
    return {};
}

std::optional<std::chrono::system_clock::time_point> instant_of(std::string_view text) noexcept {
    using namespace std::chrono;
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
    if (!digits(text, 4, year) || !mark(text, '-') || !digits(text, 2, month) || !mark(text, '-') ||
        !digits(text, 2, day) || !(mark(text, 'T') || mark(text, ' ')) || !digits(text, 2, hour) ||
        !mark(text, ':') || !digits(text, 2, minute) || !mark(text, ':') ||
        !digits(text, 2, second)) {
        return std::nullopt;
    }
    const year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                              std::chrono::day(unsigned(day))};
    // system_clock counts nanoseconds on some systems: until 2262.
    if (!date.ok() || year < 1970 || year > 2261 || hour > 23 || minute > 59 || second > 60) {
        return std::nullopt;
    }
    if (mark(text, '.')) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
        if (end == 0) return std::nullopt;
        text.remove_prefix(end);
    }
    seconds ahead{0};
    if (mark(text, '+') || (!text.empty() && text.front() == '-')) {
        const bool is_behind = mark(text, '-');
        int hours_ahead = 0, minutes_ahead = 0;
        if (!digits(text, 2, hours_ahead)) return std::nullopt;
        mark(text, ':');
        if (!digits(text, 2, minutes_ahead)) return std::nullopt;
        ahead = hours(hours_ahead) + minutes(minutes_ahead);
        if (is_behind) ahead = -ahead;
    } else if (text == "UTC") {
        text = {};  // as older tools write it
    } else if (!text.empty() && !mark(text, 'Z')) {
        return std::nullopt;
    }
    if (!text.empty()) return std::nullopt;
    return system_clock::time_point(sys_days(date)) + hours(hour) + minutes(minute) +
           seconds(second) - ahead;
}

std::string text_of_instant(std::chrono::system_clock::time_point when) {
    std::string text = s3_time(when);  // "20261128T070500Z"
    for (const std::size_t at : {13, 11}) text.insert(at, 1, ':');
    for (const std::size_t at : {6, 4}) text.insert(at, 1, '-');
    return text;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
