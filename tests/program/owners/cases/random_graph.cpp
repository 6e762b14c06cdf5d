// SPDX-License-Identifier: BSL-1.0
// Makes random graphs of owners, drops most of their roots, and prints for each type how many
// objects are alive and how many of them no root reaches, and then "end":
//
//     random_graph SEED GRAPHS [wait]
//
// Objects own one another by members, containers, unique_ptr, variants, and closures in
// std::function. With `wait` it then reads a line, so that it can be looked at. Its roots live on
// to its end.
#include <algorithm>
#include <any>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#ifndef HANDLES
#define HANDLES std
#endif
#ifdef HEADER
#include HEADER
#endif

struct base;
using handle = HANDLES::shared_ptr<base>;

// All objects that are alive, and what each owns: the truth, without a handle.
struct facts {
    const char* type;
    std::multiset<base*> owned;
};
static std::map<base*, facts>& alive() {
    static auto* const all = new std::map<base*, facts>;
    return *all;
}

struct base {
    explicit base(const char* type) { alive()[this].type = type; }
    base(const base&) = delete;
    base& operator=(const base&) = delete;
    virtual ~base() { alive().erase(this); }
    virtual void own(const handle& other, unsigned way) = 0;
};

struct with_members : base {
    with_members() : base("with_members") {}
    void own(const handle& other, unsigned way) override {
        handle& place = way % 3 == 0 ? first : way % 3 == 1 ? inner.second : several[way % 4];
        if (place) alive()[this].owned.erase(alive()[this].owned.find(place.get()));
        place = other;
        alive()[this].owned.insert(other.get());
    }
    handle first;
    std::pair<int, handle> inner;
    handle several[4];
    HANDLES::weak_ptr<base> seen;
};

struct with_containers : base, HANDLES::enable_shared_from_this<with_containers> {
    with_containers() : base("with_containers") {}
    void own(const handle& other, unsigned way) override {
        switch (way % 8) {
            case 0:
                elements.push_back(other);
                break;
            case 1:
                nodes.push_back(other);
                break;
            case 2:
                if (!by_name.emplace(std::to_string(way), other).second) return;
                break;
            case 3:
                if (!by_number.emplace(way, other).second) return;
                break;
            case 4:
                queue.push_front(other);
                break;
            case 5:
                if (perhaps) return;
                perhaps = other;
                break;
            case 6:
                nested.push_back({other, other});
                alive()[this].owned.insert(other.get());
                break;
            default:
                if (!sorted.insert(other).second) return;
                break;
        }
        alive()[this].owned.insert(other.get());
    }
    void drop_one() {
        // The handle's words stay in the vector's memory.
        if (elements.empty()) return;
        alive()[this].owned.erase(alive()[this].owned.find(elements.back().get()));
        elements.pop_back();
    }
    std::vector<handle> elements;
    std::list<handle> nodes;
    std::map<std::string, handle> by_name;
    std::unordered_map<unsigned, handle> by_number;
    std::deque<handle> queue;
    std::optional<handle> perhaps;
    std::vector<std::vector<handle>> nested;
    std::set<handle> sorted;
};

struct with_closure : base {
    with_closure() : base("with_closure") {}
    void own(const handle& other, unsigned) override {
        if (call) return;
        call = [other, number = 7] {
            std::printf("%p %d\n", static_cast<void*>(other.get()), number);
        };
        alive()[this].owned.insert(other.get());
    }
    std::function<void()> call;
};

struct with_choices : base {
    with_choices() : base("with_choices") {}
    void own(const handle& other, unsigned way) override {
        std::any& value = values[way % 2];
        if (way % 4 < 2) {
            if (choice.index() == 2) return;
            if (handle* const before = std::get_if<1>(&choice))
                alive()[this].owned.erase(alive()[this].owned.find(before->get()));
            // The words of a handle stay behind a number.
            choice = way % 3 == 0   ? std::variant<int, handle, inner>(static_cast<int>(way))
                     : way % 3 == 1 ? std::variant<int, handle, inner>(other)
                                    : std::variant<int, handle, inner>(inner{"", {other}});
            if (way % 3 == 0) return;
        } else {
            if (value.has_value()) return;
            if (way % 4 == 2)
                value = other;
            else
                value = inner{std::to_string(way), {other}};
        }
        alive()[this].owned.insert(other.get());
    }
    struct inner {
        std::string name;
        std::vector<handle> several;
    };
    std::variant<int, handle, inner> choice;
    std::any values[2];
};

