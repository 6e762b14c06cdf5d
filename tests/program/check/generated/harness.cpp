// SPDX-License-Identifier: BSL-1.0
// The texts around the generated functions, and the buffers of both.
#include "parts.hpp"

namespace freehold::generated_cases {

const std::vector<holder> holders = {
    {"auto v = std::make_unique<TYPE[]>(ROOM);",
     "auto v = std::unique_ptr<TYPE[], kept>(filled<TYPE>(ROOM));", "v.get()", ""},
    {"std::vector<TYPE> v(ROOM);", "std::vector<TYPE, filled_allocator<TYPE>> v(ROOM);", "v.data()",
     "v.size()"},
    {"std::vector<TYPE> v; v.resize(ROOM);",
     "std::vector<TYPE, filled_allocator<TYPE>> v; v.resize(ROOM);", "v.data()", "v.size()"},
    {"std::string v(ROOM, '\\0');",
     "std::vector<char, guarded_allocator<char>> v(ROOM); std::memset(v.data(), fill, v.size());",
     "v.data()", "v.size()"},
    {"TYPE* v = new TYPE[ROOM]();", "TYPE* v = filled<TYPE>(ROOM);", "v", "", " delete[] v;"},
    {"auto* v = static_cast<TYPE*>(std::calloc(ROOM, sizeof(TYPE)));",
     "TYPE* v = filled<TYPE>(ROOM);", "v", ""},
};

std::string replaced(std::string text, const std::string& name, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += by.size())
        text.replace(at, name.size(), by);
    return text;
}

const char* const prelude = R"(#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include <sys/socket.h>
#include <unistd.h>
using std::size_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
struct header { size_t size; unsigned bits : 6; };
extern size_t global;
extern volatile size_t changing;
extern int file;
extern std::FILE* stream;
void touch();
int next();
void take(const void* bytes, size_t size);
void take_padded(const void* bytes, size_t size, size_t room);
void note(double number);
)"
                            R"(
struct outcome { bool ok; size_t size; };
static ssize_t passed_on(int from, void* to, size_t size) { return read(from, to, size); }
static ssize_t all_or_error(int from, void* to, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(from, static_cast<u8*>(to) + done, size - done);
        if (got < 0) return -1;
        if (got == 0) break;
        done += static_cast<size_t>(got);
    }
    return static_cast<ssize_t>(done);
}
static ssize_t whole_or_error(int from, void* to, size_t size) {
    if (read(from, to, size) != static_cast<ssize_t>(size)) return -1;
    return static_cast<ssize_t>(size);
}
static int status_of(int from, void* to, size_t size) { return read(from, to, size) == static_cast<ssize_t>(size) ? 0 : -1; }
static size_t error_is_large(int from, void* to, size_t size) { return static_cast<size_t>(read(from, to, size)); }
static size_t error_is_zero(int from, void* to, size_t size) {
    const ssize_t got = read(from, to, size);
    return got < 0 ? 0 : static_cast<size_t>(got);
}
static int narrowed(int from, void* to, size_t size) { return static_cast<int>(read(from, to, size)); }
static size_t as_much_as_there_is(int from, void* to, size_t size) {
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(from, static_cast<u8*>(to) + done, size - done);
        if (got <= 0) break;
        done += static_cast<size_t>(got);
    }
    return done;
}
static size_t read_elements(void* to, size_t size) { return std::fread(to, 4, size / 4, stream) * 4; }
static bool is_whole(int from, void* to, size_t size) { return read(from, to, size) == static_cast<ssize_t>(size); }
static bool is_some(int from, void* to, size_t size) { return read(from, to, size) > 0; }
static bool is_whole_in_parts(int from, void* to, size_t size) { return as_much_as_there_is(from, to, size) == size; }
static outcome part_of(int from, void* to, size_t size) {
    const ssize_t got = read(from, to, size);
    return {got >= 0, static_cast<size_t>(got)};
}
static outcome all_of(int from, void* to, size_t size) {
    const size_t got = as_much_as_there_is(from, to, size);
    return {got == size, got};
}
static std::optional<size_t> maybe(int from, void* to, size_t size) {
    const ssize_t got = read(from, to, size);
    if (got < 0) return std::nullopt;
    return static_cast<size_t>(got);
}
static bool into(int from, void* to, size_t size, size_t& got) {
    const ssize_t result = read(from, to, size);
    got = result < 0 ? 0 : static_cast<size_t>(result);
    return result > 0;
}
static bool by_pointer(int from, void* to, size_t size, size_t* got) {
    const ssize_t result = read(from, to, size);
    if (result >= 0) *got = static_cast<size_t>(result);
    return result >= 0;
}
)";

