// SPDX-License-Identifier: BSL-1.0
// What the functions around a copy say of it: which of them makes it, and which object is copied.
#pragma once

#include "code/code_map.hpp"
#include "handles/classifier.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace freehold {

/// The frames up to the user's line, the innermost first. It does not own them.
class copy_frames {
public:
    /// `user_frame` is the index of the user's frame, or the number of frames.
    copy_frames(classifier& names, const std::vector<code_frame>& frames, std::size_t user_frame)
        : names_(names), frames_(frames), user_frame_(user_frame) {}

    /// Returns whether the user's line assigns to a handle, or to an object that holds it.
    [[nodiscard]] bool is_assignment() const;
    /// Returns whether the library copies what it calls a function with, as std::function and
    /// std::bind do for parameters that are passed by value.
    [[nodiscard]] bool is_made_for_call() const;
    /// Returns whether the user's line calls a function of the library that copies the handle.
    [[nodiscard]] bool is_made_by_library() const;
    /// Returns the innermost function of the library, called by the user's line, that copies or
    /// releases a handle or an object that holds it. The text is empty if there is none. If it is
    /// the same for a copy and its release, the function calls another one with the copy.
    [[nodiscard]] std::string library_function() const;
    /// Returns whether the user's line passes a range of iterators to the library.
    [[nodiscard]] bool is_of_range() const;
    /// Returns whether the user's line copies a lambda that has captured the handle.
    [[nodiscard]] bool is_in_lambda() const;
    /// Returns whether the handle that the user's line makes has another type than its original.
    [[nodiscard]] bool converts() const;
    /// Returns the function of the handle that the user's line calls, or an empty text.
    [[nodiscard]] std::string function_of_handle() const;
    /// Returns the class that the user's line copies, such as a container, if the compiler or the
    /// library wrote the copy. If the line passes an object to a function of the library that
    /// copies it, that is its class. Returns an empty text if the line copies the handle itself.
    [[nodiscard]] std::string holder() const;
    /// Returns whether the library copies out of a `std::initializer_list`.
    [[nodiscard]] bool is_from_list() const;
    /// Returns whether the user's line makes a `std::initializer_list`.
    [[nodiscard]] bool makes_list() const;

private:
    [[nodiscard]] std::string copied_class(const code_function& copies) const;
    template <class Test>
    [[nodiscard]] bool has_any(const Test& test) const;

    classifier& names_;
    const std::vector<code_frame>& frames_;
    std::size_t user_frame_;
};

/// Returns whether the frame's line declares a handle as a variable.
[[nodiscard]] bool declares_handle(classifier& names, const code_frame& frame);

}  // namespace freehold
