// SPDX-License-Identifier: BSL-1.0
// The page of web/, as web/build.mjs bundled it into this executable: three parts, with the title
// and the model to go between them. Each part is its pieces one after another.
#pragma once

#include <initializer_list>
#include <string_view>

namespace freehold::page {

extern const std::initializer_list<std::string_view> before_title;
extern const std::initializer_list<std::string_view> before_model;
extern const std::initializer_list<std::string_view> after_model;

}  // namespace freehold::page
