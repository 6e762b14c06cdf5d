// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Structs that say how much of their array was written, and code that takes more of it. Nothing may
// be found in this file.
#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

// A struct, and a function that makes one: each use of the macro has one reader below.
#define MADE(name)                                                                                 \
    struct name {                                                                                  \
        char text[512];                                                                            \
        std::size_t size;                                                                          \
        std::size_t other;                                                                         \
    };                                                                                             \
    static std::unique_ptr<name> new_##name(int file) {                                            \
        auto one = std::make_unique<name>();                                                       \
        const ssize_t got = ::read(file, one->text, sizeof one->text);                             \
        if (got < 0) return nullptr;                                                               \
        one->other = 512;                                                                          \
        one->size = static_cast<std::size_t>(got);                                                 \
        return one;                                                                                \
    }

MADE(written_whole)
bool write_whole(int file) {
    const auto one = new_written_whole(file);
    return ::write(1, one->text, sizeof one->text) > 0;
}

MADE(in_a_loop)
int sum_of_all(int file) {
    const auto one = new_in_a_loop(file);
    int sum = 0;
    for (const char each : one->text) sum += each;
    return sum;
}

MADE(by_another_member)
int sum_to_another_member(int file) {
    const auto one = new_by_another_member(file);
    int sum = 0;
    for (std::size_t i = 0; i < one->other; ++i) sum += one->text[i];
    return sum;
}

MADE(with_the_end)
int sum_with_the_end(int file) {
    const auto one = new_with_the_end(file);
    int sum = 0;
    for (std::size_t i = 0; i <= one->size; ++i) sum += one->text[i];
    return sum;
}

MADE(one_too_many)
int sum_of_pairs(int file) {
    const auto one = new_one_too_many(file);
    int sum = 0;
    for (std::size_t i = 0; i < one->size; ++i) sum += one->text[i] * one->text[i + 1];
    return sum;
}

MADE(counter_changed)
int sum_of_jumps(int file) {
    const auto one = new_counter_changed(file);
    int sum = 0;
    for (std::size_t i = 0; i < one->size; ++i) {
        i += 3;
        sum += one->text[i];
    }
    return sum;
}

MADE(of_two)
bool same_as_the_shorter(int file) {
    const auto a = new_of_two(file);
    const auto b = new_of_two(file);
    return std::memcmp(a->text, b->text, a->size) == 0;
}

MADE(as_text)
std::string as_text_of(int file) {
    const auto one = new_as_text(file);
    return one->text;
}

MADE(by_pointer)
static const char* text_of(const by_pointer& one) {
    return one.text;
}
int third_of(int file) {
    return text_of(*new_by_pointer(file))[300];
}

MADE(raw)
bool write_struct(int file) {
    const auto one = new_raw(file);
    return ::write(1, one.get(), sizeof *one) > 0;
}

MADE(raw_in_another)
struct around {
    int kind;
    raw_in_another inner;
};
bool write_outer_struct(int file) {
    around one;
    one.kind = 1;
    one.inner = *new_raw_in_another(file);
    return std::fwrite(&one, sizeof one, 1, stdout) == 1;
}

MADE(as_another)
struct plain {
    char bytes[528];
};
int last_of_another(int file) {
    return std::bit_cast<plain>(*new_as_another(file)).bytes[400];
}

MADE(bound)
int bound_parts(int file) {
    const auto& [text, size, other] = *new_bound(file);
    return text[other - 1] + static_cast<int>(size);
}

MADE(by_member_pointer)
static constexpr auto text_member = &by_member_pointer::text;
int by_pointer_to_member(int file) {
    return ((*new_by_member_pointer(file)).*text_member)[400];
}

MADE(raised)
static void raise(raised& one) {
    one.size = 512;
}
std::string after_raising(int file) {
    const auto one = new_raised(file);
    raise(*one);
    return std::string(one->text, one->size);
}

MADE(raised_by_address)
std::string after_raising_by_address(int file) {
    const auto one = new_raised_by_address(file);
    std::size_t* const size = &one->size;
    *size = 512;
    return std::string(one->text, one->size);
}

MADE(in_a_lambda)
int in_a_generic_lambda(int file) {
    const auto sum = [](const auto& one) { return std::accumulate(one.text, one.text + 512, 0); };
    return sum(*new_in_a_lambda(file));
}

MADE(behind_the_end)
int behind_the_end_of_it(int file) {
    const auto one = new_behind_the_end(file);
    const std::string_view rest(one->text + one->size, 10);
    return rest[0];
}

MADE(twice_as_much)
std::size_t twice_as_much_of(int file) {
    const auto one = new_twice_as_much(file);
    return std::hash<std::string_view>()({one->text, 2 * one->size});
}

