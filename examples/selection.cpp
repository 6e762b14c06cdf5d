// SPDX-License-Identifier: BSL-1.0
// linked_ptr: a drawing and the user's selection share shapes. Acquiring a shape allocates nothing,
// so it cannot fail. That is useful where the heap must not be used, or for shapes from code that
// does not know of sharing.
#include <freehold/handle/linked_ptr.hpp>

#include "require.hpp"

#include <array>
#include <cstdlib>
#include <new>
#include <vector>

namespace {
int allocations = 0;
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

struct shape {
    virtual ~shape() { --alive; }
    [[nodiscard]] virtual double area() const = 0;
    static inline int alive = 0;

protected:
    shape() { ++alive; }
};

struct square final : shape {
    explicit square(double length) : side(length) {}
    [[nodiscard]] double area() const override { return side * side; }
    double side;
};

using owner = freehold::linked_ptr<shape>;

}  // namespace

int main() {
    std::puts("Three shapes in a drawing:");
    std::vector<owner> drawing;
    std::vector<owner> selection;
    drawing.reserve(3);
    selection.reserve(3);
    const std::array<shape*, 3> made = {new square(1), new square(2), new square(3)};

    const int before = allocations;
    for (shape* s : made) drawing.emplace_back(s);
    selection.push_back(drawing[2]);
    require(allocations == before, "owning and sharing them allocated nothing");
    require(drawing[2].use_count() == 2, "the selected one has two owners");

    drawing.clear();
    require(shape::alive == 1, "when the drawing is cleared, the selected shape stays");
    require(selection[0]->area() == 9, "and is what it was");

    selection.clear();
    require(shape::alive == 0, "until the selection is cleared too");
}
