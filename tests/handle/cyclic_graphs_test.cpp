// SPDX-License-Identifier: BSL-1.0
// cyclic_ptr against an oracle: random programs build, rewire and drop graphs, and collect in
// slices and whole; a model of the same graph says what is reachable from outside. Nothing
// reachable is ever destroyed; after a whole collection nothing else is left; every object is
// destroyed once; weak pointers agree.
#include <freehold/handle/cyclic_ptr.hpp>

#include <cstddef>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace freehold::cyclic_graphs_test {
namespace {

class world;

struct node {
    node(world& its_world, std::size_t its_id) : home(its_world), id(its_id) {}
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    ~node();

    template <class Visitor>
    void trace(Visitor&& visit) {
        visit(first, second);
        visit(many);
    }

    world& home;
    std::size_t id;
    cyclic_ptr<node> first, second;
    std::vector<cyclic_ptr<node>> many;
};

// How the destructors of a world's objects behave.
struct habits {
    bool follow_edges = false;  // read what their edges lead to
    bool drop_others = false;   // let go of a handle of the world's
    bool make_objects = false;  // leave new garbage behind, rings among it
    bool steal_containers =
        false;  // rewiring moves whole containers: exactness is not promised then, safety is
};

class world {
public:
    world(unsigned seed, habits how) : random_(seed), how_(how) {}
    ~world() {
        // Destructors still look for handles to drop.
        static_cast<void>(std::vector<cyclic_ptr<node>>(std::move(outside_)));
        outside_.clear();
        // Makes candidates of all: also of what a moved container has hidden.
        for (const auto& each : weak_) static_cast<void>(each.lock());
        collect_cycles();
    }

    void step() {
        switch (random_() % 16) {
            case 0:
            case 1:
            case 2:
                outside_.push_back(make());
                break;
            case 3:  // adopted instead of made in place
                outside_.push_back(cyclic_ptr<node>(new node(*this, next_id())));
                remember(outside_.back());
                break;
            case 4:
            case 5:
                if (node* const from = any()) slot(*from) = any_outside();
                break;
            case 6:
                if (node* const from = any()) from->many.push_back(any_outside());
                break;
            case 7:  // into the graph by a move
                if (node* const from = any()) slot(*from) = std::move(any_outside_slot());
                break;
            case 8:  // out of the graph by a move
                if (node* const from = any()) outside_.push_back(std::move(slot(*from)));
                break;
            case 9:
                if (node* const from = any()) slot(*from).reset();
                break;
            case 10:
                if (node* const from = any()) slot(*from).swap(any_outside_slot());
                break;
            case 11:
            case 12:
                if (!outside_.empty()) {
                    any_outside_slot().reset();
                }
                break;
            case 13:
                if (node* const from = any(); from && !from->many.empty()) from->many.pop_back();
                break;
            case 14:
                if (!weak_.empty()) {
                    if (auto locked = weak_[random_() % weak_.size()].lock())
                        outside_.push_back(std::move(locked));
                }
                break;
            case 15:
                if (how_.steal_containers) {
                    node* const a = any();
                    node* const b = any();
                    if (a && b) a->many.swap(b->many);
                } else if (node* const from = any()) {
                    outside_.push_back(from->first);
                }
                break;
        }
        if (outside_.size() > 12) {
            any_outside_slot().swap(outside_.back());
            outside_.pop_back();
        }
    }

    // Objects reachable from outside, found by following the handles themselves.
    std::vector<char> reachable() const {
        std::vector<char> seen(alive_.size());
        std::vector<const node*> work;
        const auto reach = [&](const cyclic_ptr<node>& p) {
            if (p && !seen[p->id]) {
                seen[p->id] = true;
                work.push_back(p.get());
            }
        };
        for (const auto& p : outside_) reach(p);
        while (!work.empty()) {
            const node& n = *work.back();
            work.pop_back();
            reach(n.first);
            reach(n.second);
            for (const auto& p : n.many) reach(p);
        }
        return seen;
    }

    void expect_reachable_alive() const {
        const auto seen = reachable();
        for (std::size_t id = 0; id < seen.size(); ++id) {
            if (seen[id] && !alive_[id]) FAIL() << id << " was destroyed while it could be reached";
            if (weak_[id].expired() == bool(alive_[id]))
                FAIL() << "a weak reference to " << id << " is wrong";
        }
    }
    void expect_only_reachable_alive() const {
        const auto seen = reachable();
        for (std::size_t id = 0; id < seen.size(); ++id) {
            ASSERT_EQ(alive_[id], seen[id]) << "object " << id;
            ASSERT_EQ(weak_[id].lock() != nullptr, seen[id]);
        }
    }

