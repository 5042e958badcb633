#include "support/ueFixtures.hpp"

#include <cmath>

#include "support/unreal.hpp"

namespace rigcast::test {

UeAnimSpec ueBend() {
    const unreal::PsaDocument psa = armAnimations();
    UeAnimSpec spec;
    spec.frames = 5;
    spec.rate = 30;
    const std::size_t bones = psa.tracks.size();
    for (std::size_t bone = 0; bone < bones; ++bone) {
        UeTrackSpec track{.bone = std::string(psa.tracks[bone].name.view())};
        for (std::int32_t frame = 0; frame < spec.frames; ++frame) {
            // A PSA is mirrored in Y. Its rotations are conjugated except for those of the root.
            const auto& key = psa.keys[static_cast<std::size_t>(frame) * bones + bone];
            const double side = bone == 0 ? 1 : -1;
            track.position.push_back({frame, {key.position[0], -key.position[1], key.position[2]}});
            track.rotation.push_back(
                {frame, {-side * key.orientation[0], side * key.orientation[1], -side * key.orientation[2], key.orientation[3]}});
        }
        track.position.resize(1);
        track.scale = {{0, {1, 1, 1}}};
        spec.tracks.push_back(std::move(track));
    }
    spec.curves = {{"Bulge", {{0, 0.f}, {4, 1.f}}}, {"ShiftY", {{0, 1.f}}}};
    return spec;
}

UePosesSpec ueArmPoses() {
    const double half = std::sqrt(0.5);
    return {{{"Reach", {{"Upper", {10, 0, 0}, {0, 0, half, half}}, {"Lower", {}, {}, {0, 0.5, 0}}}}, {"Puff", {}, {{0, 0.75f}}}},
            {"Bulge"}};
}

UeWorldSpec ueYard() { return {{{77, makeUeModel(ueArm(), 0)}}, {{77, "Near"}, {77, "Far", {100, -50, 0}, {0, -90, 0}, {2, 2, 2}}}}; }

Vector<std::pair<std::string, Vector<std::uint8_t>>> ueFixtures() {
    return {{"arm.uemodel", makeUeModel(ueArm())},    {"arm-v05.uemodel", makeUeModel(ueArm(), 5)},
            {"bend.ueanim", makeUeAnim(ueBend())},    {"bend-v05.ueanim", makeUeAnim(ueBend(), 5)},
            {"grow.ueanim", makeUeAnim(ueArmAnim())}, {"reach.uepose", makeUePoses(ueArmPoses())},
            {"yard.ueworld", makeUeWorld(ueYard())}};
}

}  // namespace rigcast::test
