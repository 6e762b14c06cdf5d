// SPDX-License-Identifier: BSL-1.0
// The article's program over the library's cache: what it prints, and the course of a million
// steps.
#pragma once

#include "suites/suite.hpp"

namespace lab::buffers {

void add_article_states(plan& into, const selection& chosen);

}  // namespace lab::buffers
