// SPDX-License-Identifier: BSL-1.0
// Zeroing found in objdump's text: what compilers make of it, and what only looks like it.
#include "probes/zeroing.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace zeroing_test {
namespace {

using lab::disassembly;
using lab::find_zeroing;
using lab::zeroing;

/// The means by which the function `probe` zeroes 256 bytes or more.
std::vector<std::string> means_in(const std::string& code) {
    const std::string head = "Disassembly of section .text.probe:\n\n0000000000000000 <probe>:\n";
    std::vector<std::string> means;
    for (const zeroing& each : find_zeroing(disassembly(head + code), "probe", 256))
        means.push_back(each.means);
    return means;
}

using means = std::vector<std::string>;

// clang++ 14, -O3.
TEST(zeroing, is_found_in_a_call_of_memset) {
    EXPECT_EQ(means_in(R"(
   0:	ba 00 08 00 00       	mov    $0x800,%edx
   5:	48 89 df             	mov    %rbx,%rdi
   8:	31 f6                	xor    %esi,%esi
   a:	e8 00 00 00 00       	call   f <probe+0xf>	b: R_X86_64_PLT32	memset-0x4
   f:	c3                   	ret
)"),
              means{"memset"});
}

TEST(zeroing, is_found_in_a_jump_to_memset) {
    EXPECT_EQ(means_in(R"(
   0:	31 f6                	xor    %esi,%esi
   2:	e9 00 00 00 00       	jmp    7 <probe+0x7>	3: R_X86_64_PLT32	memset-0x4
)"),
              means{"memset"});
}

TEST(zeroing, is_not_a_call_of_memset_with_another_value) {
    EXPECT_EQ(means_in(R"(
   0:	ba 00 08 00 00       	mov    $0x800,%edx
   5:	be cd 00 00 00       	mov    $0xcd,%esi
   a:	e8 00 00 00 00       	call   f <probe+0xf>	b: R_X86_64_PLT32	memset-0x4
   f:	c3                   	ret
)"),
              means{});
}

TEST(zeroing, is_not_a_call_of_memset_for_a_few_bytes) {
    EXPECT_EQ(means_in(R"(
   0:	ba 40 00 00 00       	mov    $0x40,%edx
   5:	31 f6                	xor    %esi,%esi
   7:	e8 00 00 00 00       	call   c <probe+0xc>	8: R_X86_64_PLT32	memset-0x4
   c:	c3                   	ret
)"),
              means{});
}

// The call before it may have left anything in %esi and %edx.
TEST(zeroing, may_be_a_call_of_memset_with_unknown_arguments) {
    EXPECT_EQ(means_in(R"(
   0:	ba 40 00 00 00       	mov    $0x40,%edx
   5:	be cd 00 00 00       	mov    $0xcd,%esi
   a:	e8 00 00 00 00       	call   f <probe+0xf>	b: R_X86_64_PLT32	other-0x4
   f:	e8 00 00 00 00       	call   14 <probe+0x14>	10: R_X86_64_PLT32	memset-0x4
  14:	c3                   	ret
)"),
              means{"memset"});
}

// A jump to the call may come with another value.
TEST(zeroing, may_be_a_call_of_memset_behind_a_label) {
    EXPECT_EQ(means_in(R"(
   0:	74 07                	je     9 <probe+0x9>
   2:	ba 40 00 00 00       	mov    $0x40,%edx
   7:	89 d6                	mov    %edx,%esi
   9:	e8 00 00 00 00       	call   e <probe+0xe>	a: R_X86_64_PLT32	memset-0x4
   e:	c3                   	ret
)"),
              means{"memset"});
}

// g++ 12, -O3.
TEST(zeroing, is_found_in_a_string_store) {
    EXPECT_EQ(means_in(R"(
   0:	b9 00 01 00 00       	mov    $0x100,%ecx
   5:	48 8d 7a 10          	lea    0x10(%rdx),%rdi
   9:	31 c0                	xor    %eax,%eax
   b:	f3 48 ab             	rep stos %rax,%es:(%rdi)
   e:	c3                   	ret
)"),
              means{"rep stos"});
}

TEST(zeroing, is_not_a_string_store_of_another_value_or_of_a_few_bytes) {
    EXPECT_EQ(means_in(R"(
   0:	b9 00 01 00 00       	mov    $0x100,%ecx
   5:	b8 01 00 00 00       	mov    $0x1,%eax
   a:	f3 48 ab             	rep stos %rax,%es:(%rdi)
   d:	b9 04 00 00 00       	mov    $0x4,%ecx
  12:	31 c0                	xor    %eax,%eax
  14:	f3 48 ab             	rep stos %rax,%es:(%rdi)
  17:	c3                   	ret
)"),
              means{});
}

// g++ 12, -O3 -fno-tree-loop-distribute-patterns.
TEST(zeroing, is_found_in_a_loop_of_vector_stores) {
    EXPECT_EQ(means_in(R"(
   0:	66 0f ef c0          	pxor   %xmm0,%xmm0
   4:	48 8d 90 00 08 00 00 	lea    0x800(%rax),%rdx
   b:	0f 11 00             	movups %xmm0,(%rax)
   e:	48 83 c0 20          	add    $0x20,%rax
  12:	0f 11 40 f0          	movups %xmm0,-0x10(%rax)
  16:	48 39 d0             	cmp    %rdx,%rax
  19:	75 f0                	jne    b <probe+0xb>
  1b:	c3                   	ret
)"),
              means{"loop"});
}

TEST(zeroing, is_found_in_a_loop_that_counts_down_an_index) {
    EXPECT_EQ(means_in(R"(
   0:	c6 04 37 00          	movb   $0x0,(%rdi,%rsi,1)
   4:	48 83 ee 01          	sub    $0x1,%rsi
   8:	75 f6                	jne    0 <probe>
   a:	c3                   	ret
)"),
              means{"loop"});
    EXPECT_EQ(means_in(R"(
   0:	31 c0                	xor    %eax,%eax
   2:	48 c7 04 c7 00 00 00 00 	movq   $0x0,(%rdi,%rax,8)
   a:	48 8d 40 01          	lea    0x1(%rax),%rax
   e:	48 3d 00 01 00 00    	cmp    $0x100,%rax
  14:	75 ec                	jne    2 <probe+0x2>
  16:	c3                   	ret
)"),
              means{"loop"});
}

// One word of each object, 128 bytes apart; a counter that starts from zero; a loop that waits.
TEST(zeroing, is_not_a_loop_that_zeroes_little_or_stores_something_else) {
    EXPECT_EQ(means_in(R"(
   0:	48 c7 07 00 00 00 00 	movq   $0x0,(%rdi)
   7:	48 83 ef 80          	sub    $0xffffffffffffff80,%rdi
   b:	48 39 d7             	cmp    %rdx,%rdi
   e:	75 f0                	jne    0 <probe>
  10:	c3                   	ret
)"),
              means{});
    EXPECT_EQ(means_in(R"(
   0:	31 c0                	xor    %eax,%eax
   2:	48 89 04 c7          	mov    %rax,(%rdi,%rax,8)
   6:	48 83 c0 01          	add    $0x1,%rax
   a:	48 3d 00 01 00 00    	cmp    $0x100,%rax
  10:	75 f0                	jne    2 <probe+0x2>
  12:	c3                   	ret
)"),
              means{});
    EXPECT_EQ(means_in(R"(
   0:	48 c7 07 00 00 00 00 	movq   $0x0,(%rdi)
   7:	48 83 c7 08          	add    $0x8,%rdi
   b:	e8 00 00 00 00       	call   10 <probe+0x10>	c: R_X86_64_PLT32	wait-0x4
  10:	75 ee                	jne    0 <probe>
  12:	c3                   	ret
)"),
              means{});
}

std::string row_of_stores(const std::string& store, int count) {
    std::string row = "   0:\t66 0f ef c0          \tvpxor  %xmm1,%xmm1,%xmm1\n";
    for (int i = 1; i <= count; ++i) {
        const std::string digits = std::to_string(i);
        row += "  " + digits + ":\t0f 11 00             \t" + store + "\n";
    }
    return row;
}

TEST(zeroing, is_found_in_a_row_of_stores) {
    EXPECT_EQ(means_in(row_of_stores("vmovups %ymm1,0x20(%rax)", 8)), means{"stores"});
    EXPECT_EQ(means_in(row_of_stores("movaps %xmm1,0x10(%rax)", 16)), means{"stores"});
}

TEST(zeroing, is_not_a_shorter_row_nor_one_of_other_values_nor_one_in_its_own_frame) {
    EXPECT_EQ(means_in(row_of_stores("vmovups %ymm1,0x20(%rax)", 7)), means{});
    EXPECT_EQ(means_in(row_of_stores("vmovups %ymm2,0x20(%rax)", 8)), means{});
    EXPECT_EQ(means_in(row_of_stores("vmovups %ymm1,0x20(%rsp)", 8)), means{});
}

constexpr char callees[] = R"(
Disassembly of section .text.probe:

0000000000000000 <probe>:
   0:	e8 00 00 00 00       	call   5 <probe+0x5>	1: R_X86_64_PLT32	near-0x4
   5:	e9 00 00 00 00       	jmp    a <probe+0xa>	6: R_X86_64_PLT32	elsewhere-0x4

Disassembly of section .text.near:

0000000000000000 <near>:
   0:	e9 00 00 00 00       	jmp    5 <near+0x5>	1: R_X86_64_PLT32	far-0x4

Disassembly of section .text.far:

0000000000000000 <far>:
   0:	31 f6                	xor    %esi,%esi
   2:	e9 00 00 00 00       	jmp    7 <far+0x7>	3: R_X86_64_PLT32	memset-0x4

Disassembly of section .text.unrelated:

0000000000000000 <unrelated>:
   0:	e9 00 00 00 00       	jmp    5 <unrelated+0x5>	1: R_X86_64_PLT32	bzero-0x4
)";

TEST(zeroing, is_found_in_what_is_called_and_not_excepted_and_nowhere_else) {
    EXPECT_EQ(find_zeroing(disassembly(callees), "probe", 256),
              (std::vector<zeroing>{{"far", "memset"}}));
    EXPECT_EQ(find_zeroing(disassembly(callees), "unrelated", 256),
              (std::vector<zeroing>{{"unrelated", "bzero"}}));
    EXPECT_TRUE(find_zeroing(disassembly(callees), "probe", 256, {"near"}).empty());
    EXPECT_THROW(find_zeroing(disassembly(callees), "absent", 256), std::runtime_error);
}

}  // namespace
}  // namespace zeroing_test
