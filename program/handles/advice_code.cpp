// SPDX-License-Identifier: BSL-1.0
#include "handles/advice_code.hpp"

#include "code/known_handles.hpp"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace freehold {
namespace {

/// Returns `std::shared_ptr` for `std::shared_ptr (libstdc++)`.
std::string name_of(const std::string& handle) {
    return handle.substr(0, handle.find(" ("));
}

/// Returns `, freehold::local_count` for `freehold::arc (local_count)`, and nothing for the default
/// count.
std::string count_argument(const std::string& handle) {
    if (!handle.starts_with("freehold::") || handle.starts_with("freehold::intrusive_ptr"))
        return {};
    const auto begin = handle.find(" (");
    if (begin == std::string::npos) return {};
    const std::string count = handle.substr(begin + 2, handle.size() - begin - 3);
    const bool is_default =
        count == (handle.starts_with("freehold::counted_ptr") ? "local_count" : "atomic_count");
    return is_default ? "" : ", freehold::" + count;
}

bool is_biased(const std::string& handle) {
    return handle.ends_with("(biased_count)");
}

bool is_rust(const std::string& handle) {
    return handle.ends_with("(Rust)");
}

bool is_qt(const std::string& handle) {
    return handle.ends_with("(Qt)");
}

/// Returns whether the handle is a value that shares its content with its copies.
bool is_value(const std::string& handle) {
    return is_qt(handle) && handle.find("Pointer") == std::string::npos;
}

std::string handle_of(const counted_line& line) {
    if (is_value(line.handle) && !line.pointee.empty()) return line.pointee;
    return fmt::format("{}<{}{}>", name_of(line.handle), line.pointee.empty() ? "T" : line.pointee,
                       count_argument(line.handle));
}

/// Returns the type without allocators of the standard library, which nobody writes.
std::string without_allocators(std::string type) {
    constexpr std::string_view allocator = ", std::allocator<";
    for (auto at = type.find(allocator); at != std::string::npos; at = type.find(allocator)) {
        std::size_t end = at + allocator.size();
        for (int open = 1; open != 0 && end < type.size(); ++end)
            open += type[end] == '<' ? 1 : type[end] == '>' ? -1 : 0;
        type.erase(at, end - at);
        // Between two closing brackets.
        if (at < type.size() && type[at] == ' ' && at != 0 && type[at - 1] != '>')
            type.erase(at, 1);
    }
    return type;
}

/// Returns what the line copies: the handle, or the class that holds it.
std::string copied_at(const counted_line& line) {
    return line.holder.empty() ? handle_of(line) : without_allocators(line.holder);
}

std::string weak_handle_of(const counted_line& line) {
    std::string handle = handle_of(line);
    for (const auto& [strong, weak] :
         {std::pair{"shared_ptr", "weak_ptr"}, std::pair{"arc", "weak_arc"},
          std::pair{"Arc", "Weak"}, std::pair{"QSharedPointer", "QWeakPointer"}})
        if (const auto at = handle.find(strong); at < handle.find('<'))
            return handle.replace(at, std::string_view(strong).size(), weak);
    return handle;
}

/// Returns the class of the objects, which may derive from the pointee.
std::string made_class_of(const type_total& type) {
    return type.objects.made_as_others ? "the object's class" : type.pointee;
}

/// Says how to make an object for a handle that takes a pointer, if its class is closed.
std::string made_by_new(const type_total& type) {
    return fmt::format("made by new as now, {} {} has no public constructor",
                       type.objects.made_as_others ? "where" : "because", made_class_of(type));
}

/// All handles of an object have one count.
std::string with_others(const type_total& type) {
    constexpr std::size_t most_named = 3;
    const std::set<std::string>& others = type.objects.others;
    if (others.empty()) return {};
    constexpr std::size_t longest = 100;
    std::set<std::string> named;
    bool are_all = true;
    for (const std::string& each : others) {
        const std::string name = each.size() > longest ? without_arguments(each) : each;
        are_all &= named.count(name) != 0 || named.size() < most_named;
        if (named.size() < most_named) named.insert(name);
    }
    return fmt::format("; likewise the handles of the same objects: {}{}", fmt::join(named, ", "),
                       are_all ? "" : ", ...");
}

std::string code_for_count(const type_total& type, const char* count) {
    if (name_of(type.handle).ends_with("shared_ptr") && type.objects.have_deleters)
        return fmt::format("freehold::{1}_shared_ptr<{0}>, made with the present deleter",
                           type.pointee, count);
    if (name_of(type.handle).ends_with("shared_ptr") && type.objects.are_closed)
        return fmt::format("freehold::{1}_shared_ptr<{0}>, {2}", type.pointee, count,
                           made_by_new(type));
    if (name_of(type.handle).ends_with("shared_ptr"))
        return fmt::format(
            "freehold::{1}_shared_ptr<{0}>, made by freehold::make_shared<{2}, "
            "freehold::{1}_count>(...)",
            type.pointee, count, made_class_of(type));
    if (type.handle.starts_with("freehold::arc"))
        return fmt::format(
            "freehold::arc<{0}, freehold::{1}_count>, made by freehold::make_arc<{2}, "
            "freehold::{1}_count>(...)",
            type.pointee, count, made_class_of(type));
    if (type.handle.starts_with("freehold::counted_ptr"))
        return fmt::format("freehold::counted_ptr<{}, freehold::{}_count>", type.pointee, count);
    return fmt::format("the base freehold::intrusive_base<{}, freehold::{}_count>", type.pointee,
                       count);
}

}  // namespace

