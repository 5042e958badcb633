#include "formats/cast/euler.hpp"

#include <algorithm>
#include <cmath>

#include "core/order.hpp"

namespace rigcast {

namespace {

double angleAt(const EulerKeys& keys, double frame) {
    if (keys.empty()) return 0;
    const auto after = std::lower_bound(keys.begin(), keys.end(), std::pair<double, double>{frame, -1e300});
    if (after == keys.end()) return keys.back().second;
    if (after->first == frame || after == keys.begin()) return after->second;
    const auto before = after - 1;
    const double t = (frame - before->first) / (after->first - before->first);
    return before->second + (after->second - before->second) * t;
}

void sortOnce(Vector<double>& frames) {
    sortBy(frames, [](double frame) { return frame; });
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
}

}  // namespace

Vector<double> EulerAxes::frames(std::uint32_t& most) const {
    Vector<double> frames;
    for (const EulerKeys& axis : keys)
        for (const auto& key : axis) frames.push_back(key.first);
    sortOnce(frames);
    const double first = std::ceil(frames.front()), last = std::floor(frames.back());
    if (last > first && last - first < most) {
        for (double frame = first; frame <= last; ++frame) frames.push_back(frame);
        most -= static_cast<std::uint32_t>(last - first);
        sortOnce(frames);
    }
    return frames;
}

Quat EulerAxes::at(double frame) const {
    const auto axisRotation = [&](int axis) { return rotationAbout(axis, angleAt(keys[axis], frame)); };
    return normalized(axisRotation(2) * axisRotation(1) * axisRotation(0));
}

}  // namespace rigcast
