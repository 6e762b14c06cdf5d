// SPDX-License-Identifier: BSL-1.0
// Copies that no reference to their original can replace: elements of lists and of ranges, what the
// library copies to call a function with it, and what is returned.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

struct contained {
    int value = 1;
};

// The list's element is copied once more, into the vector.
__attribute__((noinline)) int in_container(const std::shared_ptr<contained>& owner) {
    const std::vector<std::shared_ptr<contained>> all{owner};
    return all.front()->value;
}

struct listed {
    int value = 1;
};

__attribute__((noinline)) int sum_of(std::initializer_list<std::shared_ptr<listed>> all) {
    int sum = 0;
    for (const std::shared_ptr<listed>& each : all) sum += each->value;
    return sum;
}

__attribute__((noinline)) int in_list(const std::shared_ptr<listed>& owner) {
    return sum_of({owner, owner});
}

struct looped {
    int value = 1;
};

__attribute__((noinline)) int in_loop(const std::shared_ptr<looped>& owner) {
    int sum = 0;
    for (const std::shared_ptr<looped>& each : {owner, owner}) sum += each->value;
    return sum;
}

struct compared {
    int value = 1;
};

__attribute__((noinline)) bool is_less(std::shared_ptr<compared> a, std::shared_ptr<compared> b) {
    return a->value < b->value;
}

__attribute__((noinline)) void sort(std::vector<std::shared_ptr<compared>>& all) {
    std::sort(all.begin(), all.end(), is_less);
}

struct mapped {
    int value = 1;
};

// The pair of a list is made by the library of what the user can move.
__attribute__((noinline)) int in_map(const std::shared_ptr<mapped>& owner) {
    const std::map<int, std::shared_ptr<mapped>> all{{1, owner}};
    return all.at(1)->value + owner->value;
}

struct converted_base {
    int value = 1;
};

struct converted : converted_base {};

// Each element is converted to a temporary handle.
__attribute__((noinline)) bool has(const std::vector<std::shared_ptr<converted>>& all, int value) {
    return std::any_of(
        all.begin(), all.end(),
        [value](const std::shared_ptr<converted_base>& each) { return each->value == value; });
}

struct hashed {
    int value = 1;
};

struct ordered {
    int value = 1;
};

struct ranged {
    int value = 1;
};

template <class Container, class Owner = typename Container::value_type>
__attribute__((noinline)) int first_of_copies(const std::vector<Owner>& all) {
    const Container copies(all.begin(), all.end());
    return (*copies.begin())->value;
}

struct returned {
    int value = 1;
};

struct result {
    std::shared_ptr<returned> owner;
    int status = 0;
};

__attribute__((noinline)) result make() {
    return {std::make_shared<returned>(), 1};
}

__attribute__((noinline)) std::shared_ptr<returned> owner_of_result() {
    result made = make();
    if (made.status == 0) return nullptr;
    return made.owner;
}

int main() {
    const auto first = std::make_shared<contained>();
    const auto second = std::make_shared<listed>();
    const auto third = std::make_shared<looped>();
    const auto fourth = std::make_shared<mapped>();
    std::vector<std::shared_ptr<compared>> all;
    for (int i = 0; i < 100; ++i) {
        all.push_back(std::make_shared<compared>());
        all.back()->value = i * 37 % 101;
    }
    int sum = 0;
    for (int i = 0; i < 100; ++i)
        sum += in_container(first) + in_list(second) + in_loop(third) + in_map(fourth);
    sort(all);
    const std::vector<std::shared_ptr<converted>> others(10, std::make_shared<converted>());
    const std::vector<std::shared_ptr<hashed>> fifth{std::make_shared<hashed>()};
    const std::vector<std::shared_ptr<ordered>> sixth{std::make_shared<ordered>()};
    const std::vector<std::shared_ptr<ranged>> seventh{std::make_shared<ranged>()};
    for (int i = 0; i < 100; ++i) {
        sum += first_of_copies<std::unordered_set<std::shared_ptr<hashed>>>(fifth);
        sum += first_of_copies<std::set<std::shared_ptr<ordered>>>(sixth);
        sum += first_of_copies<std::vector<std::shared_ptr<ranged>>>(seventh);
        sum += owner_of_result()->value + static_cast<int>(has(others, 2));
    }
    return sum == 1100 && all.front()->value == 0 ? 0 : 1;
}
