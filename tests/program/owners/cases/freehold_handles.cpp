// SPDX-License-Identifier: BSL-1.0
// Each of Freehold's handles with each of its counts, held in the same ways: rings, trees whose
// children own them, closures, a vector, a thread_local, and a static map. It prints what is true
// of each type, as `TYPE ALIVE LEAKED OWNERS WEAK`, and then "end":
//
//     freehold_handles [wait]
//
// Without `wait` it tells the truth of its end, where the static map and the thread_local are gone.
#include "freehold_kinds.hpp"

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

template <class Kind>
struct ring : Kind::template base<ring<Kind>> {
    typename Kind::template handle<ring> next;
    std::string name = "a name that is too long for the object itself";
};
template <class Kind>
struct child;
template <class Kind>
struct tree : Kind::template base<tree<Kind>> {
    std::vector<typename Kind::template handle<child<Kind>>> children;
};
template <class Kind>
struct child : Kind::template base<child<Kind>> {
    typename Kind::template handle<tree<Kind>> parent;
    long number = 0;
};
template <class Kind>
struct session : Kind::template base<session<Kind>> {
    std::function<void()> on_close;
    long numbers[4] = {};
};
template <class Kind>
struct leaf;
template <class Kind>
struct healthy : Kind::template base<healthy<Kind>> {
    std::vector<typename Kind::template handle<leaf<Kind>>> children;
    long numbers[6] = {};
};
template <class Kind>
struct leaf : Kind::template base<leaf<Kind>> {
    typename Kind::template weak<healthy<Kind>> parent;
    long numbers[9] = {};
};
template <class Kind>
struct entry : Kind::template base<entry<Kind>> {
    std::string text = "an entry";
    long numbers[10] = {};
};
template <class Kind>
struct in_thread : Kind::template base<in_thread<Kind>> {
    std::string text = "of a thread";
    long numbers[12] = {};
};

// cyclic_ptr asks for the edges of classes that are no aggregates, and of those with bases.
template <class Kind>
void trace(ring<Kind>& object, auto& visit) {
    visit(object.next);
}
template <class Kind>
void trace(tree<Kind>& object, auto& visit) {
    visit(object.children);
}
template <class Kind>
void trace(child<Kind>& object, auto& visit) {
    visit(object.parent);
}
template <class Kind>
void trace(session<Kind>&, auto&) {}
template <class Kind>
void trace(healthy<Kind>& object, auto& visit) {
    visit(object.children);
}
template <class Kind>
void trace(leaf<Kind>&, auto&) {}
template <class Kind>
void trace(entry<Kind>&, auto&) {}
template <class Kind>
void trace(in_thread<Kind>&, auto&) {}

template <class Kind>
using vector_of_healthy = std::vector<typename Kind::template handle<healthy<Kind>>>;
template <class Kind>
static vector_of_healthy<Kind>* const kept = new vector_of_healthy<Kind>;
template <class Kind>
static std::map<int, typename Kind::template handle<entry<Kind>>> table;
template <class Kind>
static auto& mine() {
    static thread_local typename Kind::template handle<in_thread<Kind>> handle;
    return handle;
}

template <class Kind>
[[gnu::noinline]] static void build() {
    constexpr bool has_weak = !std::is_same_v<typename Kind::template weak<ring<Kind>>, nothing>;
    for (int i = 0; i != 40; ++i) {
        auto first = Kind::template make<ring<Kind>>();
        first->next = Kind::template make<ring<Kind>>();
        first->next->next = first;
        // These end at once, and their memory still looks as if they lived.
        auto gone = Kind::template make<ring<Kind>>();
        gone->next = first;
    }
    for (int i = 0; i != 30; ++i) {
        auto made = Kind::template make<tree<Kind>>();
        for (int k = 0; k != 3; ++k) {
            made->children.push_back(Kind::template make<child<Kind>>());
            made->children.back()->parent = made;
        }
    }
    for (int i = 0; i != 20; ++i) {
        auto made = Kind::template make<session<Kind>>();
        made->on_close = [self = made] { std::printf("%p\n", static_cast<void*>(self.get())); };
    }
    for (int i = 0; i != 25; ++i) {
        auto made = Kind::template make<healthy<Kind>>();
        for (int k = 0; k != 2; ++k) {
            made->children.push_back(Kind::template make<leaf<Kind>>());
            if constexpr (has_weak) made->children.back()->parent = made;
        }
        kept<Kind>->push_back(made);
    }
    for (int i = 0; i != 10; ++i) table<Kind>[i] = Kind::template make<entry<Kind>>();
    mine<Kind>() = Kind::template make<in_thread<Kind>>();
}

template <class Kind>
static void tell(const char* kind, bool is_at_end) {
    constexpr bool has_weak = !std::is_same_v<typename Kind::template weak<ring<Kind>>, nothing>;
    // The end of a thread collects rings of cyclic_ptr whose edges are known.
    constexpr bool collects = std::is_base_of_v<cyclic_kind, Kind>;
    const auto line = [kind](const char* type, int alive, int leaked, int owners, int weak) {
        std::printf("%s<%s> %d %d %d %d\n", type, kind, alive, leaked, owners, weak);
    };
    if (!collects || !is_at_end) {
        line("ring", 80, 80, 80, 0);
        line("tree", 30, 30, 90, 0);
        line("child", 90, 90, 90, 0);
    }
    line("session", 20, 20, 20, 0);
    line("healthy", 25, 0, 25, has_weak ? 50 : 0);
    line("leaf", 50, 0, 50, 0);
    if (is_at_end) return;
    line("entry", 10, 0, 10, 0);
    line("in_thread", 1, 0, 1, 0);
}

int main(int argc, char**) {
    const bool waits = argc > 1;
    freehold::set_automatic_cycle_collection(false);
#define BUILD(name, kind) build<name>();
    EACH_KIND(BUILD)
#define TELL(name, kind) tell<name>(#name, !waits);
    EACH_KIND(TELL)
    std::puts("end");
    std::fflush(stdout);
    if (waits) std::getchar();
}
