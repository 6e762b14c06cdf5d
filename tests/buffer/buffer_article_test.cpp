// SPDX-License-Identifier: BSL-1.0
// All figures printed in "A cache with a bad policy is another name for a memory leak".
#include <freehold/buffer/buffer_policies.hpp>

#include "contracts/policy_play.hpp"
#include "suites/buffers/article.hpp"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace freehold::buffer_article_test {
namespace {

// The output of the article's program.
template <class Policy>
class printed_article {
public:
    // Some lines of the first listing's output.
    std::string events(std::uint64_t first, std::uint64_t count) {
        std::ostringstream text;
        if (first > 0) program_.run_to(first - 1);
        for (std::uint64_t i = 0; i < count; ++i) {
            const lab::buffers::article_event event = program_.step();
            text << ' ' << (event.is_get ? 'A' : 'F') << event.capacity;
            if (event.is_get) text << '/' << event.asked;
        }
        return text.str();
    }
    // Some lines of the second listing's output.
    std::string lines(std::uint64_t first, std::uint64_t last) {
        std::ostringstream text;
        for (std::uint64_t event = first; event <= last; event += 100) {
            const lab::buffers::article_state& state = program_.run_to(event);
            text << state.event << ": " << state.buffers << " buffers, " << state.asked << '/'
                 << state.handed_out << '=' << state.used_percent() << "% used\n";
        }
        return text.str();
    }

private:
    contracts::policy_play<Policy> buffers_;
    lab::buffers::article<contracts::policy_play<Policy>> program_{buffers_};
};

TEST(article, keep_largest_wastes_as_printed) {
    printed_article<keep_largest> article;
    EXPECT_EQ(article.lines(0, 500),
              "0: 1 buffers, 400/400=100% used\n"
              "100: 7 buffers, 4300/106600=4.03377% used\n"
              "200: 5 buffers, 1800/103800=1.7341% used\n"
              "300: 19 buffers, 9800/115800=8.46287% used\n"
              "400: 13 buffers, 5100/114000=4.47368% used\n"
              "500: 7 buffers, 2500/28100=8.8968% used\n");
    EXPECT_EQ(article.lines(37200, 37900),
              "37200: 65 buffers, 129000/2097100=6.15135% used\n"
              "37300: 55 buffers, 18100/2031400=0.891011% used\n"
              "37400: 35 buffers, 10400/2015800=0.515924% used\n"
              "37500: 43 buffers, 10700/1869100=0.572468% used\n"
              "37600: 49 buffers, 17200/1874000=0.917823% used\n"
              "37700: 75 buffers, 26000/1889900=1.37573% used\n"
              "37800: 89 buffers, 30300/1903100=1.59214% used\n"
              "37900: 91 buffers, 29600/1911900=1.5482% used\n");
}

TEST(article, keep_first_below_wastes_as_printed) {
    printed_article<keep_first_below> article;
    EXPECT_EQ(article.lines(0, 500),
              "0: 1 buffers, 400/400=100% used\n"
              "100: 7 buffers, 4300/4400=97.7273% used\n"
              "200: 5 buffers, 1800/1800=100% used\n"
              "300: 19 buffers, 9800/9800=100% used\n"
              "400: 13 buffers, 5100/5100=100% used\n"
              "500: 7 buffers, 2500/2600=96.1538% used\n");
    EXPECT_EQ(article.lines(37200, 37900),
              "37200: 65 buffers, 129000/130100=99.1545% used\n"
              "37300: 55 buffers, 18100/18700=96.7914% used\n"
              "37400: 35 buffers, 10400/11000=94.5455% used\n"
              "37500: 43 buffers, 10700/11000=97.2727% used\n"
              "37600: 49 buffers, 17200/18000=95.5556% used\n"
              "37700: 75 buffers, 26000/26800=97.0149% used\n"
              "37800: 89 buffers, 30300/31900=94.9843% used\n"
              "37900: 91 buffers, 29600/30600=96.732% used\n");
}

TEST(article, keep_largest_matches_the_sample_from_event_12101) {
    printed_article<keep_largest> article;
    EXPECT_EQ(article.events(12101, 65),
              " F102400 A102400/400 F800 F200 A800/100 A200/200 A400/400"
              " A400/400 A200/200 F1600 A1600/100 F100 F800 F25600 A25600/200"
              " F12800 A12800/200 F200 F400 A400/100 F200 A200/100 A200/200"
              " A100/100 F200 F3200 A3200/400 A200/200 F51200 F800 F25600"
              " F1600 F1600 A51200/100 F100 A100/100 F3200 F200 F409600 F100"
              " A409600/400 A100/100 F200 F3200 A3200/800 A400/400 F800 F3200"
              " F200 F12800 A12800/200 A100/100 F200 F25600 F400 F6400"
              " A25600/100 F100 F200 F400 F200 F800 F400 A800/800 A100/100");
}

}  // namespace
}  // namespace freehold::buffer_article_test
