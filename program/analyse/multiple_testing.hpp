// SPDX-License-Identifier: BSL-1.0
// Adjusts p-values for the number of comparisons by Holm's step-down procedure ("A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). It
// bounds the chance of even one false finding, whatever the dependence between the tests: a
// comparison that fails a build must not fail it by chance, and cells measured in one process do
// depend on each other. Benjamini and Hochberg's procedure would let 5 % of the findings be false.
// O(n log n), pure. The result has the order of the input.
#pragma once

#include <span>
#include <vector>

namespace freehold::analyse {

[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace freehold::analyse
