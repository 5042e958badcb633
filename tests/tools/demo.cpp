// rigcast_demo FOLDER: generates Pip the fox, a demo of the viewer, as Unreal files: Pip.psk,
// Pip.psa, and Pip_D.rgb (1024 x 512 pixels, three bytes each), which demo.mjs converts to PNG. All
// values are rounded before they are written, so that every run produces the same bytes.
#include <cstdio>
#include <functional>
#include <string>

#include "core/vector.hpp"
#include "fox.hpp"
#include "support/writers/unreal.hpp"

namespace rigcast {
namespace {

using namespace fox;
using unreal::PsaDocument;
using unreal::PskDocument;

constexpr double unitsPerMetre = 100;
constexpr double rate = 24;

// Converts a vector from scene space (Y up) to file space (Z up), the inverse of psk-psa.md section
// 6.1, and stores it.
void store(float (&out)[3], V3 v, double scale, double steps) {
    out[0] = rounded(v.x * scale, steps), out[1] = rounded(-v.z * scale, steps), out[2] = rounded(v.y * scale, steps);
}
PskDocument::Point toFile(V3 v, double scale, double steps) {
    float f[3];
    store(f, v, scale, steps);
    return {f[0], f[1], f[2]};
}

/// Differences of all bones from the rest pose at one time.
struct Pose {
    std::array<V3, boneCount> move{};
    std::array<Turn, boneCount> turn{};
    double smile = 0, blink = 0;
};

V3 localRest(int bone) { return bones[bone].parent < 0 ? bones[bone].at : bones[bone].at - bones[bones[bone].parent].at; }

/// Stores the rotation of a bone as a quaternion, which is conjugated except for the root. The rest
/// rotation of every bone is the identity.
void storeTurn(float (&out)[4], Turn q, bool isRoot) {
    const double sign = isRoot ? 1 : -1;
    out[0] = rounded(sign * q.x, 1e6), out[1] = rounded(sign * -q.z, 1e6), out[2] = rounded(sign * q.y, 1e6), out[3] = rounded(q.w, 1e6);
}

Vector<unreal::Bone> makeBones() {
    Vector<unreal::Bone> list(boneCount);
    for (int i = 0; i < boneCount; ++i) {
        list[i].name = bones[i].name;
        list[i].parent = std::max(bones[i].parent, 0);
        if (bones[i].parent >= 0) ++list[bones[i].parent].childCount;
        store(list[i].position, localRest(i), unitsPerMetre, 1e4);
    }
    return list;
}

PskDocument makeModel(const Mesh& mesh) {
    PskDocument document;
    for (std::size_t i = 0; i < mesh.points.size(); ++i) {
        const Point& point = mesh.points[i];
        document.points.push_back(toFile(point.at, unitsPerMetre, 1e3));
        document.normals.push_back(toFile(point.normal, 1, 1e4));
        for (const auto& [bone, weight] : point.weights)
            document.influences.push_back({rounded(weight, 1e4), static_cast<std::int32_t>(i), static_cast<std::int32_t>(bone)});
    }
    for (const Wedge& wedge : mesh.wedges)
        document.wedges.push_back({static_cast<std::uint32_t>(wedge.point), rounded(wedge.u, 1e5), rounded(wedge.v, 1e5)});
    for (const auto& [a, b, c] : mesh.faces)  // clockwise in the file
        document.faces.push_back({{static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(c), static_cast<std::uint32_t>(b)}});
    document.materials.push_back({.name = "Pip"});
    document.bones = makeBones();
    for (const auto& [name, deltas] : mesh.morphs) {
        Vector<PskDocument::MorphDelta> list;
        for (const auto& [point, delta] : deltas) {
            PskDocument::MorphDelta& stored = list.emplace_back();
            store(stored.position, delta, unitsPerMetre, 1e3);
            stored.position[1] = -stored.position[1] + 0.0f;  // morphs are in Unreal's space
            stored.point = point;
        }
        document.addMorph(name, list);
    }
    return document;
}

void addAnimation(PsaDocument& document, const char* name, int frames, const std::function<Pose(double)>& poseAt) {
    Vector<PsaDocument::Key> keys;
    PsaDocument::Curve smile{"Smile", {}}, blink{"Blink", {}};
    for (int frame = 0; frame <= frames; ++frame) {
        // The last frame equals the first, so that the animation loops without a jump.
        const Pose pose = poseAt(static_cast<double>(frame % frames) / frames);
        for (int bone = 0; bone < boneCount; ++bone) {
            PsaDocument::Key& key = keys.emplace_back();
            store(key.position, localRest(bone) + pose.move[bone], unitsPerMetre, 1e4);
            storeTurn(key.orientation, pose.turn[bone], bone == root);
        }
        smile.weights.push_back(rounded(pose.smile, 1e3));
        blink.weights.push_back(rounded(pose.blink, 1e3));
    }
    document.addSequence(name, static_cast<float>(rate), keys);
    document.addCurves({smile, blink});
}

void wagTail(Pose& pose, double t, double turns, double strength) {
    for (int i = 0; i < 5; ++i)
        pose.turn[tail1 + i] =
            turned(0.05 * strength * wave(t, turns, -0.12 * i), strength * (0.10 + 0.025 * i) * wave(t, turns, -0.09 * i),
                   0.07 * strength * wave(t, turns, 0.2 - 0.1 * i));
}

Pose waving(double t) {
    Pose pose;
    pose.move[hips] = {0.006 * wave(t), 0.005 * wave(t, 2), 0};
    pose.turn[hips] = turned(0, 0.05 * wave(t), 0.035 * wave(t));
    pose.turn[chest] = turned(0.02 * wave(t, 2, 0.1), 0, 0.05 - 0.05 * wave(t));
    pose.turn[head] = turned(0.03 * wave(t, 2), -0.10 + 0.06 * wave(t, 1, 0.1), -0.13 + 0.05 * wave(t, 1, 0.25));
    const double flick = bump(t, 0.3, 0.05) - 0.6 * bump(t, 0.36, 0.05);
    pose.turn[earL] = turned(0.03 * wave(t, 2), 0, -0.06 + 0.28 * flick);
    pose.turn[earR] = turned(0.03 * wave(t, 2, 0.2), 0, 0.05);
    pose.turn[armR] = turned(0.12, 0.25, -1.42 + 0.10 * wave(t, 3));
    pose.turn[foreArmR] = turned(0, 0, -0.32 + 0.50 * wave(t, 3, -0.12));
    pose.turn[armL] = turned(0.1, 0, -0.28 + 0.07 * wave(t, 1, 0.3));
    pose.turn[foreArmL] = turned(0, 0.15, -0.18 + 0.08 * wave(t, 1, 0.2));
    wagTail(pose, t, 2, 1.0);
    pose.smile = 0.75 + 0.25 * wave(t, 1, 0.6);
    pose.blink = std::max(bump(t, 0.62, 0.07), 0.0);
    return pose;
}

Pose hopping(double t) {
    Pose pose;
    const double p = t * 2 - std::floor(t * 2);  // two hops per loop, one to each side
    const double air = p > 0.22 && p < 0.82 ? 4 * (p - 0.22) / 0.6 * (1 - (p - 0.22) / 0.6) : 0;
    const double crouch = std::sin(M_PI * std::clamp(p < 0.5 ? p / 0.22 : (1 - p) / 0.18, 0.0, 1.0));
    const double side = -std::cos(2 * M_PI * t);
    const double lag = wave(t, 2, -0.30);
    const V3 up{0.045 * side, 0.12 * air, 0};
    pose.move[legL] = up, pose.move[legR] = up;
    pose.move[hips] = up + V3{0, 0.012 * air - 0.045 * crouch, 0};
    pose.turn[hips] = turned(0.10 * crouch, 0.16 * side, -0.10 * side);
    pose.turn[chest] = turned(0.10 * crouch - 0.06 * air, 0.10 * side, 0.08 * side);
    pose.turn[head] = turned(-0.16 * crouch + 0.08 * air, -0.14 * side, 0.16 * side);
    pose.turn[earL] = turned(0, 0, -0.16 * lag), pose.turn[earR] = turned(0, 0, 0.16 * lag);
    const double spread = 0.25 + 0.75 * air - 0.25 * crouch;
    pose.turn[armL] = turned(0, -0.2, spread + 0.18 * side), pose.turn[armR] = turned(0, 0.2, -spread + 0.18 * side);
    pose.turn[foreArmL] = turned(0, -0.25, 0.25 + 0.3 * lag), pose.turn[foreArmR] = turned(0, 0.25, -0.25 - 0.3 * lag);
    pose.turn[legL] = turned(-0.35 * air, 0, 0.22 * air + 0.05 * crouch),
    pose.turn[legR] = turned(-0.35 * air, 0, -0.22 * air - 0.05 * crouch);
    pose.turn[footL] = turned(0.45 * air, 0, 0), pose.turn[footR] = turned(0.45 * air, 0, 0);
    wagTail(pose, t, 2, 0.7);
    for (int i = 0; i < 5; ++i) pose.turn[tail1 + i] = turned(0.13 * wave(t, 2, -0.28 - 0.05 * i), 0.1 * side, 0) * pose.turn[tail1 + i];
    pose.smile = 0.7 + 0.3 * air;
    pose.blink = std::clamp(1.4 * air * (side > 0 ? 1 : 0), 0.0, 1.0);
    return pose;
}

int run(const std::string& folder) {
    const Shape shape;
    const Mesh mesh = makeMesh(shape, 0.040);
    PsaDocument animations;
    animations.tracks = makeBones();
    addAnimation(animations, "Wave", 48, waving);
    addAnimation(animations, "Hop", 32, hopping);
    if (!save(folder + "/Pip.psk", unreal::write(makeModel(mesh))) || !save(folder + "/Pip.psa", unreal::write(animations)) ||
        !save(folder + "/Pip_D.rgb", paintPicture(shape))) {
        std::fprintf(stderr, "cannot write into %s\n", folder.c_str());
        return 1;
    }
    std::printf("%zu points, %zu corners, %zu faces\n", mesh.points.size(), mesh.wedges.size(), mesh.faces.size());
    return 0;
}

}  // namespace
}  // namespace rigcast

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: rigcast_demo FOLDER\n");
        return 2;
    }
    return rigcast::run(arguments[1]);
}
