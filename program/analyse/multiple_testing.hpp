// SPDX-License-Identifier: BSL-1.0
// Adjusts p-values for the number of comparisons by Holm's step-down procedure ("A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979). It
// bounds the probability of even one false finding, for any dependence between the tests. A
// comparison that fails a build must not fail it by chance, and cells that one process measures do
// depend on each other. Benjamini and Hochberg's procedure would allow 5 % of the findings to be
// false. O(n log n), pure. The result has the order of the input.
#pragma once

#include <span>
#include <vector>

namespace freehold::analyse {

[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p_values);

}  // namespace freehold::analyse