const char* const tested_prelude = R"(
void* filled_bytes(size_t size);
template <class T> T* filled(size_t n) {
    if (n > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(filled_bytes(n * sizeof(T)));
}
struct kept { template <class T> void operator()(T*) const {} };
extern u8 fill;
// What makes a string larger writes zeroes in any case. A vector would leave its new elements.
template <class T> struct guarded_allocator {
    using value_type = T;
    T* allocate(size_t n) { return filled<T>(n); }
    void deallocate(T*, size_t) {}
    bool operator==(const guarded_allocator&) const { return true; }
};
template <class T> struct filled_allocator : guarded_allocator<T> {
    template <class U> void construct(U* at) { std::memset(at, fill, sizeof(U)); }
    template <class U, class V> void construct(U* at, V&& value) { ::new (at) U(std::forward<V>(value)); }
};
)";

// A buffer lies between pages that nothing may use, and bytes of another value before it. A run
// that leaves the buffer counts as no run, whatever it would have read there.
const char* const harness = R"(#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
using std::size_t;
using u8 = std::uint8_t;
struct header { size_t size; unsigned bits : 6; };
size_t global;
volatile size_t changing;
int file;
std::FILE* stream;
u8 fill;
static header* shared;
static size_t* pointee;
static std::uint64_t hash;
static int drawn;
static const char* script;
static int calls;
static sigjmp_buf ended;
static volatile bool is_running;
static void end_run(int signal) {
    if (is_running) siglongjmp(ended, 1);
    if (signal != SIGVTALRM) _exit(1);
}

struct region { void* whole; size_t size; u8* begin; u8* bytes; };
static std::vector<region> regions;
static constexpr u8 other_value = 0x5B;
void* filled_bytes(size_t size) {
    static const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    if (size > (size_t{1} << 24)) throw std::bad_alloc();
    constexpr size_t around = size_t{1} << 20;
    const size_t usable = (size + 64 + page - 1) / page * page;
    void* whole = mmap(nullptr, usable + 2 * around, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) throw std::bad_alloc();
    u8* begin = static_cast<u8*>(whole) + around;
    mprotect(begin, usable, PROT_READ | PROT_WRITE);
    u8* bytes = begin + usable - size;
    std::memset(begin, other_value, usable - size);
    std::memset(bytes, fill, size);
    regions.push_back({whole, usable + 2 * around, begin, bytes});
    return bytes;
}
static bool end_regions() {
    bool kept = true;
    for (const region& each : regions) {
        for (const u8* at = each.begin; at != each.bytes; ++at) kept = kept && *at == other_value;
        munmap(each.whole, each.size);
    }
    regions.clear();
    return kept;
}

void touch() { global /= 2; shared->size /= 2; *pointee /= 2; changing = changing / 2; }
int next() { return ++drawn * 5 % 7; }
void take(const void* bytes, size_t size) {
    hash = (hash ^ size) * 1099511628211U;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<const u8*>(bytes)[i]) * 1099511628211U;
}
void take_padded(const void* bytes, size_t, size_t room) { take(bytes, room); }
void note(double number) { take(&number, sizeof number); }

// What one call delivers: all, half, one byte, nothing, all but one, or an error. The script's last
// letter holds for all later calls.
static long delivered(void* to, size_t wanted) {
    if (++calls > 2000) end_run(0);
    const char step = *script;
    if (script[1] != '\0') ++script;
    size_t count = 0;
    switch (step) {
        case 'a': count = wanted; break;
        case 'h': count = (wanted + 1) / 2; break;
        case '1': count = wanted < 1 ? wanted : 1; break;
        case 'm': count = wanted < 1 ? wanted : wanted - 1; break;
        case 'i': errno = EINTR; return -1;
        case '-': errno = EIO; return -1;
        default: break;
    }
    if (count > (size_t{1} << 24)) end_run(0);
    for (size_t i = 0; i < count; ++i) static_cast<u8*>(to)[i] = static_cast<u8>(i * 3 + 1);
    return static_cast<long>(count);
}
extern "C" {
ssize_t read(int, void* to, size_t size) { return delivered(to, size); }
ssize_t pread(int, void* to, size_t size, off_t) { return delivered(to, size); }
ssize_t recv(int, void* to, size_t size, int) { return delivered(to, size); }
size_t fread(void* to, size_t size, size_t count, std::FILE*) {
    if (size == 0) return 0;
    const long got = delivered(to, size * count);
    return got < 0 ? 0 : static_cast<size_t>(got) / size;
}
}

