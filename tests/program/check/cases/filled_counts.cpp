// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Classes whose members read an array only up to the number of its filled elements, and vectors of
// structs that each have such a number.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace raised_in_the_next_statement {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:  // mends: member raised_in_the_next_statement::line::text_{}
  void put(char c) { if (used_ < 1024) { text_[used_] = c; ++used_; } }
  void cut(std::size_t n) { if (n < used_) used_ -= n; }
  std::string_view view() const { return {text_, used_}; } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); return std::string(l.view()); } }

namespace raised_by_a_copied_size {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:  // mends: member raised_by_a_copied_size::line::text_{}
  void add(std::string_view s) { if (s.size() > 1024 - used_) return; std::memcpy(text_ + used_, s.data(), s.size()); used_ += s.size(); }
  void clear() { used_ = 0; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l; l.add(s); l.add(s); return l.str(); } }

namespace a_stack {
class stack { std::vector<int> v_; std::size_t n_; public:
  explicit stack(std::size_t most) : v_(most), n_(0) {}  // finds: std::vector<int>(n)
  bool push(int i) { return n_ < v_.size() && (v_[n_++] = i, true); }
  int pop() { return n_ == 0 ? 0 : v_[--n_]; } };
int f(const int* p, std::size_t n) { stack s(n); for (std::size_t i = 0; i < n; ++i) s.push(p[i]); int r = 0; for (std::size_t i = 0; i < n; ++i) r = r * 3 + s.pop(); return r; } }

namespace an_owner_is_moved {
struct C { std::size_t size; char bytes[512]; };
std::string c(int fd) {
  std::vector<std::unique_ptr<C>> all;
  auto x = std::make_unique<C>();  // mends: std::make_unique<an_owner_is_moved::C>()
  const ssize_t got = ::read(fd, x->bytes, sizeof x->bytes);
  if (got < 0) return {};
  x->size = static_cast<std::size_t>(got);
  all.push_back(std::move(x));
  std::string s;
  for (const auto& c : all) s.append(c->bytes, c->size);
  return s;
}
}

namespace a_vector_of_chunks_until_the_end {
struct Chunk { std::size_t used; char text[304]; };
std::string g1(std::FILE* f) {
    std::vector<Chunk> all;
    for (;;) {
        auto& one = all.emplace_back();  // finds: std::vector<a_vector_of_chunks_until_the_end::Chunk>::emplace_back()
        const std::size_t got = std::fread(one.text, 1, sizeof one.text, f);
        one.used = got;
        if (got == 0) break;
    }
    std::string s;
    for (const Chunk& c : all) s.append(c.text, c.used);
    return s;
}
}

namespace a_vector_of_parts {
struct Chunk2 { std::size_t size; char bytes[1000]; };
std::uint32_t h1(std::string_view text) {
  std::vector<Chunk2> chunks;
  while (!text.empty()) {
    Chunk2& c = chunks.emplace_back();  // finds: std::vector<a_vector_of_parts::Chunk2>::emplace_back()
    const std::size_t n = std::min<std::size_t>(text.size(), 1000);
    std::copy_n(text.data(), n, c.bytes);
    c.size = n;
  }
  return 0;
}
}

namespace a_log_in_dynamic_memory {
class log {
public:
    explicit log(std::size_t room) : room_(room), text_(std::make_unique<char[]>(room)) {}  // mends: std::make_unique<char[]>(n)
    void put(char c) { if (used_ < room_) text_[used_++] = c; }
    std::string str() const { std::string s; for (std::size_t i = 0; i < used_; ++i) s += text_[i]; return s; }
private:
    std::size_t room_, used_ = 0;
    std::unique_ptr<char[]> text_;
};
std::string f(const std::string& t) { log l(600); for (char c : t) l.put(c); return l.str(); }
}

namespace templates_that_are_not_instantiated {
struct piece { const void* from; std::size_t size; };
template <class T, unsigned n> class view {
    T* first_ = nullptr;
    std::vector<T> more_;
    T within_[n];
    std::size_t count_ = n;
public:
    piece all() const { return {first_, count_}; }
    piece some() const { return {within_, count_ * sizeof(T)}; }
    piece others() const { return {more_.data(), n}; }
    T last() const { return first_[count_ - n]; }
    void add(const T* from) { std::memcpy(within_ + count_, from, n * sizeof(T)); count_ += n; }
    void add_one(T one) { within_[count_] = one; count_ = count_ + n; }
    void restart() { count_ = n; }
};
template <class T> struct line {
    char text[1024] = {};
    std::size_t used = 0;
    void put(T c) { if (used < 1024) text[used++] = c; }
    std::string_view view() const { return {text, used}; }
};
class word {
    char text_[512] = {};  // mends: member templates_that_are_not_instantiated::word::text_{}
    std::size_t used_ = 0;
public:
    template <class C> void put(C c) { if (used_ < 512) text_[used_++] = c; }
    std::string_view view() const { return {text_, used_}; }
};
std::string f(std::string_view s) { word w; for (char c : s) w.put(c); return std::string(w.view()); }
}
