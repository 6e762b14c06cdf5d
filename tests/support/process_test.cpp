// SPDX-License-Identifier: BSL-1.0
// Which descriptors a started program gets.
#include "support/process.hpp"

#include "support/descriptor.hpp"

#include <string>
#include <system_error>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace process_test {
namespace {

using support::pipe_ends;
using support::read_all;
using support::start;
using support::wait_for;

/// Two pipes with write ends of these numbers.
class numbered_pipes {
public:
    numbered_pipes(int first, int second) : first_(first), second_(second) {
        dup2(one.write.get(), first);
        dup2(two.write.get(), second);
        one.write.reset();
        two.write.reset();
    }
    void close_write_ends() const {
        ::close(first_);
        ::close(second_);
    }

    pipe_ends one;
    pipe_ends two;

private:
    int first_;
    int second_;
};

TEST(a_started_program, gets_its_descriptors_even_if_their_numbers_are_exchanged) {
    const numbered_pipes pipes(57, 58);
    const pid_t child = start(
        {.command = {"sh", "-c", "echo to 57 >/proc/self/fd/57; echo to 58 >/proc/self/fd/58"},
         .descriptors = {{57, 58}, {58, 57}}});
    EXPECT_EQ(wait_for(child), 0);
    pipes.close_write_ends();
    EXPECT_EQ(read_all(pipes.one.read.get()), "to 58\n");
    EXPECT_EQ(read_all(pipes.two.read.get()), "to 57\n");
}

TEST(a_started_program, gets_a_descriptor_under_its_own_number) {
    const numbered_pipes pipes(57, 58);
    fcntl(57, F_SETFD, FD_CLOEXEC);
    const pid_t child =
        start({.command = {"sh", "-c", "echo kept >/proc/self/fd/57"}, .descriptors = {{57, 57}}});
    EXPECT_EQ(wait_for(child), 0);
    pipes.close_write_ends();
    EXPECT_EQ(read_all(pipes.one.read.get()), "kept\n");
}

TEST(a_started_program, that_does_not_exist_is_reported_whatever_numbers_it_is_given) {
    for (int number = 3; number != 40; ++number)
        EXPECT_THROW(start({.command = {"/no/such/program"},
                            .descriptors = {{support::null_device(), number}}}),
                     std::system_error)
            << number;
}

}  // namespace
}  // namespace process_test
