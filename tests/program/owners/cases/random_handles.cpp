// SPDX-License-Identifier: BSL-1.0
// Random graphs of owners, many in one process, with each of Freehold's handles. It drops most of
// their roots, and prints what is true of each type, as `TYPE ALIVE LEAKED OWNERS WEAK`, and then
// "end":
//
//     random_handles SEED GRAPHS [wait]
//
// It ends without destructors, so that its end shows what was there before. `wait` reads a line
// first. `SEED` makes the same graphs again.
#include "freehold_kinds.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

// All objects that are alive, and how often each owns each: the truth, without a handle. Its
// pointers are as the handles are, and own nothing.
struct facts {
    const char* type;
    std::map<void*, int> owned;
    int weak = 0;
    int owners = 0;
    bool is_reached = false;
};
static auto& alive = *new std::map<void*, facts>;

class known {
public:
    known(void* object, const char* type) : object_(object) { alive[object].type = type; }
    known(const known&) = delete;
    known& operator=(const known&) = delete;
    ~known() { alive.erase(object_); }

private:
    void* object_;
};

template <class Kind>
struct first;
template <class Kind>
struct second;
template <class Kind>
struct third;
template <class Kind>
struct part {
    typename Kind::template handle<first<Kind>> inside;
    std::unique_ptr<part> next;
};

template <class Kind>
struct first : Kind::template base<first<Kind>> {
    typename Kind::template handle<second<Kind>> several[3];
    std::vector<typename Kind::template handle<first>> elements;
    typename Kind::template weak<third<Kind>> seen;
    long unused[3] = {};
    known is{this, "first"};
};
template <class Kind>
struct second : Kind::template base<second<Kind>> {
    std::map<int, typename Kind::template handle<third<Kind>>> by_number;
    std::optional<typename Kind::template handle<first<Kind>>> perhaps;
    std::function<void()> call;
    long unused[11] = {};
    known is{this, "second"};
};
template <class Kind>
struct third : Kind::template base<third<Kind>> {
    typename Kind::template handle<third> next;
    std::list<typename Kind::template handle<second<Kind>>> nodes;
    std::unique_ptr<part<Kind>> parts;
    long unused[7] = {};
    known is{this, "third"};
};

// cyclic_ptr asks for edges. Those that are not named only make its collections find less.
template <class Kind>
void trace(first<Kind>& object, auto& visit) {
    visit(object.elements);
}
template <class Kind>
void trace(second<Kind>&, auto&) {}
template <class Kind>
void trace(third<Kind>& object, auto& visit) {
    visit(object.next);
}

template <class Kind>
struct graph {
    template <class T>
    using handle = typename Kind::template handle<T>;
    using a = first<Kind>;
    using b = second<Kind>;
    using c = third<Kind>;

    struct kept {
        std::vector<handle<a>> firsts;
        std::vector<handle<b>> seconds;
        std::vector<handle<c>> thirds;
    };
    static inline kept& roots = *new kept;

    template <class T, class U>
    static void own(T& owner, const handle<U>& owned) {
        ++alive[&owner].owned[owned.get()];
    }
    template <class T, class U>
    static void disown(T& owner, const handle<U>& owned) {
        if (owned && --alive[&owner].owned[owned.get()] == 0)
            alive[&owner].owned.erase(owned.get());
    }

