// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Nothing is found here: numbers from a stream that may have failed.
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

std::vector<int> no_test_behind_the_loop(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) in >> v[i];
  return v;
}
std::vector<int> cleared_in_each_pass(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) { in >> v[i]; in.clear(); }
  if (!in) return {};
  return v;
}
std::vector<int> another_stream_is_tested(std::istream& in, std::istream& other, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) in >> v[i];
  if (!other) return {};
  return v;
}
std::vector<int> the_first_is_left_out(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 1; i < n; ++i) in >> v[i];
  if (!in) return {};
  return v;
}
void skip(std::istream& in);
std::vector<int> cleared_by_another_function(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) { in >> v[i]; skip(in); }
  if (!in) return {};
  return v;
}
std::vector<int> read_before_the_test(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  long s = 0;
  for (std::size_t i = 0; i < n; ++i) { in >> v[i]; s += v[i]; }
  if (!in) return {s != 0};
  return v;
}
std::vector<int> the_loop_ends_early(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n && in; ++i) in >> v[i];
  return v;
}
std::vector<int> only_the_end_is_tested(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) in >> v[i];
  if (in.eof()) return {};
  return v;
}
std::vector<int> cleared_before_the_test(std::istream& in, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) in >> v[i];
  in.seekg(0);
  std::string s;
  in.setstate(std::ios::goodbit);
  in.clear();
  if (!in) return {};
  return v;
}
std::vector<int> another_stream_in_later_passes(std::istream* p, std::istream* q, std::size_t n) {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) { *p >> v[i]; p = q; }
  if (!*p) return {};
  return v;
}
