// SPDX-License-Identifier: BSL-1.0
// The program that GenMC interprets for the debts of atomic pointers: functions that it can begin
// with, known to genmc_test.cpp. The protocol is compiled from the headers that are shipped.
//
// GenMC knows of no barrier that one thread executes for all. Here a reader executes a fence
// wherever it keeps its order, and the writer one in place of its barrier. That is more than a
// machine does, whose readers execute none without a barrier: so it cannot be found here that the
// barrier has to be, and the second look at the phase. Relacy finds both (debts_model_test.cpp).
#include <freehold/handle/detail/atomic/debts_slow.hpp>
#include <freehold/handle/detail/atomic/one_word_place.hpp>

#include "model/genmc.hpp"
#include "model/genmc_memory.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace freehold::model {
namespace {

using detail::debt_key;
using detail::owner_kind;

constexpr std::size_t threads = 3;

struct debts {
    template <class T>
    using atomic = checked_atomic<T>;
    using debt = detail::basic_debt<debts>;
    using reader = detail::basic_reader<debts>;
    using place = detail::basic_one_word_place<debts>;
    using steps = detail::debt_steps<debts>;
    using reading = detail::basic_reading<debts, place>;

    static constexpr std::size_t lasting_debts = 1;
    // Never: the phase stays as a scenario begins with it, or a writer makes it odd.
    static constexpr std::uint32_t fences_for_a_barrier = 1000;

    struct lock {
        lock();
        explicit lock(detail::unless_taken) { require(false, "writers are to fence again"); }
        ~lock();
        lock(const lock&) = delete;
        lock& operator=(const lock&) = delete;
        [[nodiscard]] bool is_held() const { return true; }
    };

    static detail::basic_readers<debts>& readers();
    static debt*& next_debt();
    static void keep_order() { std::atomic_thread_fence(std::memory_order_seq_cst); }
    static bool can_fence_everywhere() { return true; }
    static void fence_everywhere() { std::atomic_thread_fence(std::memory_order_seq_cst); }
    static reader* this_reader();
    static reader* make_reader();

    static reading protect_slowly(const place& from, const owner_kind& kind) {
        return steps::protect(from, kind);
    }
    static reading protect_again(const place& from, const owner_kind& kind, debt& tried,
                                 debt_key vain) {
        return steps::protect_again(from, kind, tried, vain);
    }
    static bool end_slowly(debt& ended, debt_key key) { return steps::end(ended, key); }
};

// What gives up the last owner reads what every user wrote, and frees it.
struct thing {
    std::atomic<int> owners{1};
    std::array<plain, threads> parts;

    void use() { parts[thread_index()].write(1); }
};

debt_key key_of(std::uintptr_t word) noexcept {
    return word + detail::for_owner;
}
void add(debt_key key) noexcept {
    reinterpret_cast<thing*>(key - detail::for_owner)
        ->owners.fetch_add(1, std::memory_order_relaxed);
}
void give_up(debt_key key) noexcept {
    auto* const given = reinterpret_cast<thing*>(key - detail::for_owner);
    const int before = given->owners.fetch_sub(1, std::memory_order_acq_rel);
    require(before > 0, "a count was given up that was not there");
    if (before != 1) return;
    for (plain& part : given->parts) static_cast<void>(part.read());
    delete given;
}
struct kind {
    static debt_key key_of(std::uintptr_t word) noexcept { return model::key_of(word); }
    static constexpr owner_kind calls = {&model::key_of, &add, &give_up};
};

struct world {
    // `readers` of the threads have a slot when they start; that of the others is made, or none is.
    world(std::uint64_t phase, std::size_t readers);
    ~world();

