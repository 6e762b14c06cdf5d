// flags: -std=c++20
// SPDX-License-Identifier: BSL-1.0
// Nothing is found here: members that seem to say how many elements of an array are filled, but some
// object has a count that is too large, or some reader goes further.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace raised_without_a_write {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  void skip() { if (used_ < 1024) ++used_; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l; for (char c : s) { l.put(c); l.skip(); } return l.str(); } }

namespace begins_at_three {
class line { char text_[1024] = {}; std::size_t used_ = 3; public:
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); return l.str(); } }

namespace begins_at_a_parameter {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:
  explicit line(std::size_t n) : used_(n) {}
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l(7); for (char c : s) l.put(c); return l.str(); } }

namespace begins_at_a_value_of_a_list {
struct line { char text[1024] = {}; std::size_t used = 0; };
void put(line& l, char c) { if (l.used < 1024) l.text[l.used++] = c; }
std::string f(std::string_view s) { line l{{}, 5}; for (char c : s) put(l, c); return std::string(l.text, l.used); } }

namespace written_to_another_object {
struct line { char text[1024] = {}; std::size_t used = 0; };
void put(line& l, line& m, char c) { if (l.used < 1024) l.text[m.used++] = c; }
std::string f(std::string_view s) { line l, m; for (char c : s) put(l, m, c); return std::string(m.text, m.used) + std::string(l.text, l.used); } }

namespace a_new_array_below_the_old_count {
class line { std::unique_ptr<char[]> text_ = std::make_unique<char[]>(1024); std::size_t used_ = 0; public:
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  void fresh() { text_ = std::make_unique<char[]>(1024); }
  std::string str() const { return std::string(text_.get(), used_); } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); l.fresh(); return l.str(); } }

namespace a_narrow_count_wraps {
class line { char text_[65536] = {}; std::uint16_t used_ = 0; public:
  void put(char c) { text_[used_++] = c; }
  void pop() { --used_; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l; l.pop(); for (char c : s) l.put(c); return l.str(); } }

namespace a_negative_number_is_subtracted {
class line { char text_[1024] = {}; int used_ = 0; public:
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  void back(int n) { used_ -= n; }
  std::string str() const { return std::string(text_, static_cast<std::size_t>(used_)); } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); l.back(-4); return l.str(); } }

namespace one_reader_goes_further {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  std::string str() const { return std::string(text_, used_); }
  char last() const { return text_[1023]; } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); return l.str() + l.last(); } }

namespace one_of_two_arrays_is_written {
class pairs {
 int b0_[1] = {}; int a_[256]; int b_[256] = {}; std::size_t n_ = 0; public:
  void put(int a) { if (n_ < 256) a_[n_++] = a; }
  long sum() const { long s = 0; for (std::size_t i = 0; i < n_; ++i) s += a_[i] * b_[i]; return s; } };
long f(const int* p, std::size_t n) { pairs v; for (std::size_t i = 0; i < n; ++i) v.put(p[i]); return v.sum(); } }

namespace padded_elements_as_bytes {
struct item { char kind; int value; };
class items { item all_[256] = {}; std::size_t n_ = 0; public:
  void put(item a) { if (n_ < 256) all_[n_++] = a; }
  bool same(const items& o) const { return n_ == o.n_ && std::memcmp(all_, o.all_, n_ * sizeof(item)) == 0; } };
bool f(std::size_t n) { items v, w; for (std::size_t i = 0; i < n; ++i) { v.put({1, 2}); w.put({1, 2}); } return v.same(w); } }

namespace raised_through_a_reference {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:
  void put(char c) { if (used_ < 1024) text_[used_++] = c; }
  std::size_t& used() { return used_; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); l.used() += 3; return l.str(); } }

