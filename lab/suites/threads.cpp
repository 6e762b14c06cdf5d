// SPDX-License-Identifier: BSL-1.0
// What owners cost when threads share them: copied and released by several at once, by the thread
// that made the object and by others, and handed from one thread to another.
#include "competitors/boost_intrusive_ptr_atomic.hpp"
#include "competitors/boost_make_shared.hpp"
#include "competitors/freehold_arc.hpp"
#include "competitors/freehold_arc_biased.hpp"
#include "competitors/freehold_make_shared.hpp"
#include "competitors/freehold_make_shared_biased.hpp"
#include "competitors/intrusive_atomic.hpp"
#include "competitors/intrusive_biased.hpp"
#include "competitors/raw.hpp"
#include "competitors/std_make_shared.hpp"
#include "suites/barrier.hpp"
#include "suites/suite.hpp"
#include "suites/threads_ring.hpp"
#include "suites/threads_team.hpp"
#include "suites/timing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace lab {
namespace {

/// In hand-over, a pointer to an object that the one thread makes by new and the other deletes.
struct new_and_delete : raw {
    static constexpr const char* name = "new and delete";
};

using handles = competitor_list<freehold_make_shared, freehold_make_shared_biased, freehold_arc,
                                freehold_arc_biased, intrusive_atomic, intrusive_biased,
                                std_make_shared, boost_make_shared, boost_intrusive_ptr_atomic>;
using pointers = competitor_list<raw>;
using pointers_handed_over = competitor_list<raw, new_and_delete>;

/// Operations of a thread between two readings of the clock: enough for the threads' unequal
/// starts, some 100 ns, to vanish; few enough to be done, as a rule, before a thread is preempted.
constexpr std::size_t batch_size = 8192;
constexpr std::size_t handed_over = 4096;
constexpr std::size_t burst = 32;

/// What is owned: of a type of its own for each test, because a biased count gives up its bias for
/// all objects of a type that a thread has made.
template <class Competitor, class Test>
struct object : Competitor::template base<object<Competitor, Test>> {
    object() noexcept = default;
    explicit object(std::uint64_t v) noexcept : value(v) {}

    std::uint64_t value = 0;
};

template <class Competitor, class Test>
using handle_of = typename Competitor::template handle<object<Competitor, Test>>;

/// A handle to an object made here, which is gone when this ends.
template <class Competitor, class Test>
class own_object {
public:
    own_object() : handle(make_owned<Competitor, object<Competitor, Test>>()) {}
    ~own_object() { Competitor::abandon(handle); }
    own_object(const own_object&) = delete;
    own_object& operator=(const own_object&) = delete;

    handle_of<Competitor, Test> handle;
};

/// A handle to an object that another thread made, which stays alive, asleep, as long as this.
template <class Competitor, class Test>
class others_object {
public:
    others_object()
        : maker_([this] {
              own_object<Competitor, Test> made;
              made_.set_value(&made.handle);
              over_.get_future().wait();
          }),
          handle(Competitor::copy(*made_.get_future().get())) {}
    ~others_object() {
        handle = handle_of<Competitor, Test>();
        over_.set_value();
        maker_.join();
    }
    others_object(const others_object&) = delete;
    others_object& operator=(const others_object&) = delete;

private:
    std::promise<handle_of<Competitor, Test>*> made_;
    std::promise<void> over_;
    std::thread maker_;

public:
    handle_of<Competitor, Test> handle;
};

/// A batch of copies, each released at once.
template <class Competitor, class Handle>
void copy_and_release(const Handle& original) {
    alignas(Handle) std::array<std::byte, sizeof(Handle)> storage;
    auto* const copy = reinterpret_cast<Handle*>(storage.data());
    escape(&original);
    escape(copy);
    for (std::size_t i = 0; i < batch_size; ++i) {
        std::construct_at(copy, Competitor::copy(original));
        barrier();
        std::destroy_at(copy);
        barrier();
    }
}

template <class Competitor>
struct one_object {
    static void measure(benchmark::State& state, std::size_t threads) {
        const others_object<Competitor, one_object> shared;
        const auto make_batch = [&shared](std::size_t) {
            return [mine = Competitor::copy(shared.handle)] { copy_and_release<Competitor>(mine); };
        };
        team(threads, make_batch).measure(state);
    }
};

template <class Competitor>
struct an_object_each {
    static void measure(benchmark::State& state, std::size_t threads) {
        const auto make_batch = [](std::size_t) {
            return [mine = std::make_unique<own_object<Competitor, an_object_each>>()] {
                copy_and_release<Competitor>(mine->handle);
            };
        };
        team(threads, make_batch).measure(state);
    }
};

template <class Competitor, class Handle>
void measure_alone(benchmark::State& state, const Handle& handle) {
    for (auto _ : state) {
        state.SetIterationTime(
            undisturbed_seconds([] {}, [&] { copy_and_release<Competitor>(handle); }));
    }
}

template <class Competitor>
struct owner {
    static void measure(benchmark::State& state) {
        const own_object<Competitor, owner> mine;
        measure_alone<Competitor>(state, mine.handle);
    }
};

template <class Competitor>
struct non_owner {
    static void measure(benchmark::State& state) {
        const others_object<Competitor, non_owner> others;
        measure_alone<Competitor>(state, others.handle);
    }
};

template <class Competitor>
struct after_sharing {
    static void measure(benchmark::State& state) {
        const own_object<Competitor, after_sharing> mine;
        std::thread([&mine] { copy_and_release<Competitor>(mine.handle); }).join();
        measure_alone<Competitor>(state, mine.handle);
    }
};

/// Makes what is handed over.
template <class Competitor, class Test>
class maker {
public:
    handle_of<Competitor, Test> operator()() {
        return make_owned<Competitor, object<Competitor, Test>>(++made_);
    }
    static void drop(handle_of<Competitor, Test>& last) { Competitor::abandon(last); }

private:
    std::uint64_t made_ = 0;
};

/// Nothing is made or freed: objects made beforehand are written to and handed over in turn.
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

template <class Competitor>
struct hand_over {
    using handle = handle_of<Competitor, hand_over>;
    static constexpr std::size_t bursts = 8;
    static constexpr std::size_t capacity = burst * bursts;

