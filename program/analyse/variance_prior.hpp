// SPDX-License-Identifier: BSL-1.0
// Estimates from many cells, each measured by few processes, how much a cell varies from process to
// process. The variance of three processes is a poor estimate of one cell's noise, but a hundred
// cells of the same suite show its usual size. Each cell's variance is moved towards that size. It
// moves further if the cells are more alike. This is the empirical Bayes method of Smyth, "Linear
// models and empirical Bayes methods for assessing differential expression", Statistical
// Applications in Genetics and Molecular Biology 3 (2004), section 6.2, as in the R package limma.
// Linear in the cells, pure.
#pragma once

#include <span>

namespace freehold::analyse {

// A variance, and the degrees of freedom of its estimate.
struct variance_estimate {
    double variance = 0;
    double degrees = 0;
};

// The scale and the weight of the prior that all cells give together. `degrees` is infinite if the
// cells differ no more than by chance. It is 0 if there are fewer than three cells.
[[nodiscard]] variance_estimate fit_variance_prior(std::span<const variance_estimate> cells);

// One cell's variance, moderated by the prior.
[[nodiscard]] variance_estimate moderated(const variance_estimate& cell,
                                          const variance_estimate& prior);

// The y > 0 with trigamma(y) = x, for x > 0.
[[nodiscard]] double inverse_trigamma(double x);

}  // namespace freehold::analyse
