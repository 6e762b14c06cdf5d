// SPDX-License-Identifier: BSL-1.0
// Code sizes read from objdump's text: the expected figures were counted by hand.
#include "probes/disassembly.hpp"

#include "lab/recorded_disassembly.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace {

using lab::code_size;
using lab::disassembly;

code_size size_of(const std::string& text, const std::string& probe) {
    return disassembly(text).measure(probe);
}

TEST(disassembly, freeing_the_pointee_leaves_an_operation_inline) {
    EXPECT_EQ(size_of(recorded::gcc_unique_destroy, "probe_destroy_0"), (code_size{5, 18, 'I'}));
}

TEST(disassembly, what_was_moved_to_a_cold_section_counts) {
    EXPECT_EQ(size_of(recorded::gcc_counted_acquire, "probe_acquire_0"),
              (code_size{21 + 9, 78 + 39, 'I'}));
}

TEST(disassembly, a_tail_jump_through_a_pointer_is_a_virtual_call) {
    EXPECT_EQ(size_of(recorded::gcc_counted_destroy, "probe_destroy_0"), (code_size{6, 18, 'V'}));
}

TEST(disassembly, padding_and_the_return_to_the_caller_do_not_count) {
    EXPECT_EQ(size_of(recorded::gcc_shared_copy, "probe_copy_0"), (code_size{9, 34, 'I'}));
}

TEST(disassembly, a_tail_jump_to_a_function_is_a_call_out_of_line_and_the_function_counts) {
    EXPECT_EQ(size_of(recorded::clang_shared_destroy, "probe_destroy_0"),
              (code_size{31 + 22, 104 + 63, 'O'}));
}

TEST(disassembly, virtual_calls_inlined_are_marked) {
    EXPECT_EQ(size_of(recorded::clang_boost_destroy, "probe_destroy_0"), (code_size{17, 51, 'V'}));
}

TEST(disassembly, a_call_into_a_library_is_out_of_line) {
    EXPECT_EQ(size_of(recorded::clang_loki_destroy, "probe_destroy_0"), (code_size{14, 40, 'O'}));
}

TEST(disassembly, all_code_of_a_file_is_its_functions_without_padding) {
    EXPECT_EQ(disassembly(recorded::gcc_counted_acquire).bytes(), 79 + 39);
    EXPECT_EQ(disassembly(recorded::gcc_shared_copy).bytes(), 36);
}

constexpr char conditional_tail_call[] = R"(
Disassembly of section .text.probe:

0000000000000000 <probe>:
   0:	f3 0f 1e fa          	endbr64
   4:	f0 83 2f 01          	lock subl $0x1,(%rdi)
   8:	0f 84 00 00 00 00    	je     e <probe+0xe>	a: R_X86_64_PLT32	destroy-0x4
   e:	f3 c3                	repz retq

Disassembly of section .text.destroy:

0000000000000000 <destroy>:
   0:	e9 00 00 00 00       	jmpq   5 <destroy+0x5>	1: R_X86_64_PLT32	_ZdlPv-0x4
)";

TEST(disassembly, a_conditional_tail_jump_to_a_function_is_a_call) {
    EXPECT_EQ(size_of(conditional_tail_call, "probe"), (code_size{2 + 1, 10 + 5, 'O'}));
}

constexpr char one_section[] = R"(
Disassembly of section .text:

0000000000000000 <probe>:
   0:	e8 0b 00 00 00       	callq  10 <other>
   5:	c3                   	retq
   6:	cc                   	int3

0000000000000010 <other>:
  10:	31 c0                	xor    %eax,%eax
  12:	c3                   	retq

Disassembly of section .text.unlikely:

0000000000000000 <first.cold>:
   0:	0f 0b                	ud2

0000000000000002 <probe.cold>:
   2:	31 c0                	xor    %eax,%eax
   4:	c3                   	retq
)";

TEST(disassembly, calls_within_a_section_need_no_relocation) {
    EXPECT_EQ(size_of(one_section, "probe"), (code_size{1 + 1 + 2, 5 + 2 + 3, 'O'}));
}

TEST(disassembly, a_relocation_against_a_section_finds_the_function_by_its_offset) {
    const std::string jump =
        "   0:\te9 00 00 00 00       \tjmp    5 <probe+0x5>\t1: R_X86_64_PC32\t";
    const std::string text = std::string(one_section);
    const std::string call = "   0:\te8 0b 00 00 00       \tcallq  10 <other>";
    const auto with_target = [&](const std::string& target) {
        return std::string(text).replace(text.find(call), call.size(), jump + target);
    };
    // .text.unlikely+2 is probe.cold, a part of the probe; +0 is first.cold, which is not.
    EXPECT_EQ(size_of(with_target(".text.unlikely-0x2"), "probe"), (code_size{2, 7, 'I'}));
    EXPECT_EQ(size_of(with_target(".text.unlikely-0x4"), "probe"), (code_size{3, 9, 'O'}));
}

TEST(disassembly, a_call_through_the_global_offset_table_is_direct) {
    const std::string text =
        "Disassembly of section .text.probe:\n\n0000000000000000 <probe>:\n"
        "   0:\tff 15 00 00 00 00    \tcall   *0x0(%rip)        # 6 <probe+0x6>"
        "\t2: R_X86_64_GOTPCRELX\t";
    EXPECT_EQ(size_of(text + "elsewhere-0x4\n", "probe"), (code_size{1, 6, 'O'}));
    EXPECT_EQ(size_of(text + "_Znwm-0x4\n", "probe"), (code_size{1, 6, 'I'}));
}

TEST(disassembly, refuses_what_is_not_a_disassembly) {
    EXPECT_THROW(disassembly(""), std::runtime_error);
    EXPECT_THROW(disassembly("objdump: no such file\n"), std::runtime_error);
    EXPECT_THROW(disassembly("   0:\tc3\tret\n"), std::runtime_error);
    EXPECT_THROW(disassembly(recorded::gcc_shared_copy).measure("probe_assign_0"),
                 std::runtime_error);
}

}  // namespace
