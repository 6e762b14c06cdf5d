// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>
#include <freehold/memory/default_init_allocator.hpp>
#include <freehold/memory/pages.hpp>

#include "probes/hidden_zeroing/lines.hpp"
#include "probes/hidden_zeroing/linted.hpp"
#include "probes/hidden_zeroing/register.hpp"

#include <array>
#include <cstddef>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <variant>
#include <vector>

std::vector<lab::construct>& lab::all_constructs() {
    static std::vector<construct> all;
    return all;
}

using freehold::default_init_allocator;

#if defined(__cpp_lib_smart_ptr_for_overwrite)
#define IF_FOR_OVERWRITE CONSTRUCT
#else
#define IF_FOR_OVERWRITE MISSING
#endif
#if __cpp_lib_shared_ptr_arrays >= 201707L
#define IF_SHARED_ARRAYS CONSTRUCT
#else
#define IF_SHARED_ARRAYS MISSING
#endif
#if defined(FREEHOLD_LAB_CLANG_TIDY)
#define IF_CLANG_TIDY CONSTRUCT
#else
#define IF_CLANG_TIDY MISSING
#endif

#define OBJECT(...) CONSTRUCT("objects", __VA_ARGS__)
OBJECT(automatic, CODE(line x), x.bytes, "");
OBJECT(automatic_braces, CODE(line x{}), x.bytes, "automatic");
OBJECT(by_new, CODE(std::unique_ptr<line> x(new line)), x->bytes, "");
OBJECT(by_new_parentheses, CODE(std::unique_ptr<line> x(new line())), x->bytes, "by_new");
OBJECT(by_new_braces, CODE(std::unique_ptr<line> x(new line{})), x->bytes, "by_new");
OBJECT(unique, CODE(auto x = std::make_unique<line>()), x->bytes, "unique_for_overwrite");
OBJECT(shared_by_new, CODE(std::shared_ptr<line> x(new line)), x->bytes, "");
OBJECT(shared, CODE(auto x = std::make_shared<line>()), x->bytes, "freehold_shared_for_overwrite");
OBJECT(allocated, CODE(auto x = std::allocate_shared<line>(std::allocator<line>())), x->bytes,
       "allocated_default_init");
OBJECT(freehold_shared, CODE(auto x = freehold::make_shared<line>()), x->bytes,
       "freehold_shared_for_overwrite");
OBJECT(freehold_arc, CODE(auto x = freehold::make_arc<line>()), x->bytes,
       "freehold_arc_for_overwrite");
OBJECT(in_optional, CODE(std::optional<line> x; x.emplace()), x->bytes, "unique_for_overwrite");
OBJECT(in_variant, CODE(std::variant<line> x), std::get<0>(x).bytes, "in_variant_with_constructor");
OBJECT(in_map, CODE(std::map<int, line> x; x[1]), x[1].bytes, "in_map_with_constructor");
OBJECT(in_list, CODE(std::list<line> x; x.emplace_back()), x.back().bytes, "in_list_default_init");
OBJECT(in_vector, CODE(std::vector<line> x(1)), x[0].bytes, "in_vector_default_init");

#define BYTES(...) CONSTRUCT("bytes", __VA_ARGS__)
BYTES(array_new, CODE(std::unique_ptr<char[]> x(new char[n])), x.get(), "");
BYTES(array_new_parentheses, CODE(std::unique_ptr<char[]> x(new char[n]())), x.get(), "array_new");
BYTES(array_unique, CODE(auto x = std::make_unique<char[]>(n)), x.get(),
      "array_unique_for_overwrite");
IF_SHARED_ARRAYS("bytes", array_shared, CODE(auto x = std::make_shared<char[]>(n)), x.get(),
                 "array_freehold_shared_for_overwrite");
BYTES(array_freehold_arc, CODE(auto x = freehold::make_arc<char[]>(n)), &x[0],
      "array_freehold_arc_for_overwrite");
BYTES(array_class, CODE(std::array<char, n> x{}), x.data(), "array_class_bare");
BYTES(array_class_unique, CODE(auto x = std::make_unique<std::array<char, n>>()), x->data(),
      "array_class_unique_for_overwrite");
BYTES(vector_of_bytes, CODE(std::vector<char> x(n)), x.data(), "vector_default_init");
BYTES(vector_resized, CODE(std::vector<char> x; x.resize(n)), x.data(),
      "vector_default_init_resized");
BYTES(vector_reserved, CODE(std::vector<char> x; x.reserve(n)), x.data(), "");
BYTES(string_resized, CODE(std::string x; x.resize(n)), x.data(), "string_overwritten");
BYTES(by_calloc, CODE(std::unique_ptr<void, decltype(&std::free)> x(std::calloc(n, 1), &std::free)),
      x.get(), "array_new");
BYTES(by_pages, CODE(freehold::page_resource pages; void* x = pages.allocate(n)), x,
      "keep memory: pools, caches");

#define CURE(...) CONSTRUCT("cures", __VA_ARGS__)
CURE(with_constructor, CODE(auto x = std::make_shared<line_with_constructor>()), x->bytes,
     "any C++, by every way to make it");
