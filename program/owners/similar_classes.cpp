// SPDX-License-Identifier: BSL-1.0
#include "owners/similar_classes.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dwarf.h>

namespace freehold {
namespace {

/// Returns how many bytes malloc gives for so many.
std::int64_t given_for(std::uint64_t bytes) {
    constexpr std::uint64_t least = 24;
    return static_cast<std::int64_t>(std::max(least, ((bytes + 23) & ~std::uint64_t{15}) - 8));
}

bool have_one_place(std::uint64_t first, std::uint64_t second) {
    // What malloc cannot split off makes a chunk so much larger.
    constexpr std::int64_t most_left = 16;
    return std::abs(given_for(first) - given_for(second)) <= most_left;
}

struct other_class {
    std::set<std::string> names;  // its own, and those of its bases
    std::vector<pointer_word> pointers;
    std::set<std::uint32_t> like;  // kinds
    bool is_owned = false;         // by other handles, which show where its objects are
};

bool is_of_c(Dwarf_Die type) {
    Dwarf_Die unit;
    if (dwarf_diecu(&type, &unit, nullptr, nullptr) == nullptr) return false;
    const int language = dwarf_srclang(&unit);
    return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
           language == DW_LANG_C11;
}

/// Whether a class is a library's or the compiler's own, by its name.
bool is_of_implementation(std::string_view name) {
    return name.starts_with("std::") || name.starts_with("freehold::detail::") ||
           name.ends_with("__va_list_tag") ||
           (name.size() > 1 && name[0] == '_' &&
            (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')));
}

/// Whether the class may point to one of the named classes where the kind has a handle.
bool may_point(const other_class& other, const std::vector<pointer_word>& handles,
               const std::set<std::string>& to) {
    return std::any_of(other.pointers.begin(), other.pointers.end(), [&](const auto& each) {
        const bool is_to_named = each.is_to_any || to.count(each.pointee) != 0;
        return std::any_of(handles.begin(), handles.end(), [&](const auto& handle) {
            if (handle.at != each.at) return false;
            // To what the pointers of a container lead in the end is not known.
            return handle.steps == 0 ? !other.is_owned && (each.is_to_any || !each.pointee.empty())
                                     : is_to_named && handle.steps == each.steps;
        });
    });
}

}  // namespace

std::set<std::uint32_t> kinds_like_other_classes(const block_kinds& kinds, type_layouts& types) {
    std::map<std::uint32_t, std::vector<pointer_word>> handles;
    std::set<std::string> own;
    std::set<Dwarf*> files;
    for (const std::uint32_t each : kinds.self_counted) {
        handles[each] = types.handle_words_of(kinds.all[each].object);
        own.insert(kinds.all[each].type);
        files.insert(dwarf_cu_getdwarf(kinds.all[each].object.cu));
    }
    std::set<std::string> owned;
    for (const block_kind& each : kinds.all) owned.insert(each.type);
    // Objects behind their counts do not begin a place.
    for (const std::uint32_t each : kinds.by_handles)
        if (kinds.all[each].pointed_at != 0) own.insert(kinds.all[each].type);
    std::vector<other_class> others;
    types.for_each_class([&](Dwarf_Die type, const std::string& name) {
        const std::uint64_t bytes = types.bytes_of(type);
        // The system's libraries have lists of their own.
        if (files.count(dwarf_cu_getdwarf(type.cu)) == 0 && is_of_c(type)) return;
        other_class other;
        for (const auto& [kind, words] : handles)
            if (!words.empty() && have_one_place(bytes, kinds.all[kind].bytes))
                other.like.insert(kind);
        if (other.like.empty() || is_of_implementation(name) || own.count(name) != 0) return;
        other.pointers = types.pointer_words_of(type);
        std::erase_if(other.like, [&](std::uint32_t kind) {
            const std::uint64_t count = kinds.all[kind].count_at & ~(bytes_of_word - 1);
            return std::any_of(other.pointers.begin(), other.pointers.end(),
                               [count](const auto& each) { return each.at == count; });
        });
        if (other.like.empty()) return;
        other.names = types.names_of_bases(type);
        other.names.insert(name);
        other.is_owned = owned.count(name) != 0;
        others.push_back(std::move(other));
    });
    for (bool is_changed = true; is_changed;) {
        std::set<std::string> names;
        for (const other_class& each : others) names.insert(each.names.begin(), each.names.end());
        is_changed = false;
        for (other_class& each : others)
            is_changed |= std::erase_if(each.like, [&](std::uint32_t kind) {
                              return !may_point(each, handles[kind], names);
                          }) != 0;
        std::erase_if(others, [](const other_class& each) { return each.like.empty(); });
    }
    std::set<std::uint32_t> result;
    for (const other_class& each : others) result.insert(each.like.begin(), each.like.end());
    return result;
}

}  // namespace freehold
