// SPDX-License-Identifier: BSL-1.0
#include "line/s3/bucket_address.hpp"

#include <algorithm>
#include <cstddef>

namespace freehold::inline FREEHOLD_ABI::detail {
namespace {

struct address {
    std::string protocol;   // "https://"
    std::string authority;  // host and port
    std::string path;       // with what follows
};

std::optional<address> address_of(std::string_view url) {
    const std::size_t mark = url.find("://");
    if (mark == std::string_view::npos) return std::nullopt;
    const std::size_t begin = mark + 3;
    const std::size_t end = std::min(url.find_first_of("/?#", begin), url.size());
    return address{std::string(url.substr(0, begin)), std::string(url.substr(begin, end - begin)),
                   std::string(url.substr(end))};
}

bool is_local_host(std::string_view name) noexcept {
    return name.starts_with("127.") || name.starts_with("localhost") || name.starts_with("[::1]");
}

// Without the port that the protocol has anyway.
std::string host_header(std::string_view protocol, std::string authority) {
    const std::string_view default_port = protocol == "http://" ? ":80" : ":443";
    if (authority.ends_with(default_port)) {
        authority.erase(authority.size() - default_port.size());
    }
    return authority;
}

bool is_region(std::string_view text) noexcept {
    return !text.empty() && text.size() < 64 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
               std::string_view::npos;
}

// ".amazonaws.com" or that of China's regions, if it is the end of the host.
std::string_view amazon_domain(std::string_view host) noexcept {
    for (const std::string_view domain : {".amazonaws.com", ".amazonaws.com.cn"}) {
        if (host.ends_with(domain)) return domain;
    }
    return {};
}

// The region in the name of one of Amazon's hosts for S3, empty for the one without a region;
// nothing if it is none of them. Other hosts below the domain belong to users.
std::optional<std::string_view> region_in(std::string_view host, std::string_view bucket) noexcept {
    const std::string_view domain = amazon_domain(host);
    if (domain.empty()) return std::nullopt;
    host.remove_suffix(domain.size());
    if (host.size() > bucket.size() + 1 && host.starts_with(bucket) && host[bucket.size()] == '.') {
        host.remove_prefix(bucket.size() + 1);
    }
    if (host == "s3") return std::string_view();
    for (const std::string_view start :
         {"s3.dualstack.", "s3-fips.dualstack.", "s3-fips.", "s3.", "s3-"}) {
        if (!host.starts_with(start)) continue;
        host.remove_prefix(start.size());
        return is_region(host) ? std::optional(host) : std::nullopt;
    }
    return std::nullopt;
}

// Replaces the region in the name of one of Amazon's hosts.
std::string with_region(const std::string& host, std::string_view old, const std::string& region) {
    if (old.empty()) return host;
    std::string changed = host;
    const std::size_t end = host.size() - amazon_domain(host).size();
    return changed.replace(end - old.size(), old.size(), region);
}

}  // namespace

bucket_address bucket_address_of(const s3_options& options) {
    const address parts = *address_of(options.endpoint);
    bucket_address address;
    std::string authority = parts.authority;
    address.is_local = is_local_host(authority);
    address.path = parts.path + "/";
    if (options.path_style) {
        address.path += options.bucket + "/";
    } else {
        authority.insert(0, options.bucket + ".");
    }
    address.server = parts.protocol + authority;
    address.host = host_header(parts.protocol, authority);
    address.region = options.region;
    return address;
}

std::optional<bucket_address> redirected(const bucket_address& from, const s3_options& options,
                                         const s3_response& response, std::string_view object) {
    const bool is_redirect = response.status == 301 || response.status == 302 ||
                             response.status == 307 || response.status == 308;
    const bool is_of_region =
        response.status == 400 && response.error_element("Code") == "AuthorizationHeaderMalformed";
    if (!is_redirect && !is_of_region) return std::nullopt;

    bucket_address to = from;
    std::string region = response.bucket_region;
    if (region.empty()) region = response.error_element("Region");
    if (!is_region(region)) region.clear();
    const address own = *address_of(options.endpoint);
    const std::string own_host = host_header(own.protocol, own.authority);
    if (is_redirect && !response.location.empty()) {
        const std::optional<address> there = address_of(response.location);
        if (!there || (there->protocol != "https://" && there->protocol != own.protocol)) {
            return std::nullopt;
        }
        const std::string host = host_header(there->protocol, there->authority);
        const auto named = region_in(host, options.bucket);
        const bool is_amazons = named && amazon_domain(host) == amazon_domain(own_host);
        if (!is_amazons && host != own_host && host != options.bucket + "." + own_host) {
            return std::nullopt;
        }
        if (is_amazons && region.empty()) region = *named;
        if (!there->path.ends_with(object) || there->path.size() == object.size()) {
            return std::nullopt;
        }
        to.path = there->path.substr(0, there->path.size() - object.size());
        if (to.path.back() != '/') return std::nullopt;
        to.server = there->protocol + there->authority;
        to.host = host;
    } else if (!region.empty()) {
        const auto old = region_in(from.host, options.bucket);
        if (old) {
            to.host = with_region(from.host, *old, region);
            to.server = address_of(from.server)->protocol + to.host;
        }
    }
    if (!region.empty()) to.region = region;
    if (to == from) return std::nullopt;
    return to;
}

}  // namespace freehold::inline FREEHOLD_ABI::detail
