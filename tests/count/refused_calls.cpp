// SPDX-License-Identifier: BSL-1.0
// Runs with the system calls refused that are named: `refused_calls membarrier rseq madvise`. Exits
// with 0 if handles of all counts, atomic pointers and pools work on two threads all the same; with
// 77 if the system cannot refuse calls.
#include <freehold/freehold.hpp>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string_view>
#include <thread>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace {

struct call {
    const char* name;
    std::uint32_t number;
};
constexpr call calls[] = {
    {"membarrier", SYS_membarrier}, {"rseq", SYS_rseq}, {"madvise", SYS_madvise}};

// From here on the call ends with EPERM.
bool refuse(std::uint32_t number) {
    sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{static_cast<unsigned short>(std::size(steps)), steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

std::atomic<int> alive{0};
struct counted {
    counted() { ++alive; }
    ~counted() { --alive; }
    int value = 7;
};

// Copies and drops on another thread what this one made, while it does the same.
template <class Count>
bool counts() {
    constexpr int many = 10'000;
    {
        const auto owner = freehold::make_shared<counted, Count>();
        const freehold::weak_ptr<counted, Count> weak = owner;
        const auto copy_many_times = [](freehold::shared_ptr<counted, Count> mine) {
            for (int i = 0; i != many; ++i) const auto copy = mine;
        };
        std::thread other(copy_many_times, owner);
        copy_many_times(owner);
        other.join();
        if (owner.use_count() != 1 || weak.lock() != owner) return false;
    }
    return alive == 0;
}

// The same with an object that is shared out, if the system allows it, and gathered while the other
// thread copies. That thread also releases an owner that it was given.
bool sharded_counts_work(bool may_share_out) {
    {
        const auto owner = freehold::make_shared<counted, freehold::sharded_count>();
        const auto copy_many_times = [&owner] {
            for (int i = 0; i != 1'000; ++i) const auto copy = owner;
        };
        for (int round = 0; round != 20; ++round) {
            std::thread other;
            {
                const freehold::anchor kept(owner);
                if (kept.is_shared_out() && !may_share_out) return false;
                other = std::thread([copy_many_times, given = owner] { copy_many_times(); });
                copy_many_times();
            }
            other.join();
            if (owner.use_count() != 1) return false;
        }
    }
    return alive == 0;
}

bool atomic_pointers_with_sharded_counts_work() {
    {
        freehold::atomic_arc<counted, freehold::sharded_count> place(
            freehold::make_arc<counted, freehold::sharded_count>());
        int seen = 0;
        std::thread reader([&] {
            for (int i = 0; i != 2'000; ++i) seen += place.load()->value;
        });
        for (int i = 0; i != 200; ++i)
            place.store(freehold::make_arc<counted, freehold::sharded_count>());
        reader.join();
        if (seen != 7 * 2'000) return false;
    }
    return alive == 0;
}

bool atomic_pointers_work() {
    constexpr int many = 2'000;
    {
        freehold::atomic_arc<counted> place(freehold::make_arc<counted>());
        int seen = 0;
        std::thread reader([&] {
            for (int i = 0; i != many; ++i) seen += place.snapshot()->value;
        });
        // Kept, so that none dies on the reader, which does not count them.
        std::vector<freehold::arc<counted>> former;
        for (int i = 0; i != many; ++i)
            former.push_back(place.exchange(freehold::make_arc<counted>()));
        reader.join();
        if (seen != 7 * many) return false;
    }
    return alive == 0;
}

bool pools_work() {
    freehold::pool pool({.block_size = 4096, .prefault = true});
    std::vector<void*> blocks;
    for (int i = 0; i != 500; ++i) blocks.push_back(std::memset(pool.allocate(), i, 4096));
    std::thread([&] {
        for (void* each : blocks) pool.deallocate(each);
    }).join();
    freehold::page_resource pages({.huge = freehold::huge_pages::transparent});
    constexpr std::size_t size = std::size_t{4} << 20;
    void* const region = pages.allocate(size);
    std::memset(region, 1, size);
    pages.deallocate(region, size);
    return pages.statistics().mapped_bytes == 0;
}

}  // namespace

int main(int argc, char** argv) {
    bool may_share_out = true;
    for (int i = 1; i < argc; ++i) {
        const std::string_view named = argv[i];
        if (named == "membarrier" || named == "rseq") may_share_out = false;
        for (const call& each : calls) {
            if (named == each.name && !refuse(each.number)) return 77;
        }
    }
    const struct {
        const char* what;
        bool works;
    } answers[] = {
        {"atomic_count", counts<freehold::atomic_count>()},
        {"biased_count", counts<freehold::biased_count>()},
        {"sharded_count", sharded_counts_work(may_share_out)},
        {"atomic pointers", atomic_pointers_work()},
        {"atomic pointers, sharded", atomic_pointers_with_sharded_counts_work()},
        {"pools", pools_work()},
    };
    int failures = 0;
    for (const auto& each : answers) {
        if (each.works) continue;
        std::printf("%s: wrong\n", each.what);
        ++failures;
    }
    return failures;
}