    [[gnu::noinline]] static void build(std::mt19937& random) {
        const auto below = [&random](std::size_t end) { return random() % end; };
        kept all;
        for (std::size_t i = 1 + below(8); i != 0; --i)
            all.firsts.push_back(Kind::template make<a>());
        for (std::size_t i = 1 + below(8); i != 0; --i)
            all.seconds.push_back(Kind::template make<b>());
        for (std::size_t i = 1 + below(8); i != 0; --i)
            all.thirds.push_back(Kind::template make<c>());
        const auto any = [&below](const auto& of) -> const auto& {
            return of[below(of.size())];
        };
        for (std::size_t i = below(60); i != 0; --i) {
            const handle<a>& x = any(all.firsts);
            const handle<b>& y = any(all.seconds);
            const handle<c>& z = any(all.thirds);
            switch (below(9)) {
                case 0: {
                    auto& place = x->several[below(3)];
                    disown(*x, place);
                    place = y;
                    own(*x, y);
                    break;
                }
                case 1:
                    own(*x, x->elements.emplace_back(any(all.firsts)));
                    break;
                case 2:
                    if (y->by_number.emplace(static_cast<int>(below(1000)), z).second) own(*y, z);
                    break;
                case 3:
                    if (y->perhaps) disown(*y, *y->perhaps);
                    y->perhaps = x;
                    own(*y, x);
                    break;
                case 4:
                    if (y->call) break;
                    y->call = [x, number = 7] {
                        std::printf("%p %d\n", static_cast<void*>(x.get()), number);
                    };
                    own(*y, x);
                    break;
                case 5:
                    disown(*z, z->next);
                    z->next = any(all.thirds);
                    own(*z, z->next);
                    break;
                case 6:
                    own(*z, z->nodes.emplace_back(y));
                    break;
                case 7: {
                    auto added = std::make_unique<part<Kind>>();
                    added->inside = x;
                    added->next = std::move(z->parts);
                    z->parts = std::move(added);
                    own(*z, x);
                    break;
                }
                default:
                    // The handle's words stay in the vector's memory.
                    if (x->elements.empty()) break;
                    disown(*x, x->elements.back());
                    x->elements.pop_back();
                    break;
            }
        }
        if constexpr (!std::is_same_v<typename Kind::template weak<c>, nothing>)
            for (const auto& each : all.firsts) each->seen = any(all.thirds);
        const std::size_t rarity = 2 + below(12);
        for (const auto& each : all.firsts)
            if (below(rarity) == 0) roots.firsts.push_back(each);
        for (const auto& each : all.seconds)
            if (below(rarity) == 0) roots.seconds.push_back(each);
        for (const auto& each : all.thirds)
            if (below(rarity) == 0) roots.thirds.push_back(each);
    }

    static void tell(const char* kind) {
        std::vector<void*> open;
        const auto add = [&open](const auto& handles) {
            for (const auto& each : handles) {
                ++alive[each.get()].owners;
                open.push_back(each.get());
            }
        };
        add(roots.firsts);
        add(roots.seconds);
        add(roots.thirds);
        for (const auto& [object, of] : alive) {
            for (const auto& [owned, times] : of.owned) alive[owned].owners += times;
            if constexpr (!std::is_same_v<typename Kind::template weak<c>, nothing>)
                if (of.type == std::string("first"))
                    if (const auto seen = static_cast<a*>(object)->seen.lock())
                        ++alive[seen.get()].weak;
        }
        while (!open.empty()) {
            facts& at = alive[open.back()];
            open.pop_back();
            if (std::exchange(at.is_reached, true)) continue;
            for (const auto& [owned, times] : at.owned) open.push_back(owned);
        }
        struct sums {
            int alive = 0;
            int leaked = 0;
            int owners = 0;
            int weak = 0;
        };
        std::map<std::string, sums> truth;
        for (const auto& [object, of] : alive) {
            sums& sum = truth[of.type];
            ++sum.alive;
            sum.leaked += of.is_reached ? 0 : 1;
            sum.owners += of.owners;
            sum.weak += of.weak;
        }
        for (const auto& [type, sum] : truth)
            std::printf("%s<%s> %d %d %d %d\n", type.c_str(), kind, sum.alive, sum.leaked,
                        sum.owners, sum.weak);
    }
};

template <class Kind>
static void run(const char* kind, unsigned seed, int graphs) {
    std::mt19937 random(seed);
    for (int i = 0; i != graphs; ++i) graph<Kind>::build(random);
    graph<Kind>::tell(kind);
    alive.clear();
}

int main(int argc, char** argv) {
    const auto seed = static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 1);
    const int graphs = argc > 2 ? std::atoi(argv[2]) : 10;
    freehold::set_automatic_cycle_collection(false);
#define RUN(name, kind) run<name>(#name, seed, graphs);
    EACH_KIND(RUN)
    std::puts("end");
    std::fflush(stdout);
    if (argc > 3) std::getchar();
    std::_Exit(0);
}