bool is_in_one_place(const counted_line& a, const counted_line& b) {
    return a.file == b.file && a.line == b.line;
}

std::string code_for_pair(const counted_line& copy, const counted_line& release, bool is_weak) {
    const std::string handle =
        is_weak && copy.holder.empty() ? weak_handle_of(copy) : copied_at(copy);
    if (is_rust(copy.handle))
        return fmt::format(
            "&{} in place of the clone at {}; or the handle itself, if the clone is its last use",
            handle, place_of(copy));
    if (is_in_one_place(copy, release))
        return fmt::format(
            "const {0}&, where line {1} takes, returns or holds a {0} by value; or std::move, "
            "where line {1} is the copied handle's last use",
            handle, copy.line);
    return fmt::format(
        "std::move into the {0} that line {1} makes, if its original is used there for the last "
        "time, as a returned variable is; or const {0}& for it, if its original lives longer",
        handle, copy.line);
}

std::string code_for_assignment(const counted_line& copy, bool is_weak) {
    if (is_rust(copy.handle)) return code_for_pair(copy, copy, is_weak);
    std::string moved =
        fmt::format("std::move of what line {} assigns, if that is its last use", copy.line);
    if (!copy.holder.empty())
        return fmt::format("{}; {} needs a move assignment for it", moved,
                           without_allocators(copy.holder));
    if (is_weak) return moved;
    return fmt::format(
        "{}; or {}* in place of what it assigns to, if that only looks at the object", moved,
        copy.pointee);
}

std::string code_for_moved_argument(const counted_line& copy, bool in_lambda) {
    if (is_rust(copy.handle)) return code_for_pair(copy, copy, false);
    if (in_lambda)
        return fmt::format(
            "std::move of the lambda that line {} passes to a function of the library; what it "
            "captures of a constant moves only by a capture such as [each = each]",
            copy.line);
    return fmt::format(
        "std::move of the {} that line {} passes to a function of the library, if that is or can "
        "be its last use{}",
        copied_at(copy), copy.line,
        copy.holder.empty() ? "" : "; its class needs a move constructor for it");
}

std::string code_for_capture(const counted_line& copy) {
    const bool is_one = copy.lambdas.size() == 1;
    return fmt::format(
        "std::move into the capture of {} at line{} {}, as [name = std::move(name)], if that is "
        "its original's last use; or a capture by reference, if the lambda is called only while "
        "its original lives",
        is_one ? "the lambda" : "one of the lambdas", is_one ? "" : "s",
        fmt::join(copy.lambdas, ", "));
}

std::string code_for_range(const counted_line& copy) {
    if (is_rust(copy.handle)) return code_for_pair(copy, copy, false);
    return fmt::format(
        "std::make_move_iterator for the range that line {} passes to a function of the library, "
        "if that is or can be the last use of its elements",
        copy.line);
}