IF_FOR_OVERWRITE("cures", unique_for_overwrite,
                 CODE(auto x = std::make_unique_for_overwrite<line>()), x->bytes, "C++20");
IF_FOR_OVERWRITE("cures", array_unique_for_overwrite,
                 CODE(auto x = std::make_unique_for_overwrite<char[]>(n)), x.get(), "C++20");
IF_FOR_OVERWRITE("cures", array_class_unique_for_overwrite,
                 CODE(auto x = std::make_unique_for_overwrite<std::array<char, n>>()), x->data(),
                 "C++20");
CURE(array_class_bare, CODE(std::array<char, n> x), x.data(), "any C++");
IF_FOR_OVERWRITE("cures", shared_for_overwrite,
                 CODE(auto x = std::make_shared_for_overwrite<line>()), x->bytes, "C++20");
CURE(freehold_shared_for_overwrite, CODE(auto x = freehold::make_shared_for_overwrite<line>()),
     x->bytes, "with every library");
CURE(array_freehold_shared_for_overwrite,
     CODE(auto x = freehold::make_shared_for_overwrite<char[]>(n)), x.get(), "with every library");
CURE(freehold_arc_for_overwrite, CODE(auto x = freehold::make_arc_for_overwrite<line>()), x->bytes,
     "with every library");
CURE(array_freehold_arc_for_overwrite, CODE(auto x = freehold::make_arc_for_overwrite<char[]>(n)),
     &x[0], "with every library");
CURE(allocated_default_init,
     CODE(auto x = std::allocate_shared<line>(default_init_allocator<line>())), x->bytes,
     "one type for the whole program: `shared_ptr` does not name its allocator");
CURE(vector_default_init, CODE(std::vector<char, default_init_allocator<char>> x(n)), x.data(),
     "another type than `std::vector<char>`");
CURE(vector_default_init_resized,
     CODE(std::vector<char, default_init_allocator<char>> x; x.resize(n)), x.data(), "the same");
CURE(in_vector_default_init, CODE(std::vector<line, default_init_allocator<line>> x(1)), x[0].bytes,
     "the same");
CURE(in_list_default_init, CODE(std::list<line, default_init_allocator<line>> x; x.emplace_back()),
     x.back().bytes, "the same");
CURE(in_map_with_constructor, CODE(std::map<int, line_with_constructor> x; x[1]), x[1].bytes, "");
CURE(in_variant_with_constructor, CODE(std::variant<line_with_constructor> x), std::get<0>(x).bytes,
     "");

#define TRAP(...) CONSTRUCT("traps", __VA_ARGS__)
TRAP(defaulted_inside, CODE(auto x = std::make_unique<line_defaulted_inside>()), x->bytes,
     "`= default` inside the class: as if nothing were written");
TRAP(defaulted_outside, CODE(auto x = std::make_unique<line_defaulted_outside>()), x->bytes,
     "`= default` outside it: a constructor of the user's");
TRAP(around_inner, CODE(auto x = std::make_unique<line_around_inner>()), x->data.bytes,
     "the constructor is the member's; the class around it has none, and is zeroed whole first");
TRAP(
    around_inner_braces, CODE(std::unique_ptr<line_around_inner> x(new line_around_inner{})),
    x->data.bytes,
    "the same class, but braces initialise an aggregate member by member: no zeroing is asked for");
TRAP(derived_from_inner, CODE(auto x = std::make_unique<line_of_inner>()), x->bytes,
     "the constructor is the base's: the same");
TRAP(constructor_around_inner,
     CODE(auto x = std::make_unique<line_with_constructor_around_inner>()), x->data.bytes,
     "each has one");
TRAP(with_braces, CODE(auto x = std::make_unique<line_with_braces>()), x->bytes,
     "`char bytes[n]{}`: the constructor runs it");
TRAP(with_braces_for_overwrite, CODE(auto x = freehold::make_arc_for_overwrite<line_with_braces>()),
     x->bytes, "and so it does here");
TRAP(with_member_list, CODE(auto x = std::make_unique<line_with_member_list>()), x->bytes,
     "`: bytes()` in the constructor");
TRAP(string_default_init_resized,
     CODE(std::basic_string<char, std::char_traits<char>, default_init_allocator<char>> x;
          x.resize(n)),
     x.data(), "a string's `resize` assigns `char()`, and asks no allocator");
TRAP(vector_reserved_and_resized, CODE(std::vector<char> x; x.reserve(n); x.resize(n)), x.data(),
     "`reserve` does not, but `resize` does");
TRAP(in_optional_empty, CODE(std::optional<line_with_constructor> x), &x,
     "empty: its flag alone has to be set");

#define LINT(check, file)                                                                     \
    CONSTRUCT("lint", check##_as_written, CODE(auto x = as_written::check::make()), x->bytes, \
              file);                                                                          \
    IF_CLANG_TIDY("lint", check##_fixed, CODE(auto x = as_fixed::check::make()), x->bytes, file)
LINT(equals_default, "modernize-use-equals-default");
LINT(member_init, "cppcoreguidelines-pro-type-member-init");
LINT(make_shared, "modernize-make-shared");
LINT(make_unique, "modernize-make-unique");
