// Compares recordings with a reconstructed w (which toolkit 2.6.0 to 2.7.2 lost) with the same
// recordings without damage, for every rotation key of every joint in the scene. The error of at
// least 98 % of the keys of bones must be below 5 degrees.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "core/code.hpp"
#include "core/json.hpp"
#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "support/takes.hpp"

namespace rigcast {
namespace {

struct Opened {
    Scene scene;
    Arena arena;
    Diagnostics diagnostics;

    explicit Opened(const Vector<std::uint8_t>& bytes, std::string_view options = "{}") {
        const Value parsed = parseJson(options);
        openScene({.bytes = bytes, .name = "take.bin", .options = &parsed, .supplied = {}}, {}, scene, arena, diagnostics);
    }
    bool found(Code code) const {
        return std::any_of(diagnostics.findings().begin(), diagnostics.findings().end(),
                           [=](const Finding& finding) { return finding.code == code; });
    }
};

/// Interpolates components linearly and normalizes the result, as playback does for such tracks.
Quat rotationAt(std::span<const float> times, std::span<const float> values, float t) {
    const auto at = [&](std::size_t key) { return Quat{values[4 * key], values[4 * key + 1], values[4 * key + 2], values[4 * key + 3]}; };
    const auto next = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), t) - times.begin());
    if (next == 0) return at(0);
    if (next == times.size()) return at(next - 1);
    const Quat a = at(next - 1), b = at(next);
    const double u = (t - times[next - 1]) / (times[next] - times[next - 1]);
    return normalized({a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u, a.z + (b.z - a.z) * u, a.w + (b.w - a.w) * u});
}

struct Share {
    std::size_t near = 0, keys = 0;
    double fraction() const { return keys ? static_cast<double>(near) / static_cast<double>(keys) : 0; }
};

struct Comparison {
    Share bones, tips, camera;
};

bool isTip(std::string_view name) { return name.size() >= 4 && name.substr(name.size() - 4) == "-tip"; }

/// Counts the keys of `mended` that differ from `sound` at the same time by at most 5 degrees.
Comparison compare(const Opened& mended, const Opened& sound) {
    Comparison agreement;
    for (const Track& track : mended.scene.clips.at(0).tracks) {
        if (track.path != Path::rotation || track.component != allComponents) continue;
        const auto& others = sound.scene.clips.at(0).tracks;
        const auto other = std::find_if(others.begin(), others.end(), [&](const Track& candidate) {
            return candidate.node == track.node && candidate.path == Path::rotation && candidate.component == allComponents;
        });
        if (other == others.end()) continue;
        const std::string_view name = mended.scene.strings[track.target];
        Share& share = name == "camera" ? agreement.camera : isTip(name) ? agreement.tips : agreement.bones;
        const auto times = mended.arena.values(track.times), values = mended.arena.values(track.values);
        const auto otherTimes = sound.arena.values(other->times), otherValues = sound.arena.values(other->values);
        for (std::size_t key = 0; key < times.size(); ++key) {
            const Quat a{values[4 * key], values[4 * key + 1], values[4 * key + 2], values[4 * key + 3]};
            const Quat b = rotationAt(otherTimes, otherValues, times[key]);
            const double dot = std::min(1.0, std::fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w));
            share.near += 2 * std::acos(dot) <= 5 * std::numbers::pi / 180;
            ++share.keys;
        }
    }
    return agreement;
}

void expectNear(const Comparison& agreement, double bones, double tips) {
    EXPECT_GT(agreement.bones.keys, 1000u);
    EXPECT_GE(agreement.bones.fraction(), bones);
    EXPECT_GE(agreement.tips.fraction(), tips);
    EXPECT_GE(agreement.camera.fraction(), 0.98);
    std::printf("within 5 degrees: %.2f %% of %zu keys of bones, %.2f %% of %zu of tips, %.2f %% of %zu of the head\n",
                100 * agreement.bones.fraction(), agreement.bones.keys, 100 * agreement.tips.fraction(), agreement.tips.keys,
                100 * agreement.camera.fraction(), agreement.camera.keys);
}

TEST(MrtkLostW, isRebuiltWithinFiveDegreesForTumblingHands) {
    const auto damaged = turningHands(true), whole = turningHands(false);
    const Opened mended(damaged), sound(whole);
    EXPECT_TRUE(mended.found(Code::ROTATION_W_LOST));
    EXPECT_FALSE(sound.found(Code::ROTATION_W_LOST));
    expectNear(compare(mended, sound), 0.98, 0.95);
    // Without repair most rotations are wrong.
    const Opened left(damaged, R"({"mrtk":{"rebuildW":false}})");
    EXPECT_LT(compare(left, sound).bones.fraction(), 0.5);
}

Vector<std::uint8_t> corpusFile(const std::string& path) {
    std::ifstream file(std::string(RIGCAST_ROOT) + "/../shared/corpus/mrtk/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Pair {
    const char *damaged, *sound;
};

class MrtkLostWPair : public testing::TestWithParam<Pair> {};

TEST_P(MrtkLostWPair, isRebuiltWithinFiveDegrees) {
    const auto damaged = corpusFile("generated/valid/" + std::string(GetParam().damaged) + ".bin"),
               sound = corpusFile("generated/valid/" + std::string(GetParam().sound) + ".bin");
    if (damaged.empty() || sound.empty()) GTEST_SKIP() << "../shared/corpus/mrtk is not there";
    const Opened mended(damaged);
    EXPECT_TRUE(mended.found(Code::ROTATION_W_LOST));
    expectNear(compare(mended, Opened(sound)), 0.98, 0.9);
}

INSTANTIATE_TEST_SUITE_P(Corpus, MrtkLostWPair,
                         testing::Values(Pair{"v11_rec_full_wbug", "v11_rec_full"}, Pair{"v11_rec_full_wbug_nopart", "v11_rec_full_nopart"},
                                         Pair{"v11_rec_spin_wbug", "v11_rec_spin"}),
                         [](const auto& info) { return std::string(info.param.damaged); });

}  // namespace
}  // namespace rigcast