std::string code_for_list(const counted_line& copy) {
    return fmt::format(
        "emplace_back or emplace in place of the list in braces, if a container copies its "
        "elements; or std::move into the list, if that is the copied handle's last use; or a list "
        "of {}*, if what takes it only looks at the objects",
        copy.pointee);
}

std::string code_for_call(const counted_line& copy, bool is_weak, bool is_converted) {
    if (is_rust(copy.handle)) return code_for_pair(copy, copy, is_weak);
    if (is_converted)
        return fmt::format(
            "const auto& as a parameter of the function that line {} calls by the library, which "
            "makes a {} of a handle of another type",
            copy.line, handle_of(copy));
    return fmt::format("const {}& as a parameter of the function that line {} calls by the library",
                       is_weak && copy.holder.empty() ? weak_handle_of(copy) : copied_at(copy),
                       copy.line);
}

std::string code_for_conversion(const counted_line& copy) {
    if (is_rust(copy.handle)) return code_for_pair(copy, copy, false);
    return fmt::format(
        "std::move into the {2} that line {1} makes of a handle of another type, if that is or can "
        "be the last use of it (a std::static_pointer_cast moves since C++20, a conversion "
        "always); or {3}{0}*, if it only looks at the object; or a parameter of the handle's own "
        "type",
        copy.pointee, copy.line, handle_of(copy),
        copy.pointee == "void" ? std::string() : copy.pointee + "& or ");
}

std::string code_for_lock(const counted_line& lock) {
    if (is_rust(lock.handle)) return "let owner = weak.upgrade(); before the loop";
    return fmt::format(
        "const {0} owner = weak.{1}(); before the loop around line {2}, if the object may live "
        "until its end; if the loop is in a caller, then there, and the object as an argument",
        handle_of(lock), is_qt(lock.handle) ? "toStrongRef" : "lock", lock.line);
}

std::string code_for_one_owner(const type_total& type) {
    if (is_rust(type.handle)) return fmt::format("Box<{}>", type.pointee);
    if (type.objects.have_deleters)
        return fmt::format("std::unique_ptr<{}, D>, where D is the class of the present deleter",
                           type.pointee);
    if (type.pointee.ends_with("]"))
        return fmt::format("std::unique_ptr<{0}>, made by std::make_unique<{0}>(size)",
                           type.pointee);
    if (type.objects.are_closed)
        return fmt::format("std::unique_ptr<{}>, {}", type.pointee, made_by_new(type));
    return fmt::format("std::unique_ptr<{}>, made by std::make_unique<{}>(...)", type.pointee,
                       made_class_of(type));
}

bool has_unique_handle(const type_total& type) {
    return !is_qt(type.handle) || type.handle.starts_with("QSharedPointer");
}

bool has_local_count(const type_total& type) {
    // Where one thread counts, a biased count is as cheap.
    return !is_qt(type.handle) && !is_biased(type.handle);
}

std::string code_for_local_count(const type_total& type) {
    const std::string code = is_rust(type.handle) ? fmt::format("std::rc::Rc<{}>", type.pointee)
                                                  : code_for_count(type, "local");
    return code + with_others(type);
}

bool has_biased_count(const type_total& type) {
    return !is_rust(type.handle) && !is_qt(type.handle) && !is_biased(type.handle);
}

std::string code_for_biased_count(const type_total& type) {
    return code_for_count(type, "biased") + with_others(type);
}

std::string code_for_making_together(const counted_line& maker) {
    const std::string name = name_of(maker.handle);
    std::string condition;
    switch (maker.constructors) {
        case constructor_access::untold:
            condition = ", if its constructor is public";
            break;
        case constructor_access::all_public:
            break;
        case constructor_access::none_public:
            condition = fmt::format(
                ", after {} gets a public constructor with a parameter of a private class, because "
                "make_shared can call none of the present ones",
                maker.pointee);
            break;
    }
    return fmt::format(
        "{}::make_shared<{}{}>(...) in place of new{}; or of the class behind new, if it derives "
        "from that",
        name.substr(0, name.find(':')), maker.pointee, count_argument(maker.handle), condition);
}

}  // namespace freehold
