// SPDX-License-Identifier: BSL-1.0
#include "line/s3/sso_token.hpp"

#include "line/s3/http_call.hpp"
#include "line/s3/json.hpp"
#include "line/s3/profiles.hpp"
#include "line/s3/provider_answers.hpp"
#include "line/s3/signature.hpp"
#include "line/unforked_descriptor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

using instant = std::chrono::system_clock::time_point;
using steady = std::chrono::steady_clock;

// What a refresh takes, besides the token.
constexpr std::array kept{"refreshToken", "clientId", "clientSecret", "registrationExpiresAt"};

constexpr std::chrono::minutes before_the_end{15};
constexpr std::chrono::seconds pause_after_failure{30};
constexpr std::chrono::seconds longest_wait{60};  // for another one's refresh

// What this process knows of a file with this text.
struct known_of_file {
    std::string text;
    std::string refreshed = {};  // what should have replaced the text, if anything
    std::string failure = {};    // of the last refresh, or empty
    instant failed_at = {};
};

class known_files {
public:
    known_of_file about(const std::string& file, const std::string& text) {
        const std::lock_guard lock(mutex_);
        const auto found = files_.find(file);
        if (found != files_.end() && found->second.text == text) return found->second;
        return {text};
    }
    void keep(const std::string& file, known_of_file known) {
        const std::lock_guard lock(mutex_);
        files_[file] = std::move(known);
    }

private:
    std::mutex mutex_;
    std::map<std::string, known_of_file> files_;
};

// Never destroyed: a source may outlive all other statics.
known_files& known_to_process() {
    static auto& files = *new known_files;  // NOLINT(cppcoreguidelines-owning-memory)
    return files;
}

struct sso_token {
    known_of_file known;
    answer_fields fields;  // with the token and what refreshes it
    std::string text;
    instant end;
};

// Whether the text may be a header's value.
bool is_token(std::string_view text) noexcept {
    return !text.empty() && text.find_first_of("\r\n") == std::string_view::npos;
}

std::optional<sso_token> token_of(known_of_file known) {
    auto fields = json_fields(known.refreshed.empty() ? known.text : known.refreshed);
    if (!fields) return std::nullopt;
    const auto end = instant_of(field(*fields, "expiresAt"));
    std::string text = field(*fields, "accessToken");
    if (!end || !is_token(text)) return std::nullopt;
    return sso_token{std::move(known), std::move(*fields), std::move(text), *end};
}

std::optional<sso_token> token_in(const std::string& file) {
    const auto text = text_of_file(file);
    return text ? token_of(known_to_process().about(file, *text)) : std::nullopt;
}

sso_token expected_token_in(const sso_login& login) {
    auto token = token_in(login.file);
    if (!token) failed(login.name, "no valid token is in '" + login.file + "'" + login.advice);
    return std::move(*token);
}

// Why no refresh is tried; empty if one is.
std::string obstacle(const sso_login& login, const sso_token& token, instant now) {
    const std::string expired = "no credentials from " + login.name + ": its token ";
    const auto is_there = [&](const char* name) { return !field(token.fields, name).empty(); };
    if (!login.has_session || !std::all_of(kept.begin(), kept.end(), is_there)) {
        return expired + "has expired";
    }
    const auto registered = instant_of(field(token.fields, "registrationExpiresAt"));
    if (!registered || *registered <= now) return expired + "and its registration have expired";
    const auto since_failure = now - token.known.failed_at;
    // A clock may jump back.
    const bool is_recent =
        since_failure >= since_failure.zero() && since_failure < pause_after_failure;
    return is_recent ? token.known.failure : std::string();
}

// Returns the token's text if no refresh is to be tried.
std::optional<std::string> without_refresh(const sso_login& login, const sso_token& token,
                                           instant now) {
    if (token.end - now >= before_the_end) return token.text;
    const std::string reason = obstacle(login, token, now);
    if (reason.empty()) return std::nullopt;
    if (token.end <= now) throw std::runtime_error(reason + login.advice);
    return token.text;
}

// Children of fork() do not keep the lock.
class file_lock {
public:
    explicit file_lock(const std::string& file)
        : file_([&] { return ::open(file.c_str(), O_RDONLY | O_CLOEXEC); }) {}