namespace fewer_bytes_than_the_count {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:
  void put(const char* p, std::size_t n, std::size_t m) { std::memcpy(text_ + used_, p, n); used_ += m; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(const char* p) { line l; l.put(p, 3, 4); return l.str(); } }

namespace bytes_and_elements {
class line { int v_[256] = {}; std::size_t used_ = 0; public:
  void put(const int* p, std::size_t n) { std::memcpy(v_ + used_, p, n); used_ += n; }
  long sum() const { long s = 0; for (std::size_t i = 0; i < used_; ++i) s += v_[i]; return s; } };
long f(const int* p) { line l; l.put(p, 8); return l.sum(); } }

namespace two_objects_of_one_expression {
struct line { char text[1024] = {}; std::size_t used = 0; };
line& next(int& i, line* all) { return all[i++]; }
std::string f() { line l[2]; int i = 0; l[1].used = 0; next(i, l).text[next(i, l).used++] = 'a'; return std::string(l[1].text, l[1].used); } }

namespace an_exception_before_the_write {
int value(int); 
class line { int v_[256] = {}; std::size_t used_ = 0; public:
  void put(int i) { std::size_t at = used_++; v_[at] = value(i); }
  long sum() const { long s = 0; for (std::size_t i = 0; i < used_; ++i) s += v_[i]; return s; } };
long f() { line l; try { l.put(1); } catch (...) {} return l.sum(); } }

namespace raised_before_the_write {
class line { char text_[1024] = {}; std::size_t used_ = 0; public:
  void put(char c) { if (used_ < 1000) text_[++used_] = c; }
  std::string str() const { return std::string(text_, used_); } };
std::string f(std::string_view s) { line l; for (char c : s) l.put(c); return l.str(); } }

namespace a_second_owner_raises {
struct A { std::size_t size; char bytes[512]; };
std::string a(int fd) {
  std::vector<std::shared_ptr<A>> all;
  auto x = std::make_shared<A>();
  const ssize_t got = ::read(fd, x->bytes, sizeof x->bytes);
  if (got < 0) return {};
  x->size = static_cast<std::size_t>(got);
  all.push_back(x);
  x->size = 9;
  std::string s;
  for (const auto& c : all) s.append(c->bytes, c->size);
  return s;
}
}

namespace a_pointer_is_kept {
struct B { std::size_t size; char bytes[512]; };
std::string b(int fd) {
  std::vector<B*> all;
  auto x = std::make_unique<B>();
  const ssize_t got = ::read(fd, x->bytes, sizeof x->bytes);
  if (got < 0) return {};
  x->size = static_cast<std::size_t>(got);
  all.push_back(x.get());
  x->size = 9;
  std::string s;
  for (const auto& c : all) s.append(c->bytes, c->size);
  return s;
}
}

namespace read_before_the_count_is_final {
struct D { std::size_t size; char bytes[512]; };
std::string d(int fd) {
  std::vector<D> all;
  for (int i = 0; i < 3; ++i) {
    D& x = all.emplace_back();
    x.size = 0;
    std::string s;
    for (const auto& c : all) s.append(c.bytes, c.size);
    x.size = 8;
    if (i == 1) return s;
  }
  std::string s;
  for (const auto& c : all) s.append(c.bytes, c.size);
  return s;
}
}

namespace a_constant_count {
struct E { std::size_t size; char bytes[512]; };
std::vector<E> e(int fd) {
  std::vector<E> all;
  for (int i = 0; i < 3; ++i) {
    E& x = all.emplace_back();
    x.bytes[0] = 'a';
    x.size = 2;
  }
  std::string s;
  for (const auto& c : all) s.append(c.bytes, c.size);
  return all;
}
}


namespace raised_by_a_function_that_is_followed {
struct message {
    std::size_t size;
    char body[1000];
};
void pad(message* m) {
    m->size = std::min((m->size + 7) & ~std::size_t{7}, sizeof m->body);
}
std::string serialise(std::string_view text) {
    std::unique_ptr<message> m(new message());
    m->size = std::min(text.size(), sizeof m->body);
    std::memcpy(m->body, text.data(), m->size);
    pad(m.get());
    return std::string(m->body, m->size);
}
}  // namespace raised_by_a_function_that_is_followed

namespace raised_through_what_a_member_function_returns {
class list {
public:
    explicit list(std::size_t room) : data_(new int[room]()), room_(room) {}
    list(const list&) = delete;
    list& operator=(const list&) = delete;
    ~list() { delete[] data_; }
    void add(int v) {
        if (size_ < room_) data_[size_++] = v;
    }
    std::size_t& size() { return size_; }
    std::size_t* address() { return &size_; }
    long sum() const {
        long s = 0;
        for (std::size_t i = 0; i < size_; ++i) s += data_[i];
        return s;
    }

private:
    int* data_;
    std::size_t room_;
    std::size_t size_ = 0;
};
long by_a_reference(int v) {
    list l(1000);
    l.add(v);
    l.size() = 1000;
    return l.sum();
}
long by_a_second_name(int v) {
    list l(1000);
    l.add(v);
    auto& n = l.size();
    ++n;
    return l.sum();
}
long by_a_pointer(int v) {
    list l(1000);
    l.add(v);
    *l.address() += 5;
    return l.sum();
}
}  // namespace raised_through_what_a_member_function_returns

// No code of this file reads the array, so another file does.
namespace read_nowhere {
struct stats {
    std::uint64_t hits, misses;
    std::uint64_t by_size[64];
};
std::optional<stats> collected(const std::uint32_t* sizes, std::size_t n) {
    std::optional<stats> s;
    s.emplace();
    s->hits = n;
    s->misses = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (sizes[i] < 64) s->by_size[sizes[i]] = sizes[i];
    return s;
}
struct block {
    block* previous;
    std::size_t used;
    unsigned char room[1000];
};
block* pushed(block* previous) {
    auto* result = new block();
    result->previous = previous;
    result->used = 0;
    return result;
}
}  // namespace read_nowhere
