// SPDX-License-Identifier: BSL-1.0
// The statement that a traversal looks at, and those that contain it.
#pragma once

#include <cstddef>
#include <vector>

#include <clang/AST/Stmt.h>

namespace freehold::check {

class statements_above {
public:
    void enter(const clang::Stmt* each) { all_.push_back(each); }
    void leave() { all_.pop_back(); }
    /// The statement `height` levels above the innermost one. Null above the outermost.
    [[nodiscard]] const clang::Stmt* parent(std::size_t height = 1) const {
        return all_.size() > height ? all_[all_.size() - 1 - height] : nullptr;
    }
    /// The outermost is the first.
    [[nodiscard]] const std::vector<const clang::Stmt*>& all() const { return all_; }

private:
    std::vector<const clang::Stmt*> all_;
};

}  // namespace freehold::check
