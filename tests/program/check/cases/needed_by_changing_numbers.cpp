// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Nothing is found here: numbers that another name, another thread or a call may change between two
// reads, so that fewer elements may be written than zeroed.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

void use(const void* bytes, std::size_t size);
void take(const std::vector<char>& bytes);

void size_changes(const char* from, std::size_t n) {
    std::vector<char> bytes(n);
    n /= 2;
    std::memcpy(bytes.data(), from, n);
    take(bytes);
}

std::size_t smaller(std::size_t left, const char* from) {
    auto bytes = std::make_unique<char[]>(left);
    const std::size_t whole = left;
    left /= 2;
    std::memcpy(bytes.get(), from, std::min<std::size_t>(left, 65536));
    use(bytes.get(), whole);
    return left;
}

std::vector<int> older_copy_of_a_size(std::size_t n) {
    std::size_t count = n / 2;
    const auto fill = [count](std::vector<int>& numbers) {
        for (std::size_t i = 0; i < count; ++i) numbers[i] = 7;
    };
    count = n;
    std::vector<int> numbers(count);
    fill(numbers);
    return numbers;
}

struct shared_numbers {
    std::mutex mutex;
    std::vector<int> values;
};

void unlocked_between(shared_numbers& to, const int* from, std::size_t n) {
    {
        const std::lock_guard lock(to.mutex);
        to.values.clear();
        to.values.resize(n);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const std::lock_guard lock(to.mutex);
        to.values[i] = from[i];
    }
}

std::vector<int> shortened_while_unlocked(shared_numbers& from) {
    std::unique_lock lock(from.mutex);
    const std::size_t count = from.values.size();
    lock.unlock();
    std::vector<int> copy(count);
    lock.lock();
    for (std::size_t i = 0; i < count && i < from.values.size(); ++i) copy[i] = from.values[i];
    return copy;
}

std::vector<unsigned> masked_register(volatile const unsigned* level,
                                      volatile const unsigned* data) {
    std::vector<unsigned> words(*level & 0xFFFFU);
    const unsigned n = *level & 0xFFFFU;
    for (unsigned i = 0; i < n && i < words.size(); ++i) words[i] = *data;
    return words;
}

std::unique_ptr<unsigned char[]> length_behind_bytes(unsigned char* raw, const unsigned* length) {
    const unsigned most = *length;
    auto bytes = std::make_unique<unsigned char[]>(most);
    raw[0] = 3;
    for (unsigned i = 0; i < *length && i < most; ++i) bytes[i] = raw[i & 3U];
    return bytes;
}

struct trace {
    std::vector<int>* events;
};

std::vector<int> second_name_of_a_container(std::vector<int>& keys, trace& to) {
    std::vector<int> hashes(keys.size());
    to.events->clear();
    for (std::size_t i = 0; i < keys.size(); ++i) hashes[i] = keys[i] * 31;
    return hashes;
}

class cursor {
public:
    std::size_t remaining() const { return left_ != 0 ? left_-- : 0; }
    std::size_t steps() const;

private:
    mutable std::size_t left_ = 9;
};

std::vector<int> accessor_that_counts(const cursor& of) {
    std::vector<int> numbers(of.remaining());
    const std::size_t n = of.remaining();
    for (std::size_t i = 0; i < n; ++i) numbers[i] = 7;
    return numbers;
}

std::vector<int> number_that_may_change_behind_const(const cursor& of) {
    std::vector<int> numbers(of.steps());
    const std::size_t n = of.steps();
    for (std::size_t i = 0; i < n; ++i) numbers[i] = 7;
    return numbers;
}

struct statistics {
    std::size_t budget;
};

std::unique_ptr<int[]> second_name_of_a_member(const std::size_t& rows, statistics& all) {
    const std::size_t n = rows;
    auto numbers = std::make_unique<int[]>(n);
    for (std::size_t i = 0; i < rows && i < n; ++i) {
        numbers[i] = 7;
        if (all.budget > 0) --all.budget;
    }
    return numbers;
}
