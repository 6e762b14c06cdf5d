// SPDX-License-Identifier: BSL-1.0
// Owning pointers for libcurl's objects, and its failures as exceptions. libcurl is initialised
// once, thread-safely, and until the process ends.
#pragma once

#include <freehold/config.hpp>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include <curl/curl.h>

#if LIBCURL_VERSION_NUM < 0x074400
#error "freehold::s3 takes libcurl 7.68 or newer: older ones cannot be woken while they wait"
#endif

namespace freehold::inline FREEHOLD_ABI::detail {

// Both CURL and CURLM are void in C++.
struct easy_cleanup {
    void operator()(CURL* easy) const noexcept { curl_easy_cleanup(easy); }
};
struct multi_cleanup {
    void operator()(CURLM* multi) const noexcept { curl_multi_cleanup(multi); }
};
struct list_cleanup {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using curl_easy = std::unique_ptr<CURL, easy_cleanup>;
using curl_multi = std::unique_ptr<CURLM, multi_cleanup>;
using curl_list = std::unique_ptr<curl_slist, list_cleanup>;

void initialise_curl();

template <class Value>
void set_option(CURL* easy, CURLoption option, Value value) {
    // The function, not the macro of its name, which only checks types.
    const CURLcode outcome = (curl_easy_setopt)(easy, option, value);
    if (outcome == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    if (outcome != CURLE_OK) {
        throw std::runtime_error(std::string("libcurl: ") + curl_easy_strerror(outcome));
    }
}

void append(curl_list& list, const std::string& text);

}  // namespace freehold::inline FREEHOLD_ABI::detail
