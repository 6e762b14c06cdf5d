// SPDX-License-Identifier: BSL-1.0
// What owners cost when threads share them. Several threads copy and release them at once: the
// thread that made the object, and others. Threads also hand owners over to each other. Some counts
// are prepared for that: what it costs, and the memory that it takes.
#pragma once

#include "runner/child.hpp"
#include "runner/registry.hpp"
#include "subjects/handle.hpp"
#include "subjects/handles/raw.hpp"
#include "subjects/shared_identities.hpp"
#include "suites/common/anonymous_bytes.hpp"
#include "suites/common/barrier.hpp"
#include "suites/common/burst_ring.hpp"
#include "suites/common/rounds.hpp"
#include "suites/common/thread_group.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/common/timing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace lab::threads {

using handles::raw;

/// For the hand-over: a pointer to an object that one thread makes by new and the other deletes.
struct new_and_delete : raw {
    static constexpr identity is = identities::new_and_delete;
};

/// The operations of a thread between two readings of the clock. With so many, the threads' unequal
/// starts of some 100 ns are negligible. A thread usually finishes them before it is preempted.
constexpr std::size_t batch_size = 8192;
constexpr std::size_t handed_over = 4096;
constexpr std::size_t burst = 32;
/// Sharing out and gathering may take some us.
constexpr std::size_t times_shared_out = 128;

/// The owned object. Each test has its own type, because a biased count gives up its bias for all
/// objects of one type that a thread has made.
template <class Subject, class Test>
struct object : Subject::template base<object<Subject, Test>> {
    object() noexcept = default;
    explicit object(std::uint64_t v) noexcept : value(v) {}

    std::uint64_t value = 0;
};

template <class Subject, class Test>
using handle_of = typename Subject::template handle<object<Subject, Test>>;

/// Whether the subject's objects can be prepared for many threads that copy them.
template <class Subject, class Test>
concept shares_out = requires(const handle_of<Subject, Test>& owner) {
                         { Subject::share_out(owner).is_shared_out() } -> std::same_as<bool>;
                     };

/// A handle to an object that this thread makes and destroys.
template <class Subject, class Test>
class own_object {
public:
    own_object() : handle(make_owned<Subject, object<Subject, Test>>()) {}
    ~own_object() { Subject::abandon(handle); }
    own_object(const own_object&) = delete;
    own_object& operator=(const own_object&) = delete;

    handle_of<Subject, Test> handle;
};

/// A handle to an object that another thread made. That thread stays alive, asleep, as long as this
/// object.
template <class Subject, class Test>
class others_object {
public:
    others_object()
        : maker_([this] {
              own_object<Subject, Test> made;
              made_.set_value(&made.handle);
              over_.get_future().wait();
          }),
          handle(Subject::copy(*made_.get_future().get())) {}
    ~others_object() {
        handle = handle_of<Subject, Test>();
        over_.set_value();
        maker_.join();
    }
    others_object(const others_object&) = delete;
    others_object& operator=(const others_object&) = delete;

private:
    std::promise<handle_of<Subject, Test>*> made_;
    std::promise<void> over_;
    std::thread maker_;

public:
    handle_of<Subject, Test> handle;
};

/// Makes a batch of copies, and releases each at once.
template <class Subject, class Handle>
void copy_and_release(const Handle& original) {
    alignas(Handle) std::array<std::byte, sizeof(Handle)> storage;
    auto* const copy = reinterpret_cast<Handle*>(storage.data());
    escape(&original);
    escape(copy);
    for (std::size_t i = 0; i < batch_size; ++i) {
        std::construct_at(copy, Subject::copy(original));
        barrier();
        std::destroy_at(copy);
        barrier();
    }
}

template <class Subject>
struct one_object {
    static void measure(kernel_state& state, std::size_t threads) {
        const others_object<Subject, one_object> shared;
        [[maybe_unused]] const auto kept = Subject::share_out(shared.handle);
        const auto make_batch = [&shared](std::size_t) {
            return [mine = Subject::copy(shared.handle)] { copy_and_release<Subject>(mine); };
        };
        measure_together(state, threads, make_batch);
    }
};

template <class Subject>
struct an_object_each {
    static void measure(kernel_state& state, std::size_t threads) {
        const auto make_batch = [](std::size_t) {
            return [mine = std::make_unique<own_object<Subject, an_object_each>>()] {
                copy_and_release<Subject>(mine->handle);
            };
        };
        measure_together(state, threads, make_batch);
    }
};

