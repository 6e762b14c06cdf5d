// SPDX-License-Identifier: BSL-1.0
// The program of scripts/handles-ab: it times what programs do with handles. The script compiles it
// with the headers of two revisions, so it names only what both have.
//
// Prints `KIND.ROW NANOSECONDS` for each row: the lower quartile of blocks of some 20 microseconds
// of processor time, for one operation. `--rows` prints `KIND.ROW: what it does` instead.
// `--second` keeps a second thread alive, as programs do in which several threads may count.
// `--milliseconds` is the time for each row.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/arc.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "suites/common/barrier.hpp"
#include "suites/containers/elements.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <time.h>

#if __has_include(<freehold/handle/atomic_arc.hpp>)
#include <freehold/handle/atomic_arc.hpp>
#define HAS_ATOMIC_HANDLES 1
#else
#define HAS_ATOMIC_HANDLES 0
#endif
#if defined(__cpp_impl_coroutine)
#include <coroutine>
#endif

namespace {

namespace elements = lab::containers::elements;

bool only_lists = false;
double nanoseconds_each = 1.5e6;

double processor_nanoseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// What a row does. Compiled once, and called through a pointer, so that the program is soon
// compiled.
struct operation {
    template <class Run>
    explicit operation(const Run& run)
        : run_(&run), call_([](const void* from) { (*static_cast<const Run*>(from))(); }) {}
    void operator()() const { call_(run_); }

private:
    const void* run_;
    void (*call_)(const void*);
};

double time_of(int times, const operation& run) {
    const double start = processor_nanoseconds();
    for (int i = 0; i < times; ++i) {
        run();
        lab::barrier();
    }
    return processor_nanoseconds() - start;
}

double lower_quartile(std::vector<double>& times) {
    const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
    std::nth_element(times.begin(), place, times.end());
    return *place;
}

double cost_of_clock() {
    static const double cost = [] {
        std::vector<double> times(100);
        for (double& each : times) each = time_of(0, operation([] {}));
        return lower_quartile(times);
    }();
    return cost;
}

// The kind of handle that the rows are of, and that comes before their names.
std::string kind;

void measure(const char* name, int operations, const operation& run) {
    const double first = std::max(time_of(1, run), 1.0);
    const int times = static_cast<int>(std::clamp(20e3 / first, 1.0, 1e4));
    std::vector<double> blocks;
    const double end = processor_nanoseconds() + nanoseconds_each;
    do blocks.push_back((time_of(times, run) - cost_of_clock()) / times / operations);
    while (processor_nanoseconds() < end || blocks.size() < 5);
    std::printf("%s.%s %.4f\n", kind.c_str(), name, lower_quartile(blocks));
}

// `run` does `operations` of what the row is.
template <class Run>
void row(const char* name, const char* what, int operations, const Run& run) {
    if (only_lists)
        std::printf("%s.%s: %s\n", kind.c_str(), name, what);
    else
        measure(name, operations, operation(run));
}

struct small {
    int value = 1;
};
struct named {
    int value = 1;
    std::string name = "some text that needs the heap";
};
struct base {
    virtual ~base() = default;
    int value = 1;
};
struct derived : base {
    long more = 2;
};

template <class Handle>
[[gnu::noinline]] int by_value(Handle handle) {
    lab::escape(&handle);
    return handle ? 1 : 0;
}

template <class Handle>
struct holder {
    Handle member;
    [[gnu::noinline]] explicit holder(Handle given) : member(std::move(given)) {}
    [[gnu::noinline]] Handle get() const { return member; }
    [[gnu::noinline]] void set(Handle given) { member = std::move(given); }
};

template <class Make>
[[gnu::noinline]] auto made_elsewhere(const Make& make) {
    return make();
}

[[gnu::noinline]] void fails() {
    lab::barrier();
    throw 1;
}
template <class Handle>
[[gnu::noinline]] void fails_with_handles(const Handle& one) {
    const Handle a(one), b(one);
    lab::escape(&a);
    lab::escape(&b);
    fails();
}

#if defined(__cpp_impl_coroutine)
struct coroutine {
    struct promise_type {
        coroutine get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> frame;
};
template <class Handle>
[[gnu::noinline]] coroutine keeps(Handle handle) {
    lab::escape(&handle);
    co_return;
}
#endif

constexpr int n = 1024;

// Runs an operation n times.
template <class Operation>
void repeated(const char* name, const char* what, const Operation& operation) {
    row(name, what, n, [&] {
        for (int i = 0; i < n; ++i) operation();
    });
}

// The tests of the lab's suite `containers`, which describes them. Here `prepare` is timed, too.
template <template <class> class Test, class Handle>
void element_row(const char* name, const std::vector<Handle>& from) {
    typename Test<Handle>::container container{};
    row(name, "suite containers", static_cast<int>(from.size()), [&] {
        Test<Handle>::prepare(container, from);
        lab::escape(&container);
        Test<Handle>::run(container, from);
        lab::escape(&container);
    });
}

template <class Handle, class Make>
void in_containers(const Make& make) {
    std::vector<Handle> from;
    std::uint32_t random = 1;
    for (int i = 0; i < 256; ++i) {
        from.push_back(make());
        from.back()->value = static_cast<int>((random = random * 1664525 + 1013904223) >> 8);
    }
    element_row<elements::insert_front>("insert_front", from);
    element_row<elements::erase_front>("erase_front", from);
    element_row<elements::rotate>("rotate", from);
    element_row<elements::reverse>("reverse", from);
    element_row<elements::sort>("sort", from);
    element_row<elements::copy>("copy", from);
    element_row<elements::queue>("queue", from);
    element_row<elements::map>("map", from);
    element_row<elements::unordered_map>("unordered_map", from);
    element_row<elements::optional>("optional", from);
    element_row<elements::variant>("variant", from);
}

// Handles that `make` makes: alone, and in vectors.
template <class Make>
void handles(const Make& make) {
    using handle = decltype(make());
    const handle one = make();
    std::vector<handle> places(n), old(n), other(n);
    for (int i = 0; i < n; ++i) {
        old[static_cast<std::size_t>(i)] = make();
        other[static_cast<std::size_t>(i)] = make();
    }

    repeated("make_drop", "makes an object, and releases it", [&] {
        const handle made = make();
        lab::escape(&made);
    });
    repeated("copy_drop", "copies a handle, and drops the copy", [&] {
        const handle copy(one);
        lab::escape(&copy);
    });
    row("fresh_into_null", "makes objects into null handles, and resets these", n, [&] {
        for (auto& each : places) each = make();
        for (auto& each : places) each.reset();
    });
    row("fresh_over_old", "makes objects over the last handles to others", n, [&] {
        for (auto& each : old) each = make();
    });
    row("copy_into_null", "assigns copies to null handles, and null to these", n, [&] {
        for (auto& each : places) each = one;
        for (auto& each : places) each = nullptr;
    });
    row("push_back", "appends new objects to a vector with room for them", n, [&] {
        std::vector<handle> filled;
        filled.reserve(n);
        for (int i = 0; i < n; ++i) filled.push_back(make());
        lab::escape(&filled);
    });
    row("push_back_growing", "appends new objects to a vector that grows", n, [&] {
        std::vector<handle> filled;
        for (int i = 0; i < n; ++i) filled.push_back(make());
        lab::escape(&filled);
    });
    places = old;
    row("assign_same", "assigns a vector of handles to the same objects", n, [&] {
        places = old;
        lab::escape(&places);
    });
    row("assign_other", "assigns a vector of handles to other objects, and the first again", 2 * n,
        [&] {
            places = other;
            lab::escape(&places);
            places = old;
            lab::escape(&places);
        });
    places.assign(n, handle());
    repeated("by_value", "passes a handle by value", [&] { by_value(one); });
    repeated("by_value_of_fresh", "passes a new object by value",
             [&] { by_value<handle>(make()); });
    repeated("into_member", "makes a copy a member through a constructor", [&] {
        const holder<handle> made(one);
        lab::escape(&made);
    });
    repeated("fresh_into_member", "makes a new object a member through a constructor", [&] {
        const holder<handle> made(make());
        lab::escape(&made);
    });
    const holder<handle> held(one);
    repeated("return_member", "returns a member by value", [&] {
        const handle got = held.get();
        lab::escape(&got);
    });
    holder<handle> changing(one);
    repeated("set_member", "passes a copy by value to a function that makes it a member",
             [&] { changing.set(one); });
    repeated("assign_result", "assigns the new object that a function returns", [&] {
        changing.member = made_elsewhere(make);
        lab::escape(&changing);
    });
    row("sort_by_address", "copies a vector, and sorts it by what its handles point to", n, [&] {
        std::vector<handle> sorted = old;
        std::sort(sorted.begin(), sorted.end(),
                  [](const handle& a, const handle& b) { return a.get() < b.get(); });
        lab::escape(&sorted);
    });
    row("move_and_back", "moves a handle to another, and back", n, [&] {
        for (auto& each : old) {
            handle moved(std::move(each));
            lab::escape(&moved);
            each = std::move(moved);
        }
    });
    row("swap_neighbours", "swaps the neighbours along a vector", n, [&] {
        for (std::size_t i = 0; i + 1 < old.size(); ++i) std::swap(old[i], old[i + 1]);
        lab::escape(&old);
    });
    repeated("function_capture", "makes a std::function that captures a copy", [&] {
        const std::function<int()> made = [copy = one] { return copy ? 1 : 0; };
        lab::escape(&made);
    });
    std::function<int()> function = [copy = one] { return copy ? 1 : 0; };
    repeated("function_moved", "moves a std::function that captured a handle, and back", [&] {
        std::function<int()> moved = std::move(function);
        lab::escape(&moved);
        function = std::move(moved);
    });
    row("exception", "throws through a frame with two copies", 16, [&] {
        for (int i = 0; i < 16; ++i) {
            try {
                fails_with_handles(one);
            } catch (int) {
            }
        }
    });
#if defined(__cpp_impl_coroutine)
    repeated("coroutine", "makes, runs and destroys a coroutine with a copy in its frame", [&] {
        const auto frame = keeps<handle>(one).frame;
        frame.resume();
        frame.destroy();
    });
#endif
    in_containers<handle>(make);
}

template <class Weak, class Handle>
void weak(const Handle& one) {
    const Weak observer(one);
    repeated("lock", "locks a weak handle, and drops the owner", [&] {
        const Handle locked = observer.lock();
        lab::escape(&locked);
    });
    repeated("lock_in_condition", "uses the object if a weak handle's lock finds it", [&] {
        if (const auto locked = observer.lock()) lab::escape(&locked->value);
    });
    repeated("weak_copy", "copies a weak handle, and drops the copy", [&] {
        const Weak copy(observer);
        lab::escape(&copy);
    });
}

template <class Atomic, class Make>
void atomic_handle(const Make& make) {
    using Handle = decltype(make());
    const Handle one = make();
    Atomic place(one);
    row("atomic_load", "loads an atomic handle, and drops the copy", n, [&] {
        for (int i = 0; i < n; ++i) {
            const Handle copy = place.load();
            lab::escape(&copy);
        }
    });
    row("atomic_store", "stores a copy in an atomic handle", n, [&] {
        for (int i = 0; i < n; ++i) place.store(one);
    });
    const auto changed = [&](const auto& seen) {
        Handle made = make();
        made->value = seen->value + 1;
        return made;
    };
    const auto replace_by_comparing = [&] {
        Handle seen = place.load();
        while (!place.compare_exchange_strong(seen, changed(seen))) {
        }
    };
    repeated("atomic_update", "replaces the object of an atomic handle by a changed copy", [&] {
        if constexpr (requires { place.update(changed); }) {
            place.update(changed);
        } else {
            replace_by_comparing();
        }
    });
    repeated("atomic_compare_exchange", "the same by a loop of compare and exchange",
             replace_by_comparing);
}

struct of_freehold {
    template <class T>
    using handle = freehold::shared_ptr<T>;
    template <class T>
    using with_owner = freehold::enable_shared_from_this<T>;
    template <class T>
    static handle<T> make() {
        return freehold::make_shared<T>();
    }
};
struct of_std {
    template <class T>
    using handle = std::shared_ptr<T>;
    template <class T>
    using with_owner = std::enable_shared_from_this<T>;
    template <class T>
    static handle<T> make() {
        return std::make_shared<T>();
    }
};

template <class Family>
struct with_owner : Family::template with_owner<with_owner<Family>> {
    int value = 1;
};

// What only a shared_ptr does.
template <class Family>
void conversions() {
    const auto made = [](const char* name, const char* what, const auto& make) {
        repeated(name, what, [&] {
            const auto result = make();
            lab::escape(&result);
        });
    };
    using handle = typename Family::template handle<small>;
    using base_handle = typename Family::template handle<base>;
    made("from_pointer", "owns a new object by its pointer", [] { return handle(new small); });
    made("from_unique_ptr", "takes a new object over from a unique_ptr",
         [] { return handle(std::make_unique<small>()); });
    made("with_deleter", "owns a new object with a deleter",
         [] { return handle(new small, [](small* last) { delete last; }); });
    const handle one = Family::template make<small>();
    made("aliasing", "points to a member of an owned object",
         [&] { return typename Family::template handle<int>(one, &one->value); });
    const base_handle to_base = Family::template make<derived>();
    made("static_cast", "copies a handle with a static cast",
         [&] { return static_pointer_cast<derived>(to_base); });
    made("dynamic_cast", "copies a handle with a dynamic cast",
         [&] { return dynamic_pointer_cast<derived>(to_base); });
    base_handle moved = to_base;
    row("moved_cast", "moves a handle with a static cast, and back", n, [&] {
        for (int i = 0; i < n; ++i) {
            auto cast = static_pointer_cast<derived>(std::move(moved));
            lab::escape(&cast);
            moved = std::move(cast);
        }
    });
    const auto knows_owner = Family::template make<with_owner<Family>>();
    made("shared_from_this", "makes an owner in a member function",
         [&] { return knows_owner->shared_from_this(); });
}

void every_row() {
    kind = "shared_ptr";
    handles([] { return freehold::make_shared<small>(); });
    weak<freehold::weak_ptr<small>>(freehold::make_shared<small>());
    conversions<of_freehold>();
#if HAS_ATOMIC_HANDLES
    atomic_handle<std::atomic<freehold::shared_ptr<small>>>(
        [] { return freehold::make_shared<small>(); });
#endif
    kind = "shared_ptr_named";
    handles([] { return freehold::make_shared<named>(); });
    kind = "shared_ptr_base";
    handles([]() -> freehold::shared_ptr<base> { return freehold::make_shared<derived>(); });
    kind = "arc";
    handles([] { return freehold::make_arc<small>(); });
    weak<freehold::weak_arc<small>>(freehold::make_arc<small>());
#if HAS_ATOMIC_HANDLES
    atomic_handle<freehold::atomic_arc<small>>([] { return freehold::make_arc<small>(); });
#endif
    kind = "arc_named";
    handles([] { return freehold::make_arc<named>(); });
    kind = "arc_local";
    handles([] { return freehold::make_arc<small, freehold::local_count>(); });
    kind = "arc_biased";
    handles([] { return freehold::make_arc<small, freehold::biased_count>(); });
    kind = "std";
    handles([] { return std::make_shared<small>(); });
    weak<std::weak_ptr<small>>(std::make_shared<small>());
    conversions<of_std>();
#if defined(__cpp_lib_atomic_shared_ptr)
    atomic_handle<std::atomic<std::shared_ptr<small>>>([] { return std::make_shared<small>(); });
#endif
    kind = "std_named";
    handles([] { return std::make_shared<named>(); });
    kind = "std_base";
    handles([]() -> std::shared_ptr<base> { return std::make_shared<derived>(); });
}

}  // namespace

int main(int argc, char** argv) {
    bool with_second = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--rows") == 0) only_lists = true;
        if (std::strcmp(argv[i], "--second") == 0) with_second = true;
        if (std::strcmp(argv[i], "--milliseconds") == 0 && i + 1 < argc)
            nanoseconds_each = std::atof(argv[++i]) * 1e6;
    }
    std::mutex mutex;
    std::condition_variable ended;
    bool end = false;
    std::thread second;
    if (with_second) {
        second = std::thread([&] {
            std::unique_lock lock(mutex);
            ended.wait(lock, [&] { return end; });
        });
    }
    every_row();
    if (with_second) {
        {
            const std::lock_guard lock(mutex);
            end = true;
        }
        ended.notify_one();
        second.join();
    }
}
