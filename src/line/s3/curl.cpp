// SPDX-License-Identifier: BSL-1.0
#include "line/s3/curl.hpp"

namespace freehold::inline FREEHOLD_ABI::detail {

void initialise_curl() {
    static const CURLcode outcome = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (outcome != CURLE_OK) {
        throw std::runtime_error(std::string("libcurl: ") + curl_easy_strerror(outcome));
    }
}

void append(curl_list& list, const std::string& text) {
    curl_slist* const longer = curl_slist_append(list.get(), text.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(list.release());
    list.reset(longer);
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