struct part {
    handle inside;
    std::unique_ptr<handle[]> several;
    std::unique_ptr<part> next;
};
struct with_parts : base {
    with_parts() : base("with_parts") {}
    void own(const handle& other, unsigned way) override {
        auto added = std::make_unique<part>();
        if (way % 3 == 0) {
            added->several = std::make_unique<handle[]>(1 + way % 5);
            added->several[way % 2 == 0 ? 0 : way % 5] = other;
        } else {
            added->inside = other;
        }
        added->next = std::move(parts);
        parts = std::move(added);
        alive()[this].owned.insert(other.get());
    }
    std::unique_ptr<part> parts;
};

static std::vector<handle>* roots = new std::vector<handle>;

// Nothing of it stays in the frames of main.
static void __attribute__((noinline)) build(unsigned seed) {
    std::mt19937 random(seed);
    const unsigned count = 5 + random() % 120;
    std::vector<handle> all;
    for (unsigned i = 0; i != count; ++i) {
        const bool apart = random() % 4 == 0;
        switch (random() % 5) {
            case 0:
                all.push_back(apart ? handle(new with_members)
                                    : HANDLES::make_shared<with_members>());
                break;
            case 1:
                all.push_back(apart ? handle(std::make_unique<with_containers>())
                                    : HANDLES::make_shared<with_containers>());
                break;
            case 2:
                all.push_back(apart ? handle(new with_closure)
                                    : HANDLES::make_shared<with_closure>());
                break;
            case 3:
                all.push_back(apart ? handle(new with_choices)
                                    : HANDLES::make_shared<with_choices>());
                break;
            default:
                all.push_back(apart ? handle(new with_parts) : HANDLES::make_shared<with_parts>());
                break;
        }
    }
    const unsigned edges = count * (random() % 30) / 10;
    for (unsigned i = 0; i != edges; ++i)
        all[random() % count]->own(all[random() % count], random() % 1000);
    for (unsigned i = 0; i != count; ++i) {
        if (auto* const members = dynamic_cast<with_members*>(all[i].get()))
            members->seen = all[random() % count];
        if (auto* const containers = dynamic_cast<with_containers*>(all[i].get()))
            if (random() % 2 == 0) containers->drop_one();
    }
    const unsigned rarity = 2 + random() % 60;
    for (unsigned i = 0; i != count; ++i)
        if (random() % rarity == 0) roots->push_back(all[i]);
}

int main(int argc, char** argv) {
    const auto seed = static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 1);
    const auto graphs = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
    for (unsigned i = seed; i != seed + graphs; ++i)
        if (i % 2 == 0) {
            build(i);
        } else {
            std::thread(build, i).join();
        }
    std::set<base*> reached;
    std::vector<base*> open;
    for (const handle& each : *roots) open.push_back(each.get());
    while (!open.empty()) {
        base* const at = open.back();
        open.pop_back();
        if (!reached.insert(at).second) continue;
        for (base* const each : alive()[at].owned) open.push_back(each);
    }
    std::map<std::string, std::pair<int, int>> truth;
    for (const auto& [object, known] : alive()) {
        ++truth[known.type].first;
        if (reached.count(object) == 0) ++truth[known.type].second;
    }
    for (const auto& [type, numbers] : truth)
        std::printf("%s %d %d\n", type.c_str(), numbers.first, numbers.second);
    std::puts("end");
    std::fflush(stdout);
    if (argc > 3 && std::strcmp(argv[3], "wait") == 0) std::getchar();
}
