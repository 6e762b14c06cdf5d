// SPDX-License-Identifier: BSL-1.0
// The edges of a graph in mostly one or two bytes each. An edge is kept as the distance from the
// target before it in the list, and the first one as that from the node: what was allocated
// together mostly leads to one another. This is the way of WebGraph (Boldi and Vigna, "The WebGraph
// Framework I: Compression Techniques", 2004).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace freehold {

/// A distance that may be negative, as a number that is small if the distance is short.
inline std::uint64_t folded(std::int64_t distance) {
    return static_cast<std::uint64_t>(distance) << 1 ^ static_cast<std::uint64_t>(distance >> 63);
}
inline std::int64_t unfolded(std::uint64_t number) {
    return static_cast<std::int64_t>(number >> 1 ^ (0 - (number & 1)));
}

class edge_lists {
public:
    /// Reads the edges of a node, one after the other.
    class reader {
    public:
        /// Whether there is another edge.
        [[nodiscard]] bool has_next() const { return has_next_; }
        std::uint32_t next() {
            std::uint64_t code = *at_ & 127U;
            for (unsigned shift = 7; (*at_++ & 128U) != 0; shift += 7)
                code |= std::uint64_t{*at_ & 127U} << shift;
            has_next_ = (code & 1) != 0;
            return before_ += static_cast<std::uint32_t>(unfolded((code >> 1) - 1));
        }

    private:
        friend class edge_lists;
        reader(const std::uint8_t* at, std::uint32_t before, bool has_next)
            : at_(at), before_(before), has_next_(has_next) {}
        const std::uint8_t* at_;
        std::uint32_t before_;
        bool has_next_;
    };

    /// Begins the edges of the next node.
    void add_node() {
        if (nodes_ % nodes_of_group == 0) begins_.push_back(size_);
        before_ = nodes_++;
        last_edge_ = size_;
        add_byte(no_edge);
    }
    /// Adds an edge from the last node.
    void add_edge(std::uint32_t to) {
        if (bytes_.get()[last_edge_] == no_edge)
            --size_;
        else
            bytes_.get()[last_edge_] |= 1;
        last_edge_ = size_;
        std::uint64_t code = (folded(std::int64_t{to} - before_) + 1) << 1;
        for (; code >= 128; code >>= 7) add_byte(static_cast<std::uint8_t>(code | 128));
        add_byte(static_cast<std::uint8_t>(code));
        before_ = to;
    }

    [[nodiscard]] std::uint32_t nodes() const { return nodes_; }
    [[nodiscard]] reader of(std::uint32_t node) const {
        const std::uint8_t* at = bytes_.get() + begins_[node / nodes_of_group];
        for (std::uint32_t i = node % nodes_of_group; i != 0; --i)
            for (bool has_next = true; has_next;) {
                has_next = (*at & 1) != 0;
                while ((*at++ & 128) != 0) {
                }
            }
        return {at, node, *at != no_edge};
    }
    template <class Use>
    void for_each_of(std::uint32_t node, Use use) const {
        for (reader edges = of(node); edges.has_next();) use(edges.next());
    }

    // A place to read on, if a reader has a next edge and `last` was the one before:
    [[nodiscard]] std::uint64_t place_of(const reader& edges) const {
        return static_cast<std::uint64_t>(edges.at_ - bytes_.get());
    }
    [[nodiscard]] reader from(std::uint64_t place, std::uint32_t last) const {
        return {bytes_.get() + place, last, true};
    }
    static reader without_edges() { return {nullptr, 0, false}; }

private:
    // An edge is a number of seven bits in a byte, the lowest ones first, and 128 in each byte but
    // the last. Its lowest bit says whether another edge follows. The others are the distance
    // and 1.
    static constexpr std::uint8_t no_edge = 0;
    static constexpr std::uint32_t nodes_of_group = 32;

    void add_byte(std::uint8_t byte) {
        if (size_ == capacity_) grow();
        bytes_.get()[size_++] = byte;
    }
    /// realloc moves large memory without a copy of it, and what is not used yet takes none.
    void grow() {
        capacity_ = std::max<std::size_t>(2 * capacity_, 64);
        void* const larger = std::realloc(bytes_.get(), capacity_);
        if (larger == nullptr) throw std::bad_alloc();
        static_cast<void>(bytes_.release());
        bytes_.reset(static_cast<std::uint8_t*>(larger));
    }

    struct release {
        void operator()(std::uint8_t* bytes) const { std::free(bytes); }
    };
    std::unique_ptr<std::uint8_t, release> bytes_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
    std::vector<std::uint64_t> begins_;  // of each group of nodes
    std::uint32_t nodes_ = 0;
    std::uint32_t before_ = 0;   // the last edge's target, or the last node
    std::size_t last_edge_ = 0;  // where it begins
};

}  // namespace freehold
