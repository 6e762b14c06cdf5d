// SPDX-License-Identifier: BSL-1.0
// counted_ptr: values that are cheap to copy, because copies share their text until one of them is
// changed. No two threads share a value, so the count is plain. The count comes from a pool, so a
// new text costs one allocation, as without sharing.
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/memory/common_pool_allocator.hpp>

#include "require.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace {

class shared_text {
public:
    explicit shared_text(std::string text) : text_(new std::string(std::move(text))) {}

    [[nodiscard]] const std::string& read() const { return *text_; }

    std::string& write() {
        if (!text_.unique()) text_ = owner(new std::string(*text_));
        return *text_;
    }

    [[nodiscard]] bool shares_with(const shared_text& other) const { return text_ == other.text_; }

private:
    using owner = freehold::counted_ptr<std::string, freehold::local_count,
                                        freehold::common_pool_allocator<std::byte>>;
    owner text_;
};

}  // namespace

int main() {
    std::puts("A thousand cells of a table, all with the same text:");
    std::vector<shared_text> cells(1000, shared_text("not yet known"));
    require(cells[0].shares_with(cells[999]), "they share one string");

    cells[7].write() = "seven";
    require(!cells[7].shares_with(cells[0]), "a cell that is changed gets a string of its own");
    require(cells[0].read() == "not yet known", "the others keep theirs");

    const std::string* const before = &cells[7].read();
    cells[7].write() += "!";
    require(&cells[7].read() == before, "a cell that shares with nobody is changed in place");
}
