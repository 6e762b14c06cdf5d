// SPDX-License-Identifier: BSL-1.0
// What many cells, each measured by few processes, say together about how much a cell varies from
// process to process. The variance of three processes is a poor estimate of any cell's noise; a
// hundred cells of the same suite give a good idea of its usual size. Each cell's variance is drawn
// towards that, the more, the more alike the cells are: the empirical Bayes method of Smyth,
// "Linear models and empirical Bayes methods for assessing differential expression", Statistical
// Applications in Genetics and Molecular Biology 3 (2004), section 6.2, as in the R package limma.
// Linear in the cells, pure.
#pragma once

#include <span>

namespace freehold::analyse {

// A variance estimated with so many degrees of freedom.
struct variance_estimate {
    double variance = 0;
    double degrees = 0;
};

// The scale and weight of what all cells say; `degrees` is infinite when they differ no more than
// chance has it, and 0 when fewer than three cells are there to tell.
[[nodiscard]] variance_estimate fit_variance_prior(std::span<const variance_estimate> cells);

// One cell's variance after the prior was heard.
[[nodiscard]] variance_estimate moderated(const variance_estimate& cell,
                                          const variance_estimate& prior);

// The y > 0 with trigamma(y) = x, for x > 0.
[[nodiscard]] double inverse_trigamma(double x);

}  // namespace freehold::analyse
