// SPDX-License-Identifier: BSL-1.0
#include "runner/subject.hpp"

namespace lab {

std::string key_of(std::string_view name) {
    std::string key;
    while (!name.empty()) {
        if (name.starts_with("::") || name.starts_with(", ") || name.starts_with(": ")) {
            key += '.';
            name.remove_prefix(2);
            continue;
        }
        const char c = name.front();
        name.remove_prefix(1);
        if (c == '(') {
            key += '.';
        } else if (c == ' ') {
            key += '_';
        } else if (c >= 'A' && c <= 'Z') {
            key += static_cast<char>(c - 'A' + 'a');
        } else if (c != ')') {
            key += c;
        }
    }
    return key.starts_with('.') ? key.substr(1) : key;
}

subject subject_of(const identity& is, std::string_view prefix) {
    const std::string name = std::string(prefix) + std::string(is.name);
    subject result{key_of(name), name, is.family, is.order, is.folded, is.single};
    if (is.from != nullptr) {
        result.version = is.from->version;
        result.origin = is.from->name;
    }
    result.missing = is.why_missing();
    return result;
}

}  // namespace lab
