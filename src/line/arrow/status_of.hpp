// SPDX-License-Identifier: BSL-1.0
// The arrow::Status of what a cache or its source throws. The message is that of the exception.
//
// | exception | status |
// |---|---|
// | source_error, cancelled | Cancelled |
// | source_error, not_found | IOError with the errno ENOENT, as Arrow's own file systems give it |
// | any other source_error | IOError |
// | cache_full, std::bad_alloc | OutOfMemory |
// | std::invalid_argument | Invalid |
// | any other | IOError |
#pragma once

#include <freehold/config.hpp>
#include <freehold/line/line_cache_options.hpp>
#include <freehold/line/line_source.hpp>

#include <cerrno>
#include <exception>
#include <new>
#include <stdexcept>

#include <arrow/status.h>
#include <arrow/util/io_util.h>

namespace freehold::inline FREEHOLD_ABI::detail {

// Requires a current exception: the caller is in a handler.
inline arrow::Status status_of_current_exception() {
    try {
        throw;
    } catch (const source_error& error) {
        switch (error.reason()) {
            case source_failure::cancelled:
                return arrow::Status::Cancelled(error.what());
            case source_failure::not_found:
                return arrow::internal::IOErrorFromErrno(ENOENT, error.what());
            default:
                return arrow::Status::IOError(error.what());
        }
    } catch (const cache_full& error) {
        return arrow::Status::OutOfMemory(error.what());
    } catch (const std::bad_alloc& error) {
        return arrow::Status::OutOfMemory(error.what());
    } catch (const std::invalid_argument& error) {
        return arrow::Status::Invalid(error.what());
    } catch (const std::exception& error) {
        return arrow::Status::IOError(error.what());
    } catch (...) {
        return arrow::Status::IOError("the source has thrown what is no std::exception");
    }
}

// Calls function(), which returns a Result. What it throws becomes the Status.
template <class Result, class Function>
Result result_of(Function function) {
    try {
        return function();
    } catch (...) {
        return status_of_current_exception();
    }
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