MADE(viewed)
std::size_t viewed_whole(int file) {
    const auto one = new_viewed(file);
    const std::span<const char> all(one->text);
    return std::hash<std::string_view>()({all.data(), all.size()});
}

MADE(seen_elsewhere)
int look_elsewhere(const seen_elsewhere& one);
int seen_by_another_file(int file) {
    return look_elsewhere(*new_seen_elsewhere(file));
}

struct compared {
    std::array<char, 256> text;
    int size;
    bool operator==(const compared&) const = default;
};

bool compared_whole(int file) {
    std::vector<compared> all;
    for (int i = 0; i < 2; ++i) {
        compared& one = all.emplace_back();
        const ssize_t got = ::read(file, one.text.data(), one.text.size());
        one.size = static_cast<int>(got);
        if (got < 0) return false;
    }
    return all[0] == all[1];
}

struct compared_bytes {
    char name[256];
    int length;
};

static std::vector<compared_bytes> names_of(const std::vector<std::string_view>& names) {
    std::vector<compared_bytes> all;
    for (const std::string_view each : names) {
        compared_bytes& one = all.emplace_back();
        one.length = static_cast<int>(std::min<std::size_t>(each.size(), sizeof one.name));
        std::memcpy(one.name, each.data(), static_cast<std::size_t>(one.length));
    }
    return all;
}

bool same_names(const std::vector<std::string_view>& names) {
    const auto all = names_of(names);
    return all.size() > 1 && std::memcmp(all[0].name, all[1].name, sizeof all[0].name) == 0;
}

bool stops(int);

struct freed_names {
    ~freed_names() { for (char* each : all) std::free(each); }
    char* all[64];
};
std::unique_ptr<freed_names> called_before_all_are_assigned(const char* name) {
    auto result = std::make_unique<freed_names>();
    for (int i = 0; i < 64; ++i) {
        stops(i);
        result->all[i] = ::strdup(name);
    }
    return result;
}
std::unique_ptr<freed_names> thrown_before_all_are_assigned(const char* name) {
    auto result = std::make_unique<freed_names>();
    for (int i = 0; i < 64; ++i) {
        if (stops(i)) throw 1;
        result->all[i] = ::strdup(name);
    }
    return result;
}
void ended_by_an_exception(const char* name) {
    freed_names result{};
    for (int i = 0; i < 64; ++i) {
        if (stops(i)) throw 1;
        result.all[i] = ::strdup(name);
    }
}

std::size_t ended_with_the_block(const char* name, bool all) {
    auto result = std::make_unique<freed_names>();
    if (!all) return 0;
    for (char*& each : result->all) each = ::strdup(name);
    return 1;
}

// The destructor of a class that has the elements as a member.
class owned_numbers {
public:
    explicit owned_numbers(std::size_t n) : all(n) {}
    ~owned_numbers() {
        for (double* each : all) delete each;
    }
    std::vector<double*> all;
};
double sum_of(const owned_numbers&);
double read_numbers(const std::vector<std::string>& from) {
    owned_numbers result(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) result.all[i] = new double(std::stod(from[i]));
    return sum_of(result);
}
struct open_files {
    ~open_files() {
        for (int each : handles) ::close(each);
    }
    std::vector<int> handles;
};
int opened(int number);
void open_all(open_files& files, int n) {
    files.handles.resize(n);
    for (int i = 0; i < n; ++i) files.handles[i] = opened(i);
}
struct described_elsewhere {
    ~described_elsewhere();
    std::unique_ptr<char*[]> names;
};
void name_all(described_elsewhere& to, std::size_t n) {
    to.names = std::make_unique<char*[]>(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (stops(static_cast<int>(i))) throw 1;
        to.names[i] = nullptr;
    }
}

// A jump out of the function, or back into it.
struct job {
    int* cells;
};
extern std::jmp_buf failed;
void jumps_before_all_are_assigned(job& to, const int* from, std::size_t n) {
    to.cells = static_cast<int*>(std::calloc(n, sizeof(int)));
    if (to.cells == nullptr) return;
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] < 0) std::longjmp(failed, 1);
        to.cells[i] = from[i];
    }
}
void decode(void (*fail)(), unsigned char* to, std::size_t n);
int sum_after_a_jump(const unsigned char* from, std::size_t n) {
    unsigned char* volatile rows = nullptr;
    if (setjmp(failed) != 0) {
        const int first = rows != nullptr ? rows[0] : 0;
        std::free(rows);
        return first;
    }
    rows = static_cast<unsigned char*>(std::calloc(n, 1));
    for (std::size_t i = 0; i < n; ++i) {
        if (from[i] == 0) std::longjmp(failed, 1);
        rows[i] = from[i];
    }
    const int last = rows[n - 1];
    std::free(rows);
    return last;
}
