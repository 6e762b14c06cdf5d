// SPDX-License-Identifier: BSL-1.0
#include "code/known_handles.hpp"

#include <gtest/gtest.h>

namespace freehold::names_test {
namespace {

TEST(handle_names, lose_their_arguments) {
    EXPECT_EQ(without_arguments("std::_Sp_counted_base<(__gnu_cxx::_Lock_policy)2>::_M_release"),
              "std::_Sp_counted_base::_M_release");
    EXPECT_EQ(without_arguments("a<b<c>, d>::operator-><e>"), "a::operator->");
    EXPECT_EQ(without_arguments("main::<lambda>::operator()"), "main::<lambda>::operator()");
}

TEST(handle_names, lose_their_parameters_and_results) {
    EXPECT_EQ(without_parameters("void n::f<int>(int, void (*)(long)) const"), "n::f<int>");
    EXPECT_EQ(without_parameters("std::a<(b)2>::c() [clone .cold]"), "std::a<(b)2>::c");
}

TEST(handle_names, tell_the_pointee) {
    EXPECT_EQ(template_argument("std::__shared_ptr<a::b<c, d>, (e)2>::reset", "std::__shared_ptr"),
              "a::b<c, d>");
    EXPECT_EQ(template_argument("std::shared_ptr<const circle>::shared_ptr", "std::shared_ptr"),
              "circle");
    EXPECT_EQ(template_argument("std::_Sp_counted_ptr<int*, (e)2>::f", "std::_Sp_counted_ptr"),
              "int");
    EXPECT_EQ(template_argument("std::shared_ptr_access<a>::f", "std::shared_ptr"), "");
}

TEST(handle_names, tell_the_class_that_is_the_type_itself) {
    EXPECT_EQ(class_of("QList<QMap<int, a>>::append", "QList"), "QList<QMap<int, a>>");
    EXPECT_EQ(class_of("QString::~QString", "QString"), "QString");
    EXPECT_EQ(class_of("QStringList::append", "QString"), "");
    EXPECT_EQ(class_of("QString", "QString"), "");
}

TEST(handle_names, match_with_any_text_where_the_pattern_says_so) {
    EXPECT_TRUE(matches("n::intrusive_ptr_release", "*intrusive_ptr_release"));
    EXPECT_FALSE(matches("n::intrusive_ptr_release", "intrusive_ptr_release"));
    EXPECT_TRUE(matches("n::counts::add", "n::counts::*"));
    EXPECT_TRUE(matches("n::array_block::make", "n::*_block::*"));
    EXPECT_FALSE(matches("n::array::make", "n::*_block::*"));
}

TEST(handle_names, leave_out_an_inline_namespace) {
    EXPECT_EQ(without_namespace("a::abi2_headers::b<a::abi2_headers::c>", "a::abi"), "a::b<a::c>");
    EXPECT_EQ(without_namespace("n::a::abi2::b", "a::abi"), "n::a::abi2::b");
    EXPECT_EQ(without_namespace("a::abi2", "a::abi"), "a::abi2");
}

}  // namespace
}  // namespace freehold::names_test
