// SPDX-License-Identifier: BSL-1.0
#include <memory>
struct line {
    char bytes[1 << 20];
    unsigned long size = 0;
};
inline std::unique_ptr<line> make() {
    return std::unique_ptr<line>(new line);
}