    void died(node& n) {
        ASSERT_TRUE(alive_[n.id]) << "destroyed twice";
        ASSERT_TRUE(weak_[n.id].expired());
        alive_[n.id] = false;
        if (how_.follow_edges) {
            const auto visit = [&](const cyclic_ptr<node>& edge) {
                if (edge) {
                    ASSERT_TRUE(alive_[edge->id]);
                }
            };
            visit(n.first);
            visit(n.second);
            for (const auto& edge : n.many) visit(edge);
        }
        if (how_.drop_others && random_() % 4 == 0 && !outside_.empty()) any_outside_slot().reset();
        if (how_.make_objects && random_() % 8 == 0) {
            auto one = make();
            auto other = make();
            one->first = other;
            other->first = one;
            other->second = n.first;
        }
        ASSERT_EQ(collect_cycles(), 0U) << "a collection within a destructor";
    }

    unsigned random() { return static_cast<unsigned>(random_()); }

private:
    std::size_t next_id() {
        alive_.push_back(true);
        weak_.emplace_back();
        return alive_.size() - 1;
    }
    void remember(const cyclic_ptr<node>& made) { weak_[made->id] = made; }
    cyclic_ptr<node> make() {
        auto made = make_cyclic<node>(*this, next_id());
        remember(made);
        return made;
    }

    // An object that the program can reach, some edges away from outside.
    node* any() {
        if (outside_.empty()) return nullptr;
        node* n = any_outside_slot().get();
        for (unsigned far = random_() % 4; n && far != 0; --far) {
            if (node* const next = slot(*n).get()) n = next;
        }
        return n;
    }
    cyclic_ptr<node>& slot(node& n) {
        switch (random_() % 3) {
            case 0:
                return n.first;
            case 1:
                return n.second;
            default:
                return n.many.empty() ? n.first : n.many[random_() % n.many.size()];
        }
    }
    cyclic_ptr<node>& any_outside_slot() {
        if (outside_.empty()) outside_.emplace_back();
        return outside_[random_() % outside_.size()];
    }
    cyclic_ptr<node> any_outside() { return any_outside_slot(); }

    std::mt19937 random_;
    habits how_;
    std::vector<char> alive_;
    std::vector<weak_cyclic_ptr<node>> weak_;
    std::vector<cyclic_ptr<node>> outside_;
};

node::~node() {
    home.died(*this);
}

void run(unsigned first_seed, unsigned worlds, habits how, int steps = 200) {
    for (unsigned seed = first_seed; seed < first_seed + worlds; ++seed) {
        SCOPED_TRACE(seed);
        const std::size_t before = current_cycle_statistics().objects;
        {
            world w(seed, how);
            for (int i = 0; i < steps; ++i) {
                w.step();
                const unsigned chance = w.random() % 64;
                if (chance < 8) {
                    collect_cycles(std::size_t{1} + chance);
                    w.expect_reachable_alive();
                } else if (chance == 8) {
                    collect_cycles();
                    if (how.steal_containers) {
                        w.expect_reachable_alive();
                    } else {
                        w.expect_only_reachable_alive();
                    }
                }
                if (testing::Test::HasFatalFailure()) return;
            }
            // What is left over is found by slices alone, in the end.
            if (!how.steal_containers && !how.make_objects && seed % 2 == 0) {
                for (int i = 0; i < 2000; ++i) collect_cycles(std::size_t{16});
                w.expect_only_reachable_alive();
            }
        }
        ASSERT_EQ(current_cycle_statistics().objects, before);
    }
}

TEST(a_graph_of_cyclic_ptrs, loses_exactly_what_cannot_be_reached) {
    run(1, 2000, {});
}

TEST(a_graph_of_cyclic_ptrs, loses_nothing_else_while_collections_run_by_themselves) {
    run(5'001, 5, {.follow_edges = true}, 20'000);
}

TEST(a_graph_of_cyclic_ptrs, lets_destructors_follow_edges) {
    run(10'001, 1000, {.follow_edges = true});
}

TEST(a_graph_of_cyclic_ptrs, lets_destructors_drop_other_handles) {
    run(20'001, 1000, {.follow_edges = true, .drop_others = true});
}

TEST(a_graph_of_cyclic_ptrs, lets_destructors_make_objects_and_rings) {
    run(30'001, 1000, {.follow_edges = true, .drop_others = true, .make_objects = true});
}

TEST(a_graph_of_cyclic_ptrs, is_safe_when_whole_containers_are_moved) {
    run(40'001, 1000, {.follow_edges = true, .steal_containers = true});
}

}  // namespace
}  // namespace freehold::cyclic_graphs_test