    detail::basic_readers<debts> all;
    std::array<debts::reader, threads> memory;
    std::size_t made = 0;
    std::array<debts::reader*, threads> reader_of{};
    std::array<debts::debt*, threads> next{};
    debts::debt of_no_thread;
    debts::place place{reinterpret_cast<std::uintptr_t>(new thing)};
};
world* now = nullptr;
mutex writers;

debts::lock::lock() {
    writers.lock("", 0);
}
debts::lock::~lock() {
    writers.unlock();
}
detail::basic_readers<debts>& debts::readers() {
    return now->all;
}
debts::debt*& debts::next_debt() {
    return now->next[thread_index()];
}
debts::reader* debts::this_reader() {
    return now->reader_of[thread_index()];
}
debts::reader* debts::make_reader() {
    return &now->memory[now->made++];
}

world::world(std::uint64_t phase, std::size_t readers) {
    now = this;
    of_no_thread.owed.store(debts::debt::ending, std::memory_order_relaxed);
    for (debts::debt*& each : next) each = &of_no_thread;
    all.phase.store(phase, std::memory_order_relaxed);
    for (std::size_t i = 0; i != readers; ++i) {
        reader_of[i] = debts::make_reader();
        reader_of[i]->next = all.first.load(std::memory_order_relaxed);
        all.first.store(reader_of[i], std::memory_order_relaxed);
        next[i] = reader_of[i]->debts;
    }
}
world::~world() {
    for (std::size_t i = 0; i != made; ++i) {
        for (const debts::debt& each : memory[i].debts) {
            require(each.owed.load(std::memory_order_relaxed) == debts::debt::none &&
                        each.paid.load(std::memory_order_relaxed) == debts::debt::none,
                    "a slot is not free");
        }
    }
    auto* const last = reinterpret_cast<thing*>(place.load());
    require(last->owners.load(std::memory_order_relaxed) == 1, "a count was lost, or is too many");
    give_up(key_of(place.load()));
}

void use(std::uintptr_t word) {
    reinterpret_cast<thing*>(word)->use();
}
void release(debts::reading read) {
    use(read.words);
    if (read.debt == nullptr || detail::end(*read.debt, key_of(read.words)))
        give_up(key_of(read.words));
}
template <int Times>
void* read(void*) {
    for (int i = 0; i != Times; ++i) release(detail::protect<debts, kind>(now->place));
    return nullptr;
}
// As load() does.
void* keep_an_owner(void*) {
    const debts::reading read = detail::protect<debts, kind>(now->place);
    if (read.debt != nullptr) {
        add(key_of(read.words));
        if (detail::end(*read.debt, key_of(read.words))) give_up(key_of(read.words));
    }
    use(read.words);
    give_up(key_of(read.words));
    return nullptr;
}
template <int Times>
void* store(void*) {
    for (int i = 0; i != Times; ++i) {
        give_up(key_of(debts::steps::replace(
            now->place, reinterpret_cast<std::uintptr_t>(new thing), kind::calls)));
    }
    return nullptr;
}
void* store_if_held(void*) {
    const debts::reading seen = detail::protect<debts, kind>(now->place);
    const auto desired = reinterpret_cast<std::uintptr_t>(new thing);
    const std::uintptr_t present =
        debts::steps::replace_if(now->place, seen.words, desired, kind::calls);
    use(present);
    give_up(key_of(present));
    if (present != seen.words) give_up(key_of(desired));
    release(seen);
    return nullptr;
}

// As atomic_handle::update, with one attempt.
void* update(void*) {
    const debts::reading seen = detail::protect<debts, kind>(now->place);
    const auto desired = reinterpret_cast<std::uintptr_t>(new thing);
    debts::debt* protecting = seen.debt;
    if (!debts::steps::replace_protected(now->place, seen.words, desired, kind::calls,
                                         protecting)) {
        give_up(key_of(desired));
        release(seen);
        return nullptr;
    }
    use(seen.words);
    give_up(key_of(seen.words));
    if (protecting == seen.debt) release(seen);
    return nullptr;
}

using part = void* (*)(void*);
constexpr std::uint64_t readers_fence = 1, writers_fence = 2;

void run(std::uint64_t phase, std::size_t readers, part first, part second, part third = nullptr) {
    world stage(phase, readers);
    const long one = __VERIFIER_thread_create(nullptr, first, nullptr);
    const long two = __VERIFIER_thread_create(nullptr, second, nullptr);
    if (third != nullptr) __VERIFIER_thread_join(__VERIFIER_thread_create(nullptr, third, nullptr));
    __VERIFIER_thread_join(one);
    __VERIFIER_thread_join(two);
}

}  // namespace

extern "C" {

void one_reads_one_stores() {
    run(readers_fence, 1, read<1>, store<1>);
}
void one_reads_one_stores_with_a_barrier() {
    run(writers_fence, 1, read<1>, store<1>);
}
void one_reads_twice_one_stores() {
    run(readers_fence, 1, read<2>, store<1>);
}
void one_reads_twice_one_stores_with_a_barrier() {
    run(writers_fence, 1, read<2>, store<1>);
}
void one_reads_one_stores_twice() {
    run(readers_fence, 1, read<1>, store<2>);
}
void one_keeps_an_owner() {
    run(readers_fence, 1, keep_an_owner, store<1>);
}
void one_keeps_an_owner_with_a_barrier() {
    run(writers_fence, 1, keep_an_owner, store<1>);
}
void two_read_one_stores() {
    run(readers_fence, 2, read<1>, read<1>, store<1>);
}
void one_reads_two_store() {
    run(readers_fence, 1, read<1>, store<1>, store<1>);
}
void one_reads_without_a_slot() {
    run(readers_fence, 0, read<1>, store<1>);
}
void two_store_what_they_expect() {
    run(readers_fence, 2, store_if_held, store_if_held);
}
void two_update() {
    run(readers_fence, 2, update, update);
}
}

}  // namespace freehold::model
