// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "runner/subject.hpp"
#include "subjects/blocks/glibc.hpp"
#include "subjects/shared_identities.hpp"

#include <array>

namespace lab::buffers::subjects {

using identities::lower_bound;
inline constexpr const identity& glibc = blocks::glibc::is;

inline constexpr identity offline_optimum = {
    .name = "offline optimum", .family = family::lower_bound, .order = 12};
inline constexpr identity cache = {
    .name = "freehold::buffer_cache", .family = family::freehold, .order = 23};
inline constexpr identity session = {
    .name = "freehold::buffer_cache, session", .family = family::freehold, .order = 24};
inline constexpr identity not_counted = {
    .name = "freehold::buffer_cache, not counted", .family = family::freehold, .order = 25};
inline constexpr identity greedy_dual_fit = {
    .name = "greedy_dual_fit", .family = family::freehold, .order = 26};
inline constexpr identity greedy_dual_fit_hits_alike = {
    .name = "greedy_dual_fit, hits alike", .family = family::freehold, .order = 27};
inline constexpr identity keep_largest = {
    .name = "keep_largest", .family = family::policy, .order = 1};
inline constexpr identity keep_first_below = {
    .name = "keep_first_below", .family = family::policy, .order = 2};
inline constexpr identity linear_buckets = {
    .name = "linear_buckets", .family = family::policy, .order = 3};
inline constexpr identity geometric_buckets = {
    .name = "geometric_buckets", .family = family::policy, .order = 4};
inline constexpr identity power_of_two_buckets = {
    .name = "power_of_two_buckets", .family = family::policy, .order = 5};
inline constexpr identity dotnet_array_pool = {
    .name = ".NET ArrayPool", .family = family::other_policy, .order = 1};
inline constexpr identity netty = {.name = "Netty", .family = family::other_policy, .order = 2};
inline constexpr identity bytebufferpool = {
    .name = "bytebufferpool", .family = family::other_policy, .order = 3};
inline constexpr identity jetty = {.name = "Jetty", .family = family::other_policy, .order = 4};
inline constexpr identity jemalloc_tcache = {
    .name = "jemalloc tcache", .family = family::other_policy, .order = 5};

}  // namespace lab::buffers::subjects
