// SPDX-License-Identifier: BSL-1.0
// biased_shared_ptr: a camera keeps its last frames, and gives every tenth to threads that find the
// brightest. Copies on the camera's thread are counted without a locked instruction. The camera
// calls share() on the frames that it gives away, so the other threads need not revoke its bias.
#include <freehold/count/biased_count.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include "require.hpp"

#include <atomic>
#include <deque>
#include <future>
#include <numeric>
#include <utility>
#include <vector>

namespace {

struct frame {
    frame(int taken_as, int light) : number(taken_as), pixels(256, light) { ++alive; }
    frame(const frame&) = delete;
    frame& operator=(const frame&) = delete;
    ~frame() { --alive; }
    [[nodiscard]] int brightness() const {
        return std::accumulate(pixels.begin(), pixels.end(), 0);
    }

    const int number;
    const std::vector<int> pixels;
    static inline std::atomic<int> alive{0};
};

using frame_ptr = freehold::biased_shared_ptr<frame>;

frame_ptr find_brightest(const std::vector<frame_ptr>& frames) {
    frame_ptr brightest;
    for (const frame_ptr& next : frames) {
        if (!brightest || next->brightness() > brightest->brightness()) brightest = next;
    }
    return brightest;
}

}  // namespace

int main() {
    std::puts("A camera takes 1000 frames, keeps 8, and gives every tenth to other threads:");
    std::deque<frame_ptr> recent;
    std::vector<frame_ptr> batch;
    std::vector<std::future<frame_ptr>> searches;
    for (int number = 1; number <= 1000; ++number) {
        auto taken = freehold::make_shared<frame, freehold::biased_count>(number, number % 97);
        recent.push_back(taken);
        if (recent.size() > 8) recent.pop_front();
        if (number % 10 == 0) {
            taken.share();
            batch.push_back(std::move(taken));
        }
        if (number % 250 == 0) {
            searches.push_back(std::async(std::launch::async, find_brightest, std::move(batch)));
            batch.clear();
        }
    }
    std::vector<frame_ptr> found;
    for (std::future<frame_ptr>& search : searches) found.push_back(search.get());
    const frame_ptr brightest = find_brightest(found);
    require(brightest->number == 290, "the brightest of those that were given away");

    searches.clear();
    found.clear();
    require(recent.size() == 8 && frame::alive == 9, "it and the last 8 are all that is left");
    recent.clear();
    require(frame::alive == 1 && brightest.use_count() == 1, "and it does not need the camera");
}