    // A file system without locks counts as one on which no other process holds the lock.
    bool is_with_another() noexcept {
        return ::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    }

private:
    const unforked_descriptor file_;
};

http_answer ask_for_another(const sso_login& login, const sso_token& token,
                            const credentials_request& request) {
    http_call call;
    call.method = "POST";
    call.url = endpoint_of(request.environment, "sso_oidc", "oidc", login.region) + "/token";
    call.certificates = request.certificates;
    call.timeout = request.longest_refresh;
    call.headers = {"content-type: application/json"};
    call.body = json_text({{"grantType", "refresh_token"},
                           {"refreshToken", field(token.fields, "refreshToken")},
                           {"clientId", field(token.fields, "clientId")},
                           {"clientSecret", field(token.fields, "clientSecret")}});
    return token.end > request.now ? answer_to(call, request.stop)
                                   : answer_after_retries(call, request.stop);
}

// Returns what is to be in the file.
std::string refreshed_text(const sso_login& login, const sso_token& token,
                           const http_answer& answer, instant now) {
    const std::string origin = login.name + ", whose token was to be refreshed";
    expect_success(
        answer, origin,
        {token.text, field(token.fields, "refreshToken"), field(token.fields, "clientSecret")});
    const answer_fields got = fields_of(answer, origin);
    constexpr std::int64_t longest_life = 366 * 24 * 3600;
    const auto life = integer_of(field(got, "expiresIn"));
    const std::string text = field(got, "accessToken");
    if (!is_token(text) || !life || *life <= 0 || *life > longest_life) {
        failed(origin, "the answer has no valid token");
    }
    answer_fields fields{{"startUrl", login.start_url},
                         {"region", login.region},
                         {"accessToken", text},
                         {"expiresAt", text_of_instant(now + std::chrono::seconds(*life))}};
    for (const char* const name : kept) fields[name] = field(token.fields, name);
    const std::string next = field(got, "refreshToken");
    if (!next.empty()) fields["refreshToken"] = next;
    return json_text(fields);
}

// The new file has the old one's owner, and nobody else may read it. If a step fails, the old file
// stays as it was.
void replace_file(const std::string& file, std::string_view text) {
    struct stat before {};
    if (::stat(file.c_str(), &before) != 0) return;
    std::string path = file + ".XXXXXX";
    const unforked_descriptor next([&] { return ::mkostemp(path.data(), O_CLOEXEC); });
    if (!next.is_open()) return;
    const bool is_written =
        ::write(next.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        (before.st_uid == ::geteuid() ||
         ::fchown(next.number(), before.st_uid, before.st_gid) == 0) &&
        ::fsync(next.number()) == 0 && ::rename(path.c_str(), file.c_str()) == 0;
    if (!is_written) ::unlink(path.c_str());
}

}  // namespace

std::string valid_sso_token(const sso_login& login, const credentials_request& request) {
    const instant now = request.now;
    sso_token token = expected_token_in(login);
    if (auto text = without_refresh(login, token, now)) return std::move(*text);

    file_lock lock(login.file);
    const auto wait_end = steady::now() + longest_wait;
    while (lock.is_with_another()) {
        if (token.end > now) return token.text;
        // relaxed: the flag guards no data.
        if (request.stop.load(std::memory_order_relaxed) || steady::now() >= wait_end) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
    token = expected_token_in(login);
    if (auto text = without_refresh(login, token, now)) return std::move(*text);

    const http_answer answer = ask_for_another(login, token, request);
    known_of_file known{token.known.text};
    try {
        known.refreshed = refreshed_text(login, token, answer, now);
    } catch (const std::runtime_error& error) {
        known.refreshed = token.known.refreshed;
        known.failure = error.what();
        known.failed_at = now;
    }
    const auto there = token_in(login.file);
    if (there && there->known.text != known.text && there->end > now) return there->text;
    if (known.failure.empty()) {
        known_to_process().keep(login.file, known);
        replace_file(login.file, known.refreshed);
        return token_of(known).value().text;
    }
    if (token.end > now || answer.status != 0) known_to_process().keep(login.file, known);
    if (token.end <= now) throw std::runtime_error(known.failure + login.advice);
    return token.text;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
