// SPDX-License-Identifier: BSL-1.0
// Objects that count their own owners and have no virtual functions, and memory that looks like
// such objects: other objects of the same size, arrays, and what was freed. With an argument there
// are only the latter. BOOST takes Boost's handles. LIKE adds a class whose objects cannot be told
// from those of `node`.
#include "intrusive_handles.hpp"

#include <atomic>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

struct node : base<node> {
    intrusive<node> next;
    double number = 7;
};
struct leaf : base<leaf> {
    float beside_the_count = 1.5F;  // Boost's count takes half a word
    double weights[6] = {1, 2};
};
struct named {
    long name = 5;
};
// Its count is behind another base.
struct tree : named, base<tree> {
    std::vector<intrusive<leaf>> leaves;
    std::function<void()> call;
    long figures[10] = {};
};
struct in_shared : base<in_shared> {
    long figures[30] = {};
};
struct shares {
    std::shared_ptr<shares> self;
    intrusive<in_shared> held;
};
// A black node of a std::map<long, long> looks as one does that owns itself by what it holds.
struct holder;
struct like_tree_node : base<like_tree_node> {
    long figures[2] = {};
    std::unique_ptr<holder> held;
    long others[2] = {};
};
struct holder {
    long number = 1;
    intrusive<like_tree_node> object;
};
// Its handles are where such a node has those to its children.
struct like_inner_node : base<like_inner_node> {
    like_inner_node* seen = nullptr;
    intrusive<like_inner_node> several[2];
    long figures[2] = {};
};
// malloc gives whole pages for it.
struct large : base<large> {
    char bytes[300'000] = {};
};
// The program itself counts the owners of these.
struct own {
    intrusive<own> next;
    std::atomic<int> refs{0};
    long figures[16] = {};
    friend void intrusive_ptr_add_ref(own* of) { ++of->refs; }
    friend void intrusive_ptr_release(own* of) {
        if (--of->refs == 0) delete of;
    }
};
// The member's name says something else than what it is.
struct misnamed {
    int count = 1;
    int number = 0;  // of its owners
    long figures[20] = {};
    friend void intrusive_ptr_add_ref(misnamed* of) { ++of->number; }
    friend void intrusive_ptr_release(misnamed* of) {
        if (--of->number == 0) delete of;
    }
};
// Plain pointers lead to these.
struct owner {
    owner* next = nullptr;
    std::unique_ptr<owner> below;
    std::map<int, intrusive<leaf>> leaves;
};

static intrusive<node> head;
static std::vector<intrusive<tree>> trees;
static owner* owners;
static owner* array_of_owners;
static std::vector<intrusive<own>> kept;
static std::vector<intrusive<misnamed>> unknown;
static thread_local intrusive<leaf> of_thread;
static intrusive<leaf> in_array[3];
static std::vector<intrusive<large>> large_ones;
static std::vector<like_inner_node*> left_over;

// It looks as a leaf does whose count is 1.
struct looks_like_leaf {
    long number = 1;
    double weights[sizeof(leaf) / sizeof(double) - 1] = {1, 2};
};
static std::vector<looks_like_leaf*> others;
static void* where_leaves_were[50];
static std::vector<long> arrays[20];
static std::map<long, long> tree_nodes;
#ifdef LIKE
struct looks_like_node {
    long number = 1;
    looks_like_node* next = nullptr;
    double weight = 2;
};
struct like_with_void : base<like_with_void> {
    intrusive<like_with_void> next;
    long figures[20] = {};
};
struct with_void {
    long number = 1;
    void* next = nullptr;
    long figures[20] = {};
};
struct like_in_function : base<like_in_function> {
    intrusive<like_in_function> next;
    long figures[30] = {};
};
struct like_with_map : base<like_with_map> {
    std::map<int, intrusive<like_with_map>> others;
    long figures[40] = {};
};
struct with_map {
    long number = 1;
    std::map<int, with_map*> others;
    long figures[40] = {};
};
// The first may be the second, which has one handle more.
struct one_or_other : base<one_or_other> {
    intrusive<one_or_other> next;
    long figures[61] = {};
};
struct held_by_other : base<held_by_other> {
    long figures[80] = {};
};
struct other : base<other> {
    intrusive<other> next;
    intrusive<held_by_other> held;
    long figures[60] = {};
};
static intrusive<one_or_other> no_object;

template <class T>
static void make_rings() {
    for (int i = 0; i != 5; ++i) {
        intrusive<T> first(new T);
        first->next = new T;
        first->next->next = first;
    }
}
#endif

[[gnu::noinline]] static void build() {
    for (int i = 0; i != 100; ++i) {
        intrusive<node> first(new node);
        first->next = new node;
        first->next->next = first;
    }
    for (int i = 0; i != 10; ++i) {
        intrusive<node> made(new node);
        made->next = head;
        head = made;
    }
    for (int i = 0; i != 20; ++i) {
        intrusive<tree> made(new tree);
        for (int k = 0; k != 3; ++k) made->leaves.push_back(new leaf);
        made->leaves.push_back(made->leaves.front());
        made->call = [made] { std::printf("%ld\n", made->figures[0]); };
    }
    for (int i = 0; i != 5; ++i) {
        trees.push_back(new tree);
        trees.back()->leaves.push_back(new leaf);
    }
    for (int i = 0; i != 4; ++i) {
        auto* const made = new owner;
        made->below = std::make_unique<owner>();
        made->below->leaves[i] = new leaf;
        made->leaves[i] = made->below->leaves[i];
        made->next = owners;
        owners = made;
        auto shared = std::make_shared<shares>();
        shared->self = shared;
        shared->held = new in_shared;
        intrusive<like_tree_node> holds(new like_tree_node);
        holds->held = std::make_unique<holder>();
        holds->held->object = holds;
        large_ones.push_back(new large);
    }
    for (int i = 0; i != 30; ++i) {
        intrusive<own> first(new own);
        first->next = new own;
        first->next->next = first;
    }
    for (int i = 0; i != 5; ++i) {
        kept.push_back(new own);
        unknown.push_back(new misnamed);
        unknown.push_back(unknown.back());
    }
    array_of_owners = new owner[3];
    array_of_owners[2].leaves[0] = new leaf;
    of_thread = new leaf;
    in_array[1] = new leaf;
    in_array[2] = in_array[1];
}

[[gnu::noinline]] static void build_others() {
    {
        std::vector<intrusive<leaf>> gone;
        for (void*& each : where_leaves_were) {
            gone.emplace_back(new leaf);
            each = gone.back().get();
        }
    }
    // Some are left over where handles were.
    static std::aligned_storage_t<sizeof(intrusive<leaf>), alignof(intrusive<leaf>)> places[9];
    for (auto& each : places) std::destroy_at(new (&each) intrusive<leaf>(new leaf));
    // These take the memory that the leaves had.
    for (int i = 0; i != 60; ++i) others.push_back(new looks_like_leaf);
    for (auto& each : arrays) each.assign(sizeof(leaf) / sizeof(long), 1);
    {
        std::vector<intrusive<like_inner_node>> gone;
        for (int i = 0; i != 20; ++i) gone.emplace_back(new like_inner_node);
        for (const auto& each : gone) left_over.push_back(each.get());
    }
    // These take the memory of some.
    for (long i = 0; i != 100; ++i) tree_nodes[i] = 1;
#ifdef LIKE
    struct in_function {
        long number = 1;
        in_function* next = nullptr;
        long figures[30] = {};
    };
    make_rings<like_with_void>();
    make_rings<like_in_function>();
    make_rings<other>();
    for (int i = 0; i != 5; ++i) {
        auto* const first = new in_function;
        first->next = new in_function;
        first->next->next = first;
        auto* const by_void = new with_void;
        by_void->next = by_void;
        auto* const by_map = new with_map;
        by_map->others[1] = by_map;
        intrusive<like_with_map> counted(new like_with_map);
        counted->others[1] = counted;
        intrusive<other> holds(new other);
        holds->next = holds;
        holds->held = new held_by_other;
    }
    for (int i = 0; i != 10; ++i) {
        auto* const made = new looks_like_node;
        made->next = new looks_like_node;
        made->next->next = made;
    }
#endif
}

// Compilers may leave out a variable that nothing takes the address of.
static intrusive<leaf>* volatile seen;

int main(int argc, char**) {
    const bool only_others = argc > 1;
    if (!only_others) build();
    build_others();
    intrusive<leaf> on_stack(only_others ? nullptr : new leaf);
    seen = &on_stack;
    std::puts("built");
    std::fflush(stdout);
    std::getchar();
    return on_stack ? static_cast<int>(on_stack->weights[1]) - 2 : 0;
}
