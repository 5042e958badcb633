// Samples the tracks of clips, to compare animations of different formats.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/math.hpp"
#include "scene/scene.hpp"

namespace rigcast::test {

/// Returns the value of a track at a time in seconds. Interpolates linearly, and rotations by slerp.
inline std::vector<double> sampled(const Track& track, const Arena& arena, double time) {
    const auto times = arena.values(track.times);
    const auto values = arena.values(track.values);
    const std::size_t width = values.size() / times.size();
    const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), static_cast<float>(time)) - times.begin());
    const std::size_t from = after ? after - 1 : 0, to = std::min(after, times.size() - 1);
    const double span = double{times[to]} - times[from], share = span > 0 ? (time - times[from]) / span : 0;
    double first = 1 - share, second = share;
    if (track.path == Path::rotation) {
        double cosine = 0;
        for (std::size_t k = 0; k < 4; ++k) cosine += double{values[4 * from + k]} * values[4 * to + k];
        const double angle = std::acos(std::min(std::abs(cosine), 1.0));
        if (angle > 1e-6) {
            first = std::sin((1 - share) * angle) / std::sin(angle);
            second = std::sin(share * angle) / std::sin(angle);
        }
        if (cosine < 0) second = -second;
    }
    std::vector<double> value;
    for (std::size_t k = 0; k < width; ++k) value.push_back(first * values[width * from + k] + second * values[width * to + k]);
    return value;
}

/// Returns the track of a bone, or of a curve if `path` is weight, or nullptr.
inline const Track* findTrack(const Scene& scene, const Clip& clip, const std::string& name, Path path) {
    for (const Track& track : clip.tracks)
        if (track.path == path && scene.strings[path == Path::weight ? track.property : track.target] == name) return &track;
    return nullptr;
}

/// Expects equal values within 1e-4. Quaternions can have opposite signs.
inline void expectSameValue(const std::vector<double>& value, const std::vector<double>& expected, Path path) {
    ASSERT_EQ(value.size(), expected.size());
    double sign = 1;
    if (path == Path::rotation) {
        double cosine = 0;
        for (std::size_t k = 0; k < 4; ++k) cosine += value[k] * expected[k];
        sign = cosine < 0 ? -1 : 1;
    }
    for (std::size_t k = 0; k < value.size(); ++k) EXPECT_NEAR(sign * value[k], expected[k], 1e-4) << "component " << k;
}

}  // namespace rigcast::test
