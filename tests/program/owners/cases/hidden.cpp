// SPDX-License-Identifier: BSL-1.0
// Objects that are held in ways that are easily overlooked. Nothing leaks but 3 rings of `pooled`,
// and one ring of `holder_of_part` with its part and what that keeps.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>
#include <vector>

#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

struct session {
    void* back = nullptr;  // to what holds it
};
// Only epoll knows where it is.
struct connection {
    std::shared_ptr<session> own = std::make_shared<session>();
};

struct pooled {
    std::shared_ptr<pooled> next;
};
struct kept {
    int number = 0;
};

// All objects are in one chunk of the heap, the first of them at its start.
struct part {
    std::shared_ptr<kept> own = std::make_shared<kept>();
    static void* operator new(std::size_t size) {
        static char* next = static_cast<char*>(std::malloc(4096));
        return std::exchange(next, next + size);
    }
    static void operator delete(void*) {}
};
struct holder_of_part {
    std::unique_ptr<part> first;
    std::shared_ptr<holder_of_part> self;
};

// In memory that can no longer be written.
struct sealed {
    std::shared_ptr<kept> own;
};

struct tagged {
    int number = 0;
};

static std::pmr::monotonic_buffer_resource* pool = nullptr;
static std::vector<std::shared_ptr<pooled>>* kept_of_pool = nullptr;
static std::vector<part*>* parts = nullptr;
static sealed* memory = nullptr;
static unsigned long marked = 0;

static void __attribute__((noinline)) build() {
    const int watched = ::epoll_create1(EPOLL_CLOEXEC);
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    auto* const only_there = new connection;
    only_there->own->back = only_there;
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = only_there;
    if (::epoll_ctl(watched, EPOLL_CTL_ADD, ends[0], &event) != 0) std::abort();

    pool = new std::pmr::monotonic_buffer_resource(1 << 14);
    kept_of_pool = new std::vector<std::shared_ptr<pooled>>;
    const std::pmr::polymorphic_allocator<pooled> allocator(pool);
    for (int i = 0; i != 10; ++i) {
        auto one = std::allocate_shared<pooled>(allocator);
        if (i < 3)
            one->next = one;
        else
            kept_of_pool->push_back(one);
    }

    parts = new std::vector<part*>;
    auto ring = std::make_shared<holder_of_part>();
    ring->first.reset(new part);
    for (int i = 0; i != 5; ++i) parts->push_back(new part);
    ring->self = ring;

    void* const page =
        ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory = ::new (page) sealed{std::make_shared<kept>()};
    ::mprotect(page, 4096, PROT_READ);

    alignas(std::shared_ptr<tagged>) unsigned char place[sizeof(std::shared_ptr<tagged>)];
    ::new (place) std::shared_ptr<tagged>(std::make_shared<tagged>());
    // The mark is in a bit that addresses do not use.
    marked = reinterpret_cast<unsigned long*>(place)[1] | 1;
}

int main() {
    build();
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
    return marked == 0 ? 1 : 0;
}
