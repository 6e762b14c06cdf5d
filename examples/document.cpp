// SPDX-License-Identifier: BSL-1.0
// arc: a document of sections and paragraphs. A section owns its contents, and each node refers to
// its parent weakly. Each of these edges is one word. The nodes need no base class with a count:
// the count is in the block that make_arc allocates.
#include <freehold/handle/arc.hpp>

#include "require.hpp"

#include <string>
#include <utility>
#include <vector>

namespace {

struct node {
    explicit node(std::string text) : title(std::move(text)) { ++alive; }
    node(const node&) = delete;
    node& operator=(const node&) = delete;
    virtual ~node() { --alive; }
    [[nodiscard]] virtual int words() const = 0;

    std::string title;
    freehold::weak_arc<node> parent;
    static inline int alive = 0;
};

struct paragraph final : node {
    paragraph(std::string text, int length) : node(std::move(text)), word_count(length) {}
    [[nodiscard]] int words() const override { return word_count; }
    int word_count;
};

struct section final : node {
    using node::node;
    [[nodiscard]] int words() const override {
        int sum = 0;
        for (const freehold::arc<node>& child : children) sum += child->words();
        return sum;
    }
    std::vector<freehold::arc<node>> children;
};

template <class Child>
freehold::arc<Child> add(const freehold::arc<section>& to, freehold::arc<Child> child) {
    child->parent = to;
    to->children.push_back(child);
    return child;
}

std::string path_of(const node& of) {
    const freehold::arc<node> parent = of.parent.lock();
    return parent ? path_of(*parent) + "/" + of.title : of.title;
}

}  // namespace

int main() {
    std::puts("A book of two chapters:");
    auto book = freehold::make_arc<section>("book");
    add(add(book, freehold::make_arc<section>("one")), freehold::make_arc<paragraph>("a", 100));
    const auto two = add(book, freehold::make_arc<section>("two"));
    const auto kept = add(two, freehold::make_arc<paragraph>("b", 40));
    static_assert(sizeof kept == sizeof(void*) && sizeof kept->parent == sizeof(void*));
    require(book->words() == 140, "a section counts the words of its contents");
    require(path_of(*kept) == "book/two/b", "and its path");

    std::puts("The book is destroyed while its second chapter is being edited:");
    book.reset();
    require(node::alive == 2, "the chapter and its paragraph stay");
    require(two->parent.expired(), "the chapter knows that the book is gone");
    require(path_of(*kept) == "two/b", "and begins a path of its own");
}
