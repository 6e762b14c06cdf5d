// SPDX-License-Identifier: BSL-1.0
// cyclic_ptr: persons who know each other. Ownership forms cycles, so counting alone would never
// free them; the collector does. `person` is an aggregate, so its edges are found automatically.
#include <freehold/handle/cyclic_ptr.hpp>

#include "require.hpp"

#include <string>
#include <utility>
#include <vector>

namespace {

struct person {
    std::string name;
    std::vector<freehold::cyclic_ptr<person>> friends;
};

// A class with private members names its edges.
class club {
public:
    explicit club(freehold::cyclic_ptr<person> founder) : founder_(std::move(founder)) {}
    void trace(auto& visit) { visit(founder_); }

private:
    freehold::cyclic_ptr<person> founder_;
};

freehold::cyclic_ptr<person> make_person(const char* name) {
    auto made = freehold::make_cyclic<person>();
    made->name = name;
    return made;
}

void befriend(const freehold::cyclic_ptr<person>& a, const freehold::cyclic_ptr<person>& b) {
    a->friends.push_back(b);
    b->friends.push_back(a);
}

}  // namespace

int main() {
    std::puts("Ada, Grace and Barbara know each other; Tony only himself:");
    auto ada = make_person("Ada");
    freehold::weak_cyclic_ptr<person> barbara;
    {
        const auto grace = make_person("Grace");
        const auto b = make_person("Barbara");
        befriend(ada, grace);
        befriend(grace, b);
        barbara = b;
        const auto tony = make_person("Tony");
        befriend(tony, tony);
    }
    require(freehold::collect_cycles() == 1, "a collection frees Tony alone");
    require(barbara.lock()->name == "Barbara", "Barbara is reached through Grace, from Ada");

    std::puts("A club owns Ada, and nothing else does:");
    auto founded = freehold::make_cyclic<club>(std::exchange(ada, nullptr));
    require(freehold::collect_cycles() == 0, "a collection frees nobody");

    std::puts("The club is dissolved:");
    founded.reset();
    require(freehold::collect_cycles() == 3, "a collection frees the three that held each other");
    require(barbara.expired(), "Barbara's weak pointer knows");
}
