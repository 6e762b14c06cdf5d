// SPDX-License-Identifier: BSL-1.0
// A program with a using-declaration for each name that scripts/replace-std-shared_ptr replaces,
// with friends and with addresses of functions. It compiles before and after. The arguments' types
// come from std, so that the compiler also looks for functions there.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace project {

using std::allocate_shared;
using std::const_pointer_cast, std::dynamic_pointer_cast;
using std::enable_shared_from_this;
using std::get_deleter;
using std::make_shared;
using std::owner_less;
using std::reinterpret_pointer_cast;
using std::shared_ptr;
using std::static_pointer_cast;
using std::weak_ptr;
// libstdc++ 11 has neither these nor shared arrays.
#ifdef __cpp_lib_smart_ptr_for_overwrite
using std::allocate_shared_for_overwrite;
using std::make_shared_for_overwrite;
#endif

using numbers = std::vector<int>;

struct node : enable_shared_from_this<node> {
    node() = default;
    explicit node(numbers given, int = 0) : values(std::move(given)) {}
    virtual ~node() = default;
    numbers values;
};

struct befriends {
    friend class std::enable_shared_from_this<befriends>;
    friend class std::shared_ptr<befriends>;
    template <class T>
    friend class std::weak_ptr;
    template <class T>
    friend void takes(const std::shared_ptr<T>&);
    friend std::shared_ptr<befriends> std::make_shared<befriends>();
    friend std::shared_ptr<befriends> std::make_shared<befriends>(project::numbers&&, int&&);
    friend std::shared_ptr<befriends> std::make_shared<befriends, project::numbers>(
        project::numbers&&);
    friend std::shared_ptr<befriends> std::allocate_shared<befriends>(const std::allocator<int>&);
};

inline void calls(numbers given) {
    const std::allocator<std::string> allocator;
    shared_ptr<node> one = make_shared<node>();
    one = make_shared<node>(given);
    one = make_shared<node>(numbers(3), 1);
    one = make_shared<node, numbers>(numbers(3));
    one = allocate_shared<node>(allocator);
    one = allocate_shared<node>(allocator, given);
    one = allocate_shared<node>(allocator, given, 1);
#ifdef __cpp_lib_smart_ptr_for_overwrite
    one = make_shared_for_overwrite<node>();
    one = allocate_shared_for_overwrite<node>(allocator);
    shared_ptr<std::string[]> several = make_shared<std::string[]>(3);
    several = make_shared<std::string[]>(3, std::string("text"));
    several = make_shared_for_overwrite<std::string[]>(3);
    several = allocate_shared<std::string[]>(allocator, 3);
    several = allocate_shared<std::string[]>(allocator, 3, std::string("text"));
    several = allocate_shared_for_overwrite<std::string[]>(allocator, 3);
    shared_ptr<std::string[2]> two = make_shared<std::string[2]>(std::string("text"));
    two = allocate_shared<std::string[2]>(allocator);
#endif

    weak_ptr<node> observer = one->weak_from_this();
    const shared_ptr<numbers> part(one, &one->values);
    const shared_ptr<const numbers> constant = static_pointer_cast<const numbers>(part);
    const_pointer_cast<numbers>(constant)->clear();
    one = dynamic_pointer_cast<node>(one);
    one = reinterpret_pointer_cast<node>(one);
    const shared_ptr<numbers> deleted(new numbers, std::default_delete<numbers>());
    static_cast<void>(get_deleter<std::default_delete<numbers>>(deleted));
    static_cast<void>(owner_less<>()(observer, one));
}

const auto with_default = &std::make_shared<node>;
const auto with_argument = &std::make_shared<node, const numbers&>;
const auto with_allocator = &std::allocate_shared<node, std::allocator<int>, numbers>;
const auto of_deleter = &std::get_deleter<std::default_delete<node>, node>;
std::shared_ptr<node> (*const to_type)(const numbers&) = std::make_shared<node>;
std::shared_ptr<node> (*const of_cast)(const std::shared_ptr<node>&) noexcept =
    std::static_pointer_cast<node>;
const std::function<shared_ptr<node>(numbers)> bound =
    std::bind(make_shared<node, const numbers&>, std::placeholders::_1);

// A call that the script does not see: another header has the using-declaration.
namespace of_other_file {
inline shared_ptr<node> call() {
    return project::make_shared<node>(numbers(3));
}
}  // namespace of_other_file

}  // namespace project
