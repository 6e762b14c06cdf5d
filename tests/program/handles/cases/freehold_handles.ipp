// SPDX-License-Identifier: BSL-1.0
// Included in a namespace for each count, where `count` names it. These functions are no templates,
// because g++ gives the end of a scope in a template the line of its beginning.
struct itself : freehold::enable_shared_from_this<itself, count> {
    int value = 1;
};

__attribute__((noinline)) int shared_pointers() {
    using shared = freehold::shared_ptr<circle, count>;
    using weak = freehold::weak_ptr<circle, count>;
    shared first = freehold::make_shared<circle, count>();  // counts: objects=1
    int sum = copies(first, 1000);
    shared moved = std::move(first);  // counts: copies=0 releases=0
    first = std::move(moved);         // counts: copies=0 releases=0
    const weak seen = first;          // counts: weak_copies=1
    for (int i = 0; i < 100; ++i) sum += locked(seen);
    const std::vector<weak> many(20, seen);  // counts: weak_copies=20
    for (int i = 0; i < 10; ++i) {
        const shared apart(new circle);  // counts: objects=10 made_apart=10
        sum += use(apart->radius);
    }  // counts: releases=10 last_releases=10 unique_releases=10
    for (int i = 0; i < 10; ++i) {
        const auto own =
            freehold::make_shared<itself, count>();  // counts: objects=10 weak_copies=10
        sum += use(own->value);
    }  // counts: releases=10 last_releases=10 unique_releases=0
    const std::vector<shared> all(50, first);  // counts: copies=50
    return sum + use(static_cast<int>(all.size()));
}

__attribute__((noinline)) int arcs() {
    using arc = freehold::arc<circle, count>;
    const arc first = freehold::make_arc<circle, count>();  // counts: objects=1
    int sum = copies(first, 800);
    const freehold::weak_arc<circle, count> seen = first;  // counts: weak_copies=1
    for (int i = 0; i < 50; ++i) sum += locked(seen);
    for (int i = 0; i < 10; ++i) {
        const arc alone = freehold::make_arc<circle, count>();  // counts: objects=10
        sum += use(alone->radius);
    }  // counts: releases=10 last_releases=10 unique_releases=10
    const freehold::arc<figure, count> open =
        freehold::make_arc<square, count>();  // counts: objects=1
    return copies(open, 200) + sum;
}

__attribute__((noinline)) int counted_pointers() {
    using counted = freehold::counted_ptr<circle, count>;
    const counted first(new circle);  // counts: objects=1
    int sum = copies(first, 700);
    for (int i = 0; i < 10; ++i) {
        const counted alone(new circle);  // counts: objects=10
        sum += use(alone->radius);
    }  // counts: releases=10 last_releases=10
    return sum;
}

__attribute__((noinline)) int intrusive_pointers() {
    using intrusive = freehold::intrusive_ptr<node<count>>;
    const intrusive first(new node<count>);  // counts: copies=1
    int sum = copies(first, 600);
    for (int i = 0; i < 10; ++i) {
        const intrusive alone(new node<count>);  // counts: copies=10
        sum += use(alone->value);
    }  // counts: releases=10 last_releases=10
    return sum;
}

// Nothing follows the release, so that a compiler jumps to its slow path.
__attribute__((noinline)) void release_at_end() {
    const auto owner = freehold::make_shared<circle, count>();  // counts: objects=5
    use(owner->radius);
}  // counts: last_releases=5
__attribute__((noinline)) void release_arc_at_end() {
    const auto owner = freehold::make_arc<circle, count>();  // counts: objects=5
    use(owner->radius);
}  // counts: last_releases=5

__attribute__((noinline)) int all_handles() {
    int sum = shared_pointers();
    sum += arcs();
    sum += counted_pointers();
    sum += intrusive_pointers();
    for (int i = 0; i < 5; ++i) {
        release_at_end();
        release_arc_at_end();
    }
    return sum;
}
