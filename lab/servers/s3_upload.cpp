// SPDX-License-Identifier: BSL-1.0
#include "servers/s3_upload.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace lab {
namespace {

struct list_cleanup {
    void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};

std::size_t read_body(char* to, std::size_t, std::size_t size, void* rest) {
    auto& body = *static_cast<std::span<const std::byte>*>(rest);
    const std::size_t most = std::min(size, body.size());
    if (most != 0) std::memcpy(to, body.data(), most);
    body = body.subspan(most);
    return most;
}

std::size_t keep_answer(const char* text, std::size_t, std::size_t size, void* answer) {
    static_cast<std::string*>(answer)->append(text, size);
    return size;
}

// Does not escape the slashes of a path. The signature needs them unescaped.
std::string escaped(CURL* easy, std::string_view path) {
    std::string all;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::unique_ptr<char, decltype(&curl_free)> part(
            curl_easy_escape(easy, path.data() + begin, static_cast<int>(end - begin)), &curl_free);
        if (part == nullptr) throw std::bad_alloc();
        if (begin != 0) all += '/';
        if (begin != end) all += part.get();  // escaping no byte would measure the rest itself
        begin = end + 1;
    }
    return all;
}

}  // namespace

s3_upload::s3_upload(std::string endpoint, const std::string& access_key,
                     const std::string& secret_key)
    : endpoint_(std::move(endpoint)),
      user_(access_key + ":" + secret_key),
      easy_(curl_easy_init()) {
    if (easy_ == nullptr) throw std::bad_alloc();
}

void s3_upload::send(const char* method, std::string_view bucket, std::string_view object,
                     std::span<const std::byte> body) {
    CURL* const easy = easy_.get();
    const std::unique_ptr<curl_slist, list_cleanup> headers(
        curl_slist_append(nullptr, "x-amz-content-sha256: UNSIGNED-PAYLOAD"));
    if (headers == nullptr) throw std::bad_alloc();
    std::string url = endpoint_ + "/" + std::string(bucket);
    if (!object.empty()) url.append("/").append(escaped(easy, object));
    const std::string signing = "aws:amz:" + std::string(s3_server::region) + ":s3";
    std::string answer;

    curl_easy_setopt(easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
    curl_easy_setopt(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, 1L);
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, &read_body);
    curl_easy_setopt(easy, CURLOPT_READDATA, static_cast<void*>(&body));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &keep_answer);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, static_cast<void*>(&answer));
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
    curl_easy_setopt(easy, CURLOPT_AWS_SIGV4, signing.c_str());
    curl_easy_setopt(easy, CURLOPT_USERPWD, user_.c_str());
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);

    const CURLcode outcome = curl_easy_perform(easy);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, nullptr);
    if (outcome == CURLE_OK && status / 100 == 2) return;
    throw std::runtime_error(std::string(method) + " " + url + ": " +
                             (outcome == CURLE_OK ? std::to_string(status) + " " + answer
                                                  : curl_easy_strerror(outcome)));
}

}  // namespace lab
