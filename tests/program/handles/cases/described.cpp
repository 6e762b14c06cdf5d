// SPDX-License-Identifier: BSL-1.0
// A handle of the user's own, which counts owners in the low half of a word and weak handles in the
// high half. described.json describes it. The comments say what the program counts on their lines.
#include <atomic>
#include <cstdint>

namespace own {

class counts {
public:
    void add() { word_.fetch_add(owner); }
    bool drop() { return (word_.fetch_sub(owner) & (weak - 1)) == owner; }
    void add_weak() { word_.fetch_add(weak); }
    bool drop_weak() { return word_.fetch_sub(weak) / weak == 1; }
    bool lock() {
        std::uint64_t before = word_.load();
        while ((before & (weak - 1)) != 0)
            if (word_.compare_exchange_weak(before, before + owner)) return true;
        return false;
    }

private:
    static constexpr std::uint64_t owner = 1;
    static constexpr std::uint64_t weak = std::uint64_t{1} << 32;
    std::atomic<std::uint64_t> word_{owner + weak};
};

template <class T>
struct block : counts {
    T value{};
};

template <class T>
class weak_handle;

template <class T>
class handle {
public:
    explicit handle(block<T>* owned) : owned_(owned) {}
    handle(const handle& other) : owned_(other.owned_) { owned_->add(); }
    handle& operator=(const handle&) = delete;
    ~handle() {
        if (owned_ != nullptr && owned_->drop() && owned_->drop_weak()) delete owned_;
    }
    block<T>* get() const { return owned_; }

private:
    block<T>* owned_;
};

template <class T>
class weak_handle {
public:
    explicit weak_handle(const handle<T>& owner) : seen_(owner.get()) { seen_->add_weak(); }
    weak_handle(const weak_handle&) = delete;
    weak_handle& operator=(const weak_handle&) = delete;
    ~weak_handle() {
        if (seen_->drop_weak()) delete seen_;
    }
    handle<T> lock() const { return handle<T>(seen_->lock() ? seen_ : nullptr); }

private:
    block<T>* seen_;
};

}  // namespace own

__attribute__((noinline)) int by_value(own::handle<int> owner) {
    return owner.get() != nullptr ? 1 : 0;
}

int main() {
    int sum = 0;
    const own::handle<int> first(new own::block<int>);     // counts: objects=1
    for (int i = 0; i < 100; ++i) sum += by_value(first);  // counts: copies=100 releases=100
    const own::weak_handle<int> weak(first);               // counts: weak_copies=1
    for (int i = 0; i < 50; ++i)
        sum += by_value(weak.lock());  // counts: locks=50 releases=50 copies=0
    return sum == 150 ? 0 : 1;
}  // counts: releases=1 last_releases=1 weak_releases=2
