// SPDX-License-Identifier: BSL-1.0
// A process's memory is the same in an image whether it was read ahead or not.
#include "owners/memory_reader.hpp"

#include "support/descriptor.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

namespace freehold::memory_reader_test {
namespace {

constexpr std::uint64_t pages = 64;
constexpr std::uint64_t size = pages * bytes_of_page;

std::uint64_t random_word(std::mt19937_64& random, std::uint64_t address, unsigned kind) {
    switch (kind) {
        case 0:
            return 0;
        case 1:
            return random();
        case 2:
            return address + random() % size;
        case 3:
            return random() % 300;
        default:
            return random() % 4 == 0 ? random_word(random, address, 2) : random();
    }
}

/// Fills the page, or maps it anew in one of several ways.
void change_page(std::byte* at, std::mt19937_64& random) {
    constexpr int usable = PROT_READ | PROT_WRITE;
    const auto map = [at](int rights) {
        ::mmap(at, bytes_of_page, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    };
    const unsigned way = random() % 32;
    if (way == 0) return static_cast<void>(::munmap(at, bytes_of_page));
    if (way == 1) return map(PROT_NONE);
    map(usable);
    if (way == 2) return;
    std::array<std::uint64_t, words_of_page> words{};
    const auto address = reinterpret_cast<std::uint64_t>(at);
    const unsigned kind = random() % 5;
    for (std::uint64_t& each : words) each = random_word(random, address, kind);
    // The mark of a handle on the page before may be here.
    if (random() % 4 == 0) words[0] = (random() & ~std::uint64_t{255}) | random() % 16;
    if (random() % 4 == 0) words.back() = address;
    if (way == 4) {
        // A chunk of a pool, whose marks end on a page behind.
        constexpr std::uint64_t stride = 48;
        words[1] = address;
        words[2] = address + random() % (4 * words_of_page) * 64 * stride;
        words[3] = stride;
        words[4] = ~std::uint64_t{0} / stride + 1;
    }
    std::memcpy(at, words.data(), sizeof words);
    if (way == 3) ::mprotect(at, bytes_of_page, PROT_READ);
}

/// A process that changes some pages whenever it is told to.
class changing_process {
public:
    explicit changing_process(std::byte* memory) : id_(::fork()) {
        if (id_ != 0) return;
        // It ends with the test.
        orders_.write.reset();
        std::uint64_t order = 0;
        while (::read(orders_.read.get(), &order, sizeof order) == sizeof order) {
            std::mt19937_64 random(order);
            const unsigned changed = random() % 2 == 0 ? random() % 4 : random() % pages;
            for (unsigned i = 0; i != changed; ++i)
                change_page(memory + random() % pages * bytes_of_page, random);
            const char done = 0;
            if (::write(answers_.write.get(), &done, 1) != 1) break;
        }
        ::_exit(0);
    }
    changing_process(const changing_process&) = delete;
    changing_process& operator=(const changing_process&) = delete;
    ~changing_process() {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }

    [[nodiscard]] pid_t id() const { return id_; }
    void order(std::uint64_t seed) {
        ASSERT_EQ(::write(orders_.write.get(), &seed, sizeof seed), ssize_t{sizeof seed});
    }
    void wait() {
        char done = 0;
        ASSERT_EQ(::read(answers_.read.get(), &done, 1), 1);
    }

private:
    support::pipe_ends orders_;
    support::pipe_ends answers_;
    pid_t id_;
};

void expect_same(const memory_image& found, const memory_image& wanted, std::uint64_t begin) {
    ASSERT_EQ(found.segments.size(), wanted.segments.size());
    for (std::size_t i = 0; i != wanted.segments.size(); ++i) {
        ASSERT_EQ(found.segments[i].begin, wanted.segments[i].begin);
        ASSERT_EQ(found.segments[i].end, wanted.segments[i].end);
    }
    for (std::uint64_t at = begin; at != begin + size; at += bytes_of_word) {
        // Pages that are not kept may be others. They have no address.
        const std::uint64_t word = wanted.word_or_zero(at);
        if (word != 0) {
            ASSERT_EQ(found.word_or_zero(at), word) << (at - begin) / bytes_of_page;
        }
        if (at != begin && wanted.word_or_zero(at - bytes_of_word) != 0 && wanted.mark(at)) {
            ASSERT_EQ(found.mark(at), wanted.mark(at)) << (at - begin) / bytes_of_page;
        }
    }
}

/// What is known of a word is right.
void expect_right(const memory_image& found, pid_t process, std::uint64_t begin) {
    std::array<std::uint64_t, words_of_page> words{};
    for (std::uint64_t at = begin; at != begin + size; at += bytes_of_page) {
        const iovec here{words.data(), sizeof words};
        const iovec there{reinterpret_cast<void*>(at), sizeof words};
        if (::process_vm_readv(process, &here, 1, &there, 1, 0) != ssize_t{sizeof words}) continue;
        for (unsigned i = 0; i != words_of_page; ++i) {
            const auto word = found.word(at + i * bytes_of_word);
            if (word) {
                ASSERT_EQ(*word, words[i]) << (at - begin) / bytes_of_page;
            }
        }
    }
}

TEST(memory_reader, reads_the_same_with_and_without_reading_ahead) {
    auto* const memory = static_cast<std::byte*>(
        ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(memory, MAP_FAILED);
    changing_process process(memory);
    for (std::uint64_t seed = 0; seed != 200; ++seed) {
        SCOPED_TRACE(seed);
        memory_image image;
        const auto reader = std::make_unique<memory_reader>(process.id(), image);
        // It changes its memory after it was read ahead, or meanwhile.
        if (seed % 2 == 0) reader->read_while_it_runs();
        process.order(seed);
        if (seed % 2 != 0) reader->read_while_it_runs();
        process.wait();
        reader->read_stopped();
        memory_image wanted;
        std::make_unique<memory_reader>(process.id(), wanted)->read_stopped();
        const auto begin = reinterpret_cast<std::uint64_t>(memory);
        expect_same(image, wanted, begin);
        expect_right(image, process.id(), begin);
        if (testing::Test::HasFatalFailure()) break;
    }
    ::munmap(memory, size);
}

}  // namespace
}  // namespace freehold::memory_reader_test
