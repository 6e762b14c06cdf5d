// SPDX-License-Identifier: BSL-1.0
// Functions that end with a jump in place of a call, and so leave no frame. The comments say what
// the program counts on their lines.
#include <memory>
#include <utility>

struct shape {
    int corners = 4;
};

struct node {
    virtual ~node() = default;
    virtual int value() const { return 0; }
    virtual void touch() {}
};

struct holder : node {
    explicit holder(std::shared_ptr<shape> owner) : owner(std::move(owner)) {}
    int value() const override { return owner->corners; }
    std::shared_ptr<shape> owner;
};

struct logged : node {
    explicit logged(std::shared_ptr<shape> owner) : owner(std::move(owner)) {}
    ~logged() override { ++ended; }  // counts: releases=50
    static int ended;
    std::shared_ptr<shape> owner;
};
int logged::ended = 0;

__attribute__((noinline)) void drop(node* each) {
    delete each;  // counts: releases=1000
}

__attribute__((noinline)) void drop_unique(std::unique_ptr<node>& each) {
    each.reset();  // counts: releases=200
}

__attribute__((noinline)) void drop_owner(std::shared_ptr<node>& each) {
    each.reset();  // counts: releases=60
}

__attribute__((noinline)) void drop_nested(node* each) {
    drop(each);  // counts: releases=0
}

// A virtual function is reached by one of two jumps, so the line is not known.
__attribute__((noinline)) void drop_or_touch(node* each, bool drops) {
    if (drops)
        delete each;
    else
        each->touch();
}

int main() {
    const auto owner = std::make_shared<shape>();
    for (int i = 0; i < 900; ++i) drop(new holder(owner));         // counts: releases=0
    for (int i = 0; i < 100; ++i) drop_nested(new holder(owner));  // counts: releases=0
    for (int i = 0; i < 200; ++i) {
        std::unique_ptr<node> each = std::make_unique<holder>(owner);
        drop_unique(each);  // counts: releases=0
    }
    for (int i = 0; i < 30; ++i) {
        std::shared_ptr<node> each = std::make_shared<holder>(owner);
        drop_owner(each);  // counts: releases=0
    }
    for (int i = 0; i < 50; ++i) drop(new logged(owner));  // counts: releases=0
    const holder last(owner);
    for (int i = 0; i < 16; ++i) {
        node* const each = new holder(owner);
        drop_or_touch(each, false);
        drop_or_touch(each, true);
    }
    return last.value() + logged::ended == 54 ? 0 : 1;
}