template <class Subject, class Handle>
void measure_alone(kernel_state& state, const Handle& handle) {
    for (auto _ : state) {
        state.set_iteration_time(
            undisturbed_seconds([] {}, [&] { copy_and_release<Subject>(handle); }));
    }
}

template <class Subject>
struct owner {
    static void measure(kernel_state& state) {
        const own_object<Subject, owner> mine;
        measure_alone<Subject>(state, mine.handle);
    }
};

template <class Subject>
struct non_owner {
    static void measure(kernel_state& state) {
        const others_object<Subject, non_owner> others;
        measure_alone<Subject>(state, others.handle);
    }
};

template <class Subject>
struct after_sharing {
    static void measure(kernel_state& state) {
        const own_object<Subject, after_sharing> mine;
        std::thread([&mine] { copy_and_release<Subject>(mine.handle); }).join();
        measure_alone<Subject>(state, mine.handle);
    }
};

/// Makes the objects that are handed over.
template <class Subject, class Test>
class maker {
public:
    handle_of<Subject, Test> operator()() {
        return make_owned<Subject, object<Subject, Test>>(++made_);
    }
    static void drop(handle_of<Subject, Test>& last) { Subject::abandon(last); }

private:
    std::uint64_t made_ = 0;
};

/// Makes and frees nothing. It writes to objects that were made beforehand, and hands them over in
/// turn.
template <class Test>
class maker<raw, Test> {
public:
    handle_of<raw, Test> operator()() {
        object<raw, Test>& next = objects_[made_ % objects_.size()];
        next.value = ++made_;
        return handle_of<raw, Test>(&next);
    }
    static void drop(handle_of<raw, Test>&) {}

private:
    std::uint64_t made_ = 0;
    std::vector<object<raw, Test>> objects_{2 * Test::capacity};
};

constexpr std::size_t bursts = 8;

/// One thread puts what `make` returns into a ring; another takes it out and passes it to `drop`.
template <class Handle, class Make, class Drop>
void measure_passing(kernel_state& state, Make make, Drop drop) {
    const auto ring = std::make_unique<burst_ring<Handle, burst, bursts>>(processors_of(2));
    const auto make_batch = [&](std::size_t number) {
        return [&, number] {
            if (number == 0) {
                for (std::size_t i = 0; i < handed_over; i += burst) ring->put(make);
            } else {
                for (std::size_t i = 0; i < handed_over; i += burst) {
                    ring->take([&](Handle& taken) {
                        escape(reinterpret_cast<const void*>(taken->value));
                        drop(taken);
                    });
                }
            }
        };
    };
    measure_together(state, 2, make_batch);
}

template <class Subject>
struct hand_over {
    static constexpr std::size_t capacity = burst * bursts;

    static void measure(kernel_state& state) {
        measure_passing<handle_of<Subject, hand_over>>(
            state, maker<Subject, hand_over>(),
            [](auto& last) { maker<Subject, hand_over>::drop(last); });
    }
};

/// What a server does with one object: a thread copies its handle for each request, and passes the
/// copy to a thread that releases it.
template <class Subject>
struct pass_copies {
    static void measure(kernel_state& state) {
        const own_object<Subject, pass_copies> shared;
        [[maybe_unused]] const auto kept = Subject::share_out(shared.handle);
        measure_passing<handle_of<Subject, pass_copies>>(
            state, [&]() -> decltype(auto) { return Subject::copy(shared.handle); }, [](auto&) {});
    }
};

/// Shares out and gathers an object that another thread copies all the time. Only the former is
/// timed.
template <class Subject>
struct share_out {
    static void measure(kernel_state& state) {
        const others_object<Subject, share_out> shared;
        rounds all(1);
        double seconds = 0;
        const auto make_batch = [&](std::size_t number) {
            return
                [&, number, round = std::size_t{0}, mine = Subject::copy(shared.handle)]() mutable {
                    ++round;
                    if (number != 0) {
                        while (!all.over(round)) const auto copy = Subject::copy(mine);
                        return;
                    }
                    using clock = std::chrono::steady_clock;
                    const auto begin = clock::now();
                    for (std::size_t i = 0; i < times_shared_out; ++i) {
                        const auto kept = Subject::share_out(mine);
                        const auto copy = Subject::copy(mine);
                    }
                    seconds = std::chrono::duration<double>(clock::now() - begin).count();
                    all.done();
                };
        };
        measure_together(state, 2, make_batch, [&] { return seconds; });
    }
};

