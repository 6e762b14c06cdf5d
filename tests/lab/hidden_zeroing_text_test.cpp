// SPDX-License-Identifier: BSL-1.0
// The page as text: what probes print is read, put into tables, and read from them again.
#include "probes/hidden_zeroing/page.hpp"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace {

using lab::verdict;

constexpr char code[] = R"(
Disassembly of section .text.zeroed:

0000000000000000 <zeroed>:
   0:	ba 00 00 10 00       	mov    $0x100000,%edx
   5:	31 f6                	xor    %esi,%esi
   7:	e9 00 00 00 00       	jmp    c <zeroed+0xc>	8: R_X86_64_PLT32	memset-0x4

Disassembly of section .text.left:

0000000000000000 <left>:
   0:	66 90                	xchg   %ax,%ax
   2:	ff e7                	jmp    *%rdi
)";

const std::string printed =
    "g++ 1.2\tlibstdc++ 3\n"
    "objects\tzeroed\tline x{}\tleft\t1048576\t0\n"
    "objects\tleft\tline x\t\t48\t3\n"
    "objects\tmissing\tline y\tmore\t-\n";

lab::page_sources sources(const std::string& text) {
    const lab::disassembly disassembled(code);
    return {text,
            "// a comment\n\nstruct line {};\n",
            {lab::read_column(printed, disassembled)},
            disassembled,
            {},
            {}};
}

TEST(hidden_zeroing_column, is_read_from_what_the_probe_prints_and_from_its_code) {
    const lab::column read = lab::read_column(printed, lab::disassembly(code));
    EXPECT_EQ(read.compiler, "g++ 1.2");
    EXPECT_EQ(read.library, "libstdc++ 3");
    EXPECT_EQ(read.clang_tidy, "");
    EXPECT_EQ(read.at("zeroed").is, verdict::zeroes);
    EXPECT_EQ(read.at("zeroed").means, "memset");
    EXPECT_EQ(read.at("left").is, verdict::leaves) << "48 bytes are bookkeeping";
    EXPECT_EQ(read.at("left").other, 3u);
    EXPECT_EQ(read.at("missing").is, verdict::missing);
    EXPECT_THROW(read.at("absent"), std::runtime_error);
}

TEST(hidden_zeroing_column, is_not_read_from_anything_else) {
    const lab::disassembly disassembled(code);
    EXPECT_THROW(lab::read_column("", disassembled), std::runtime_error);
    EXPECT_THROW(lab::read_column("g++\tlib\nobjects\tzeroed\n", disassembled), std::runtime_error);
    EXPECT_THROW(lab::read_column("g++\tlib\ng\tzeroed\tc\tr\tmany\t0\n", disassembled),
                 std::runtime_error);
    EXPECT_THROW(lab::read_column("g++\tlib\ng\tnot_compiled\tc\tr\t1\t0\n", disassembled),
                 std::runtime_error);
}

TEST(hidden_zeroing_page_text, has_tables_for_its_marks) {
    EXPECT_EQ(lab::hidden_zeroing_page(sources("# Head\n@table objects@\nfoot\n")),
              "# Head\n"
              "| written | g++, libstdc++ | instead |\n"
              "|---|---|---|\n"
              "| `line x{}` | **memset** | `line x` |\n"
              "| `line x` | no |  |\n"
              "| `line y` | – | more |\n"
              "foot\n");
    EXPECT_EQ(lab::hidden_zeroing_page(sources("@built@\n")), "- g++ 1.2 with libstdc++ 3\n");
    EXPECT_EQ(lab::hidden_zeroing_page(sources("@types@\n")), "```cpp\nstruct line {};\n```\n");
    EXPECT_EQ(
        lab::hidden_zeroing_page(sources("@code zeroed@\n")),
        "```asm\n    mov     $0x100000,%edx\n    xor     %esi,%esi\n    jmp     memset\n```\n");
}

TEST(hidden_zeroing_page_text, is_refused_with_a_mark_that_means_nothing) {
    EXPECT_THROW(lab::hidden_zeroing_page(sources("@tabel objects@\n")), std::runtime_error);
    EXPECT_THROW(lab::hidden_zeroing_page(sources("@table nothing@\n")), std::runtime_error);
    EXPECT_THROW(lab::hidden_zeroing_page(sources("@code absent@\n")), std::runtime_error);
}

TEST(hidden_zeroing_page_text, can_be_read_for_its_verdicts) {
    const auto verdicts = lab::verdicts_on(lab::hidden_zeroing_page(sources("@table objects@\n")));
    ASSERT_EQ(verdicts.size(), 3u);
    EXPECT_EQ(verdicts.at("`line x{}` | `line x` | g++, libstdc++"), verdict::zeroes);
    EXPECT_EQ(verdicts.at("`line x` |  | g++, libstdc++"), verdict::leaves);
    EXPECT_EQ(verdicts.at("`line y` | more | g++, libstdc++"), verdict::missing);
}

}  // namespace
