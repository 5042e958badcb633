#include "support/unreal.hpp"

#include <cmath>
#include <string>

#include "core/vector.hpp"

namespace rigcast::test {

using namespace unreal;

namespace {

constexpr float half = 0.70710678f;

Bone bone(const char* name, std::int32_t parent, std::int32_t children, float x, float y, float z) {
    Bone made;
    made.name = name;
    made.parent = parent;
    made.childCount = children;
    made.position[0] = x;
    made.position[1] = y;
    made.position[2] = z;
    return made;
}

/// Returns a key that is rotated by `angle` about z. If `isRoot` is true, uses the sign convention
/// of the root.
PsaDocument::Key key(const Bone& rest, float angle, bool isRoot) {
    PsaDocument::Key made;
    for (int i = 0; i < 3; ++i) made.position[i] = rest.position[i];
    made.orientation[2] = std::sin(angle / 2) * (isRoot ? 1.0f : -1.0f);
    made.orientation[3] = std::cos(angle / 2);
    return made;
}

}  // namespace

PskDocument plainArmDocument() {
    PskDocument arm;
    const float ring[4][2] = {{7, 7}, {-7, 7}, {-7, -7}, {7, -7}};  // y and z, counter-clockwise when seen from +X
    for (int r = 0; r < 4; ++r)
        for (const auto& corner : ring) arm.points.push_back({40.0f * static_cast<float>(r), corner[0], corner[1]});
    for (int r = 0; r < 4; ++r)
        for (int k = 0; k < 5; ++k)  // two wedges have the point at the seam
            arm.wedges.push_back({static_cast<std::uint32_t>(4 * r + k % 4), static_cast<float>(k) / 4, static_cast<float>(r) / 3, 0, 0});
    for (std::uint32_t r = 0; r < 3; ++r)
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t a = 5 * r + k, b = a + 1, c = a + 5, d = a + 6;
            arm.faces.push_back({{a, c, b}, 0, 0, 1});
            arm.faces.push_back({{b, c, d}, 0, 0, 1});
        }
    for (const bool isFar : {false, true}) {  // the caps have their own wedges
        const auto start = static_cast<std::uint32_t>(arm.wedges.size());
        for (std::uint32_t k = 0; k < 4; ++k)
            arm.wedges.push_back({(isFar ? 12u : 0u) + k, ring[k][0] / 14 + 0.5f, ring[k][1] / 14 + 0.5f, 1, 0});
        for (std::uint32_t k = 1; k < 3; ++k) arm.faces.push_back({{start, start + k + isFar, start + k + !isFar}, 1, 0, 2});
    }
    arm.materials.push_back({"Tube", 0, 0, 0, 0, 0, 0});
    arm.materials.push_back({"Cap", 1, 1, 0, 0, 0, 0});
    arm.bones = {bone("Root", 0, 1, 0, 0, 0), bone("Upper", 0, 1, 40, 0, 0), bone("Lower", 1, 0, 40, 0, 0)};
    for (std::int32_t point = 0; point < 16; ++point) {
        const std::int32_t ringIndex = point / 4;
        if (ringIndex == 2) {
            arm.influences.push_back({0.75f, point, 2});
            arm.influences.push_back({0.25f, point, 1});
        } else {
            arm.influences.push_back({1, point, std::min(ringIndex, 2)});
        }
    }
    return arm;
}

PskDocument armDocument() {
    PskDocument arm = plainArmDocument();
    for (auto& wedge : arm.wedges) {
        const auto u = static_cast<std::uint8_t>(wedge.u * 255), v = static_cast<std::uint8_t>(wedge.v * 255);
        arm.colors.push_back({u, v, static_cast<std::uint8_t>(255 - u), 255});
    }
    arm.extraUvs.resize(3);
    for (const auto& wedge : arm.wedges) {
        arm.extraUvs[0].push_back({wedge.v, wedge.u});
        arm.extraUvs[1].push_back({2 * wedge.u, 2 * wedge.v});
        arm.extraUvs[2].push_back({0.25f, 0.75f});
    }
    for (const auto& point : arm.points) arm.normals.push_back({0, point.y > 0 ? half : -half, point.z > 0 ? half : -half});
    Vector<PskDocument::MorphDelta> bulge, shift;
    for (std::int32_t p = 4; p < 12; ++p) {
        const auto& point = arm.points[static_cast<std::size_t>(p)];
        bulge.push_back({{0, -point.y / 2, point.z / 2}, {0, 0, 0}, p});
    }
    for (std::int32_t p = 12; p < 16; ++p) shift.push_back({{0, 5, 0}, {0.125f, 0, 0}, p});
    arm.addMorph("Bulge", bulge);
    arm.addMorph("ShiftY", shift);
    arm.sockets.push_back({"Grip", "Lower", {40, 0, 0}, {0, 90, 0}, {1, 1, 1}});
    arm.sockets.push_back({"Pivot", "", {0, 10, 0}, {0, 0, 0}, {2, 1, 0.5f}});
    return arm;
}