/// Returns the memory that an object takes because it is shared out, after threads on all
/// processors have counted its owners. Rounded to the size of a word, because the process takes
/// some pages for itself.
template <class Subject>
double bytes_while_shared_out() {
    constexpr std::size_t objects = 16'384;
    struct test;
    using owned = own_object<Subject, test>;
    using kept = decltype(Subject::share_out(std::declval<const owned&>().handle));
    std::deque<owned> all(objects);
    std::vector<std::optional<kept>> shared_out(objects);
    const auto count_on_each_processor = [&] {
        for (const int processor : usable_processors()) {
            const kept_on_processor place(processor);
            for (const owned& each : all) const auto copy = Subject::copy(each.handle);
        }
    };
    count_on_each_processor();
    static_cast<void>(anonymous_bytes());  // takes memory itself
    const std::size_t before = anonymous_bytes();
    for (std::size_t i = 0; i < objects; ++i)
        shared_out[i].emplace(Subject::share_out(all[i].handle));
    count_on_each_processor();
    constexpr double word = sizeof(void*);
    return std::round(static_cast<double>(anonymous_bytes() - before) / objects / word) * word;
}

class builder {
public:
    builder(plan& into, const identity& of) : into_(into), subject_(key_of(of.name)) {}

    void add(const char* test, kernel measure, std::size_t operations = batch_size) {
        add_kernel(into_, {subject_, test}, 1e9 / static_cast<double>(operations), measure);
    }
    void add_sizes(const char* test, void (*measure)(kernel_state&, std::size_t),
                   const std::vector<std::size_t>& sizes) {
        for (const std::size_t size : sizes) {
            add_kernel(into_, {subject_, test, static_cast<std::int64_t>(size)}, 1e9 / batch_size,
                       [measure, size](kernel_state& state) { measure(state, size); });
        }
    }

private:
    plan& into_;
    std::string subject_;
};

struct suite : one_subject {
    template <class Subject>
    static constexpr bool measures = Subject::is.threads;

    static constexpr std::array<std::string_view, 9> cases = {
        "one_object", "an_object_each", "owner",     "non_owner",       "after_sharing",
        "hand_over",  "pass_copies",    "share_out", "while_shared_out"};

    template <class Subject>
    static std::vector<subject> subjects() {
        if constexpr (std::is_same_v<Subject, raw>) {
            return subjects_of({raw::is, new_and_delete::is});
        } else {
            return {subject_of(Subject::is)};
        }
    }

    template <class Subject>
    static void add(plan& cells, const selection& chosen) {
        builder plan(cells, Subject::is);
        plan.add_sizes("one_object", one_object<Subject>::measure, with_more_than_processors());
        plan.add_sizes("an_object_each", an_object_each<Subject>::measure, thread_counts());
        plan.add("owner", owner<Subject>::measure);
        plan.add("non_owner", non_owner<Subject>::measure);
        plan.add("after_sharing", after_sharing<Subject>::measure);
        plan.add("hand_over", hand_over<Subject>::measure, handed_over);
        plan.add("pass_copies", pass_copies<Subject>::measure, handed_over);
        if constexpr (shares_out<Subject, suite>) add_sharing_out<Subject>(cells, chosen);
        if constexpr (std::is_same_v<Subject, raw>) {
            builder(cells, new_and_delete::is)
                .add("hand_over", hand_over<new_and_delete>::measure, handed_over);
        }
    }

private:
    static std::vector<std::size_t> with_more_than_processors() {
        std::vector<std::size_t> sizes = thread_counts();
        sizes.push_back(2 * sizes.back());
        return sizes;
    }

    template <class Subject>
    static void add_sharing_out(plan& cells, const selection& chosen) {
        const figure time{key_of(Subject::is.name), "share_out"};
        const figure memory{time.subject, "while_shared_out"};
        const own_object<Subject, suite> mine;
        if (!Subject::share_out(mine.handle).is_shared_out()) {
            skip(cells, {time, memory}, "this system refuses restartable sequences or membarrier");
            return;
        }
        add_kernel(cells, time, 1e6 / times_shared_out, share_out<Subject>::measure);
        if (const std::string why = why_no_anonymous_bytes(); !why.empty()) {
            skip(cells, {memory}, why);
            return;
        }
        cells.exact.push_back({memory, measured_in_a_child(chosen.process, [] {
                                   return bytes_while_shared_out<Subject>();
                               })});
    }
};

}  // namespace lab::threads
