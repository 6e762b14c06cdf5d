// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Every finding here has a replacement, where std::make_shared_for_overwrite exists.
#include <algorithm>
#include <cstring>
#include <memory>

void use(const void* bytes, std::size_t size);

void make_shared_filled_by_a_loop(std::size_t n) {
    auto numbers = std::make_shared<int[]>(n);  // finds: std::make_shared<int[]>(n)
    for (std::size_t i = 0; i != n; ++i) numbers[i] = static_cast<int>(i * i);
    use(numbers.get(), n * sizeof(int));
}

struct frame {
    unsigned char pixels[64 * 64];
    int width;
    int height;
};

void allocate_shared_of_an_aggregate(const unsigned char* from) {
    auto image = std::allocate_shared<frame>(std::allocator<frame>());  // finds: std::allocate_shared<frame>()
    std::copy_n(from, sizeof image->pixels, image->pixels);
    image->width = image->height = 64;
    use(image->pixels, sizeof image->pixels);
}

template <class T>
struct plain_allocator {
    using value_type = T;
    plain_allocator() = default;
    template <class U>
    plain_allocator(const plain_allocator<U>&) {}
    T* allocate(std::size_t n) { return std::allocator<T>().allocate(n); }
    void deallocate(T* at, std::size_t n) { std::allocator<T>().deallocate(at, n); }
    friend bool operator==(plain_allocator, plain_allocator) { return true; }
};

void allocator_without_a_construct(const char* from, std::size_t n) {
    auto bytes = std::allocate_shared<char[]>(plain_allocator<char>(), n);  // finds: std::allocate_shared<char[]>(n)
    std::memcpy(bytes.get(), from, n);
    use(bytes.get(), n);
}