PsaDocument armAnimations() {
    PsaDocument animations;
    animations.tracks = plainArmDocument().bones;
    const auto& rest = animations.tracks;
    const auto frame = [&](Vector<PsaDocument::Key>& keys, float root, float upper, float lower) {
        keys.push_back(key(rest[0], root, true));
        keys.push_back(key(rest[1], upper, false));
        keys.push_back(key(rest[2], lower, false));
    };
    Vector<PsaDocument::Key> bend, walk, pose;
    for (int f = 0; f < 5; ++f) frame(bend, 0, 0.25f * static_cast<float>(f), 0.5f * static_cast<float>(f));
    animations.addSequence("Bend", 30, bend);
    animations.addCurves({{"Bulge", {0, 0.25f, 0.5f, 0.75f, 1}}, {"ShiftY", {1, 1, 1, 1, 1}}});
    for (int f = 0; f < 3; ++f) {
        frame(walk, 0.1f * static_cast<float>(f), 0, -0.5f);
        walk[walk.size() - 3].position[0] = 50.0f * static_cast<float>(f);
    }
    auto& loco = animations.addSequence("Walk Fwd", 24.4f, walk);
    loco.group = "Loco";
    loco.scaleInclude = 1;
    for (int f = 0; f < 3; ++f)
        for (int b = 0; b < 3; ++b) {
            PsaDocument::ScaleKey scale;
            if (b == 2) scale.scale[0] = 1 + 0.5f * static_cast<float>(f);  // Lower grows along the arm
            animations.scaleKeys.push_back(scale);
        }
    animations.addCurves({});
    frame(pose, 0, 1.5f, 0.5f);
    animations.addSequence("Pose", 30, pose);
    animations.addCurves({});
    return animations;
}

PskDocument gridDocument(std::uint32_t side, std::uint32_t bones) {
    PskDocument grid;
    const auto share = [&](std::uint32_t i) { return static_cast<float>(i) / static_cast<float>(side - 1); };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const std::uint32_t point = y * side + x;
            grid.points.push_back({200 * share(x), 200 * share(y), 10 * std::sin(20 * share(x)) * std::cos(20 * share(y))});
            grid.wedges.push_back({point, share(x), share(y), 0, 0});
            const float at = share(x) * static_cast<float>(bones - 1);
            const auto first = static_cast<std::int32_t>(at);
            const float rest = at - static_cast<float>(first);
            grid.influences.push_back({1 - rest, static_cast<std::int32_t>(point), first});
            if (rest > 0) grid.influences.push_back({rest, static_cast<std::int32_t>(point), first + 1});
        }
    for (std::uint32_t y = 0; y + 1 < side; ++y)
        for (std::uint32_t x = 0; x + 1 < side; ++x) {
            const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
            grid.faces.push_back({{a, c, b}, 0, 0, 1});
            grid.faces.push_back({{b, c, d}, 0, 0, 1});
        }
    grid.materials.push_back({"Grid", 0, 0, 0, 0, 0, 0});
    for (std::uint32_t i = 0; i < bones; ++i) {
        const float step = 200 / static_cast<float>(bones > 1 ? bones - 1 : 1);
        grid.bones.push_back(
            bone(("Bone" + std::to_string(i)).c_str(), static_cast<std::int32_t>(i ? i - 1 : 0), i + 1 < bones, i ? step : 0, 0, 0));
    }
    return grid;
}

PsaDocument manyAnimations(std::uint32_t sequences, std::uint32_t bones, std::uint32_t frames) {
    PsaDocument animations;
    animations.tracks = gridDocument(2, bones).bones;
    for (std::uint32_t s = 0; s < sequences; ++s) {
        Vector<PsaDocument::Key> keys;
        for (std::uint32_t f = 0; f < frames; ++f)
            for (std::uint32_t b = 0; b < bones; ++b) {
                keys.push_back(key(animations.tracks[b], 0.3f * std::sin(0.1f * static_cast<float>(f + b + s)), b == 0));
                keys.back().position[2] = 0.1f * static_cast<float>(f % 7);
            }
        animations.addSequence("Motion" + std::to_string(s), 30, keys);
    }
    return animations;
}

}  // namespace rigcast::test
