// SPDX-License-Identifier: BSL-1.0
// Objects whose handles have several types.
#include <memory>
#include <thread>
#include <vector>

struct base {
    virtual ~base() = default;
    int value = 1;
};
struct derived : base {};

struct lone_base {
    virtual ~lone_base() = default;
    int value = 1;
};
struct lone : lone_base {};

struct member {
    int value = 1;
};
struct whole {
    member part;
};

struct crossing_base {
    virtual ~crossing_base() = default;
    int value = 1;
};
struct crossing : crossing_base {};

struct seen {
    virtual ~seen() = default;
    int value = 1;
};
struct seen_by_weak : seen {};

// Its own weak handle is no copy of the user.
struct self : std::enable_shared_from_this<self> {
    virtual ~self() = default;
    int value = 1;
};
struct derived_self : self {};

struct listed {
    int value = 1;
};

struct job {
    int value = 1;
};

// Some objects of `derived` have one owner. Others are owned as `base`, and get a second by a cast.
int cast() {
    std::vector<std::shared_ptr<base>> all;
    for (int i = 0; i < 100; ++i) all.push_back(std::make_shared<derived>());
    int sum = 0;
    for (const auto& one : all) {
        const std::shared_ptr<derived> second = std::static_pointer_cast<derived>(one);
        sum += second->value;
    }
    for (int i = 0; i < 100; ++i) {
        const auto own = std::make_shared<derived>();
        sum += own->value;
    }
    return sum;
}

// They are owned as another type, by one owner.
int owned_as_base() {
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        const std::shared_ptr<lone_base> own(new lone);
        sum += own->value;
    }
    return sum;
}

// Each object has a second owner that points to a member.
int aliases() {
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        auto all = std::make_shared<whole>();
        const std::shared_ptr<member> part(all, &all->part);
        all.reset();
        sum += part->value;
    }
    for (int i = 0; i < 100; ++i) {
        const auto all = std::make_shared<whole>();
        sum += all->part.value;
    }
    return sum;
}

int weak() {
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        const auto own = std::make_shared<seen_by_weak>();
        const std::weak_ptr<seen> observer = own;
        sum += own->value;
    }
    return sum;
}

// One thread counts owners of type `crossing`, another those of type `crossing_base`.
int cross() {
    int sum = 0;
    std::vector<std::shared_ptr<crossing_base>> others;
    for (int i = 0; i < 100; ++i) {
        const auto own = std::make_shared<crossing>();
        const auto* kept = new std::shared_ptr<crossing>(own);
        sum += (*kept)->value;
        delete kept;
        others.push_back(own);
    }
    std::thread([&others] { others.clear(); }).join();
    return sum;
}

int own_weak_handles() {
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        const auto own = std::make_shared<derived_self>();
        sum += own->value;
    }
    return sum;
}

// The library copies the handle that it makes of a unique one.
int from_unique() {
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        const std::shared_ptr<job> own = std::make_unique<job>();
        sum += own->value;
    }
    return sum;
}

// The elements of an initializer list cannot be moved.
int from_list() {
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
        const std::vector<std::shared_ptr<listed>> all = {std::make_shared<listed>()};
        sum += all[0]->value;
    }
    return sum;
}

int main() {
    std::thread([] {}).join();
    const int sum = cast() + owned_as_base() + aliases() + weak() + cross() + own_weak_handles() +
                    from_unique() + from_list();
    return sum == 1000 ? 0 : 1;
}