    static void measure(benchmark::State& state) {
        const auto ring = std::make_unique<burst_ring<handle, burst, bursts>>();
        maker<Competitor, hand_over> make;
        const auto make_batch = [&](std::size_t number) {
            return [&, number] {
                if (number == 0) {
                    for (std::size_t i = 0; i < handed_over; i += burst) ring->put(make);
                } else {
                    for (std::size_t i = 0; i < handed_over; i += burst) ring->take(receive);
                }
            };
        };
        team(2, make_batch).measure(state);
    }

    static void receive(handle& last) {
        escape(reinterpret_cast<const void*>(last->value));
        maker<Competitor, hand_over>::drop(last);
    }
};

/// 1, 2, 4, ... and as many threads as this machine runs at a time, but at least 2.
std::vector<std::size_t> team_sizes() {
    const std::size_t most = std::max(2u, std::thread::hardware_concurrency());
    std::vector<std::size_t> sizes;
    for (std::size_t size = 1; size < most; size *= 2) sizes.push_back(size);
    sizes.push_back(most);
    return sizes;
}

class builder {
public:
    builder(plan& into, const char* competitor) : into_(into), competitor_(competitor) {}

    void add(const char* test, void (*measure)(benchmark::State&),
             std::size_t operations = batch_size) {
        into_.timed.push_back({{competitor_, test, std::nullopt, "ns"},
                               measure,
                               1e9 / static_cast<double>(operations),
                               false});
    }
    void add(const char* test, void (*measure)(benchmark::State&, std::size_t)) {
        for (const std::size_t size : team_sizes()) {
            into_.timed.push_back(
                {{competitor_, test, static_cast<std::int64_t>(size), "ns"},
                 [measure, size](benchmark::State& state) { measure(state, size); },
                 1e9 / batch_size,
                 false});
        }
    }

private:
    plan& into_;
    const char* competitor_;
};

}  // namespace

plan plan_threads(const selection& chosen) {
    plan cells;
    const std::vector<std::string> copying = {"one object", "an object each", "owner", "non-owner",
                                              "after sharing"};
    const auto add_copying = [&]<class Competitor>() {
        builder plan(cells, Competitor::name);
        plan.add("one object", one_object<Competitor>::measure);
        plan.add("an object each", an_object_each<Competitor>::measure);
        plan.add("owner", owner<Competitor>::measure);
        plan.add("non-owner", non_owner<Competitor>::measure);
        plan.add("after sharing", after_sharing<Competitor>::measure);
    };
    for_each_selected<pointers>(cells, chosen, copying, add_copying);
    for_each_selected<handles>(cells, chosen, copying, add_copying);

    const std::vector<std::string> handing_over = {"hand-over"};
    const auto add_hand_over = [&]<class Competitor>() {
        builder(cells, Competitor::name)
            .add("hand-over", hand_over<Competitor>::measure, handed_over);
    };
    for_each_selected<pointers_handed_over>(cells, chosen, handing_over, add_hand_over);
    for_each_selected<handles>(cells, chosen, handing_over, add_hand_over);
    return cells;
}

}  // namespace lab
