// SPDX-License-Identifier: BSL-1.0
#include "advise/allocator_process.hpp"

#include <freehold/memory/pages.hpp>

#include "advise/allocator_costs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory_resource>
#include <system_error>
#include <type_traits>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold {

namespace {

constexpr std::size_t groups = 64;
/// A group with fewer calls gives no result.
constexpr std::uint64_t enough = 16;

/// The group has the sizes between two powers of two, including the larger one.
std::size_t group_of(std::size_t size) {
    return static_cast<std::size_t>(std::bit_width(size - 1));
}

struct order {
    trace_spool::place spool;
    std::uint32_t process;
};

struct answer {
    std::size_t count = 0;
    std::array<allocation_cost, groups> costs{};
};

/// Returns false if the other end closes the socket before all bytes have arrived.
template <class T>
bool receive(int socket, T& into) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto* const bytes = reinterpret_cast<char*>(&into);
    for (std::size_t done = 0; done != sizeof(T);) {
        const auto got = ::recv(socket, bytes + done, sizeof(T) - done, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += static_cast<std::size_t>(got);
    }
    return true;
}

template <class T>
bool send(int socket, const T& what) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* const bytes = reinterpret_cast<const char*>(&what);
    for (std::size_t done = 0; done != sizeof(T);) {
        const auto sent = ::send(socket, bytes + done, sizeof(T) - done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        done += static_cast<std::size_t>(sent);
    }
    return true;
}

/// Plays a trace to the heap. Its own data is in pages that come directly from the system, outside
/// that heap.
class played_trace {
public:
    void play(const order& what) {
        const trace_spool spool(what.spool);
        trace_spool::cursor events(spool);
        for (trace_event event; events.next(event);) {
            if (event.process != what.process) continue;
            if (event.block >= blocks_.size()) blocks_.resize(event.block + std::size_t{1});
            if (event.what == trace_event::kind::allocate) {
                get(event, blocks_[event.block]);
            } else {
                put(blocks_[event.block]);
            }
        }
    }

    [[nodiscard]] answer costs() const {
        answer found;
        for (const group& each : groups_) {
            if (std::min(each.gets.calls, each.puts.calls) < enough) continue;
            found.costs[found.count++] = {
                static_cast<std::size_t>(each.bytes / static_cast<double>(each.requests)),
                each.gets.mean() + each.puts.mean() - 2 * clock_};
        }
        return found;
    }

private:
    struct timed_calls {
        double nanoseconds = 0;
        std::uint64_t calls = 0;

        /// A call that takes longer than any allocator was interrupted by another program. It is
        /// left out.
        void add(double taken, std::size_t size) {
            if (taken > 50e3 + 4e3 * static_cast<double>(size / page_to_touch)) return;
            nanoseconds += taken;
            ++calls;
        }
        [[nodiscard]] double mean() const { return nanoseconds / static_cast<double>(calls); }
    };
    struct group {
        timed_calls gets;
        timed_calls puts;
        std::uint64_t requests = 0;
        double bytes = 0;
    };
    struct block {
        std::byte* data = nullptr;
        std::size_t size = 0;
    };

    void get(const trace_event& event, block& into) {
        const auto size = static_cast<std::size_t>(std::max<std::uint64_t>(event.size, 1));
        const auto alignment = static_cast<std::size_t>(event.alignment);
        const bool is_timed = size >= page_to_touch;
        const auto begin = is_timed ? cost_clock::now() : cost_clock::time_point();
        void* got = nullptr;
        if (alignment <= alignof(std::max_align_t)) {
            got = std::malloc(size);
        } else if (::posix_memalign(&got, alignment, size) != 0) {
            got = nullptr;
        }
        if (got == nullptr) throw std::bad_alloc();
        into = {static_cast<std::byte*>(got), size};
        touch_pages(into.data, size);
        if (!is_timed) return;
        const auto allocated = cost_clock::now();
        touch_pages(into.data, size);
        const auto touched = cost_clock::now();
        const double cost = cost_ns((allocated - begin) - (touched - allocated)).count() + clock_;
        group& same = groups_[group_of(size)];
        ++same.requests;
        same.bytes += static_cast<double>(size);
        same.gets.add(cost, size);
    }

    void put(block& which) {
        const bool is_timed = which.size >= page_to_touch;
        const auto begin = is_timed ? cost_clock::now() : cost_clock::time_point();
        std::free(which.data);
        if (is_timed) {
            const double cost = cost_ns(cost_clock::now() - begin).count();
            groups_[group_of(which.size)].puts.add(cost, which.size);
        }
        which = {};
    }

    const double clock_ = cost_of_clock();
    page_resource pages_;
    std::pmr::vector<block> blocks_{&pages_};
    std::array<group, groups> groups_{};
};

/// Runs in the child. The child does not know what is open or locked in the parent, so it touches
/// none of it.
[[noreturn]] void play_and_answer(int socket) {
    order what{};
    if (!receive(socket, what)) ::_exit(0);
    try {
        played_trace trace;
        trace.play(what);
        send(socket, trace.costs());
    } catch (const std::exception&) {
        ::_exit(1);  // the parent finds no answer
    }
    ::_exit(0);
}

}  // namespace

allocator_process::allocator_process() {
    std::array<int, 2> sockets{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
    child_ = ::fork();
    if (child_ == 0) {
        ::close(sockets[0]);
        play_and_answer(sockets[1]);
    }
    const int error = errno;
    ::close(sockets[1]);
    socket_ = sockets[0];
    if (child_ < 0) {
        ::close(socket_);
        throw std::system_error(error, std::generic_category(), "fork");
    }
}

allocator_process::~allocator_process() {
    ::close(socket_);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::vector<allocation_cost> allocator_process::costs_of(const trace_spool& spool,
                                                         std::uint32_t process) {
    answer found;
    if (!send(socket_, order{spool.where(), process}) || !receive(socket_, found)) return {};
    return {found.costs.begin(), found.costs.begin() + static_cast<std::ptrdiff_t>(found.count)};
}

std::vector<allocation_cost> with_played(std::vector<allocation_cost> general,
                                         const std::vector<allocation_cost>& played) {
    const auto was_played = [&](const allocation_cost& each) {
        return std::any_of(played.begin(), played.end(), [&](const allocation_cost& other) {
            return group_of(other.size) == group_of(each.size);
        });
    };
    const double least = general.front().nanoseconds;
    general.erase(std::remove_if(general.begin(), general.end(), was_played), general.end());
    for (const allocation_cost& each : played)
        general.push_back({each.size, two_digits(std::max(each.nanoseconds, least))});
    std::sort(general.begin(), general.end(),
              [](const auto& one, const auto& other) { return one.size < other.size; });
    return general;
}

}  // namespace freehold