struct entry { void (*run)(const u8*, size_t, size_t, header*, size_t*); };
extern const entry entries[];
extern const size_t count;
struct input { size_t n; size_t m; const char* script; };
static std::vector<input> inputs_of(const std::string& kind) {
    using pairs = std::vector<std::pair<size_t, size_t>>;
    const pairs sizes = {{0, 0}, {1, 1}, {2, 1}, {5, 3}, {7, 7}, {63, 60}, {300, 300}, {301, 299}, {1000, 700}, {70000, 70000}, {70001, 69000}, {131072, 131072}};
    const pairs counts = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {2, 1}, {1, 2}, {4, 2}, {5, 3}, {3, 5}, {7, 7}, {8, 4}, {12, 9}, {16, 16}, {33, 20}, {300, 3}};
    const pairs lengths = {{0, 0}, {1, 1}, {2, 1}, {7, 3}, {64, 64}, {300, 256}, {70000, 1}};
    const char* scripts[] = {"a0", "a", "hhhh0", "h", "1", "111110", "0", "-", "i-", "ia0", "h0", "h-", "1-", "hia", "m0", "ma", "1a", "-a", "0a", "aa-"};
    std::vector<input> all;
    for (const auto& [n, m] : kind == "sizes" ? sizes : kind == "loops" ? counts : lengths) {
        if (kind != "readers") all.push_back({n, m, "a"});
        else for (const char* each : scripts) all.push_back({n, m, each});
    }
    return all;
}
// False if the run left its buffer, or did not end.
static bool run(const entry& one, const u8* in, const input& with) {
    hash = 14695981039346656037U;
    drawn = calls = 0;
    script = with.script;
    static header h;
    static size_t p;
    h = {with.n, 0};
    p = with.n;
    shared = &h;
    pointee = &p;
    global = changing = with.n;
    const itimerval soon = {{0, 0}, {0, 100000}};
    const itimerval never = {};
    setitimer(ITIMER_VIRTUAL, &soon, nullptr);
    volatile bool whole = false;
    if (sigsetjmp(ended, 1) == 0) {
        is_running = true;
        try { one.run(in, with.n, with.m, &h, &p); } catch (...) { }
        whole = true;
    }
    is_running = false;
    setitimer(ITIMER_VIRTUAL, &never, nullptr);
    return end_regions() && whole;
}
int main(int, char** arguments) {
    for (const int each : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGVTALRM}) std::signal(each, end_run);
    alarm(500);
    auto* in = static_cast<u8*>(filled_bytes(size_t{1} << 20));
    regions.clear();
    for (size_t i = 0; i < size_t{1} << 20; ++i) in[i] = static_cast<u8>(i * 7 + 1);
    const auto inputs = inputs_of(arguments[1]);
    for (size_t i = 0; i < count; ++i) {
        const input* differing = nullptr;
        bool used = false;
        for (const input& each : inputs) {
            fill = 0;
            if (!run(entries[i], in, each)) continue;
            const std::uint64_t with_zeroes = hash;
            fill = 0xA5;
            if (!run(entries[i], in, each)) continue;
            used = true;
            if (hash != with_zeroes) differing = &each;
        }
        std::printf("%zu %s", i, differing != nullptr ? "differs" : used ? "same" : "unused");
        if (differing != nullptr) std::printf(" n=%zu,m=%zu,%s", differing->n, differing->m, differing->script);
        std::printf("\n");
    }
    // Functions that left their buffers may have changed anything.
    std::fflush(stdout);
    _exit(0);
}
)";

}  // namespace freehold::generated_cases
