#include "support/takes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/math.hpp"
#include "core/vector.hpp"
#include "formats/mrtk/joints.hpp"
#include "support/writers/mrtk.hpp"

namespace rigcast {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double seconds = 5;
constexpr int framesPerSecond = 12;

/// Joint positions of a right hand at rest, in file order, in metres and in the frame of the hand
/// with Unity's axes: the fingers point to +z, the back of the hand faces +y, and the thumb is at
/// -x.
constexpr std::array<Vec3, jointCount> restHand = {{
    {0, 0, 0},
    {0, 0, 0},
    {0, -0.006, 0.046},
    {-0.024, -0.010, 0.018},
    {-0.045, -0.018, 0.046},
    {-0.058, -0.022, 0.076},
    {-0.066, -0.024, 0.101},
    {-0.015, 0.000, 0.024},
    {-0.024, 0.002, 0.090},
    {-0.027, 0.000, 0.131},
    {-0.028, -0.003, 0.155},
    {-0.029, -0.007, 0.178},
    {-0.004, 0.002, 0.024},
    {-0.002, 0.004, 0.094},
    {-0.002, 0.002, 0.139},
    {-0.002, -0.001, 0.167},
    {-0.002, -0.005, 0.192},
    {0.008, 0.001, 0.022},
    {0.018, 0.002, 0.088},
    {0.021, 0.000, 0.129},
    {0.022, -0.003, 0.155},
    {0.023, -0.007, 0.178},
    {0.018, -0.001, 0.020},
    {0.036, -0.002, 0.078},
    {0.041, -0.004, 0.110},
    {0.043, -0.007, 0.129},
    {0.044, -0.010, 0.149},
}};

double smoothStep(double from, double to, double t) {
    const double u = std::clamp((t - from) / (to - from), 0.0, 1.0);
    return u * u * (3 - 2 * u);
}

Quat about(Vec3 axis, double angle) {
    const double s = std::sin(angle / 2);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

/// Bends the last joints of a finger towards the palm. Each rotates about x.
void curl(std::array<Vec3, jointCount>& hand, int knuckle, double angle) {
    for (int joint = knuckle; joint < knuckle + 3; ++joint) {
        const Quat turn = about({1, 0, 0}, angle);
        const Vec3 pivot = hand[static_cast<std::size_t>(joint)];
        for (int child = joint + 1; child <= knuckle + 3; ++child) {
            Vec3& point = hand[static_cast<std::size_t>(child)];
            point = pivot + rotate(turn, point - pivot);
        }
    }
}

/// Moves a fingertip towards `target` without changing bone lengths (FABRIK).
void reach(std::array<Vec3, jointCount>& hand, int first, int last, Vec3 target) {
    std::array<double, 4> lengths{};
    const auto at = [&](int joint) -> Vec3& { return hand[static_cast<std::size_t>(joint)]; };
    const auto bone = [&](int joint) -> double& { return lengths[static_cast<std::size_t>(joint - first)]; };
    for (int joint = first; joint < last; ++joint) bone(joint) = length(at(joint + 1) - at(joint));
    const auto keep = [](Vec3 from, Vec3 towards, double size) {
        const Vec3 way = towards - from;
        return from + way * (size / length(way));
    };
    const Vec3 base = at(first);
    for (int round = 0; round < 12; ++round) {
        at(last) = target;
        for (int joint = last - 1; joint >= first; --joint) at(joint) = keep(at(joint + 1), at(joint), bone(joint));
        at(first) = base;
        for (int joint = first; joint < last; ++joint) at(joint + 1) = keep(at(joint), at(joint + 1), bone(joint));
    }
}

/// Returns the frame of a joint: +z along `along`, +y as close to `up` as possible.
Quat frame(Vec3 along, Vec3 up) {
    const Vec3 z = along * (1 / length(along));
    Vec3 x = cross(up, z);
    x = x * (1 / length(x));
    const Vec3 y = cross(z, x);
    return decompose({{x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, 0, 0, 0, 1}}).rotation;
}

class Take {
public:
    explicit Take(MrtkBuilder& builder) : draft_(builder), keys_(builder.document().curveTotal()) {}

    void add(std::size_t curve, double time, double value) {
        auto& keys = keys_[curve];
        // The tangents of these keys do not form a straight line.
        const auto straight = [&] {
            const MrtkKey &a = keys[keys.size() - 2], &b = keys.back();
            const double u = (b.time - a.time) / (time - a.time);
            return std::fabs(a.value + (value - a.value) * u - b.value) < 2e-5;
        };
        if (keys.size() >= 2 && straight()) keys.pop_back();
        keys.push_back({.time = static_cast<float>(time), .value = static_cast<float>(value)});
    }
    void state(std::size_t curve, double time, bool on) {
        auto& keys = keys_[curve];
        if (keys.empty() || (keys.back().value > 0.5f) != on) keys.push_back({.time = static_cast<float>(time), .value = on ? 1.f : 0.f});
    }
    void pose(std::size_t first, double time, Vec3 p, Quat q) {
        const double numbers[] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
        for (std::size_t i = 0; i < 7; ++i) add(first + i, time, numbers[i]);
    }
    void finish() {
        for (std::size_t curve = 0; curve < keys_.size(); ++curve) draft_.setCurve(curve, keys_[curve]);
    }

private:
    MrtkBuilder& draft_;
    Vector<Vector<MrtkKey>> keys_;
};

double pinchAt(double t) {
    return std::max(smoothStep(2.7, 2.95, t) * (1 - smoothStep(3.2, 3.4, t)), smoothStep(3.55, 3.75, t) * (1 - smoothStep(3.95, 4.15, t)));
}

/// Joint positions of a hand at one time, in world space.
struct HandPose {
    std::array<Vec3, jointCount> position;
    std::array<Quat, jointCount> rotation;
};

HandPose handAt(bool right, double t) {
    const double pinch = right ? pinchAt(t) : 0, wave = smoothStep(0.7, 1.1, t) * (1 - smoothStep(2.3, 2.6, t));
    std::array<Vec3, jointCount> hand = restHand;
    constexpr int knuckles[] = {8, 13, 18, 23};
    for (int finger = 0; finger < 4; ++finger) {
        const double flutter = wave * 7 * std::sin(2 * std::numbers::pi * (1.5 * t - 0.09 * finger));
        const double relaxed = 9 + 2 * finger + (finger ? 16 * pinch : 0);
        curl(hand, knuckles[finger], (relaxed + flutter) * degree);
    }
    if (pinch > 0) {
        const Vec3 meeting{-0.047, -0.048, 0.112};
        const auto mixed = [&](int joint) {
            const Vec3 tip = hand[static_cast<std::size_t>(joint)];
            return tip + (meeting - tip) * pinch;
        };
        const Vec3 thumb = mixed(6), index = mixed(11);
        reach(hand, 3, 6, thumb);
        reach(hand, 8, 11, index);
    }
    // The hand is raised in front of the shoulder, with fingers up and palm forward, and waves
    // about the normal of the palm.
    const double rise = smoothStep(right ? 0.0 : 0.25, right ? 0.7 : 0.95, t) * (1 - 0.7 * smoothStep(4.4, 5.0, t)), side = right ? 1 : -1;
    const double swing = side * (4 + 17 * wave * std::sin(2 * std::numbers::pi * 1.5 * t + (right ? 0 : 0.6)));
    const Quat upright = about({1, 0, 0}, -(25 + 55 * rise) * degree), turned = about({0, 0, 1}, -swing * degree);
    const Vec3 wrist{side * 0.17, 1.12 + 0.22 * rise, 0.42 - 0.02 * rise};
    const Quat whole = turned * upright;
    HandPose pose;
    for (std::size_t joint = 0; joint < jointCount; ++joint) {
        const Vec3 local{side * hand[joint].x, hand[joint].y, hand[joint].z};  // the left hand is a mirrored right hand
        pose.position[joint] = wrist + rotate(whole, local);
    }
    const Vec3 back = rotate(whole, {0, 1, 0});
    for (std::size_t joint = 1; joint < jointCount; ++joint) {
        const int along = joints[joint].along;
        pose.rotation[joint] = along < 0 ? pose.rotation[static_cast<std::size_t>(joints[joint].parent)]
                                         : frame(pose.position[static_cast<std::size_t>(along)] - pose.position[joint], back);
    }
    return pose;
}

}  // namespace

Vector<std::uint8_t> wavingHands() {
    MrtkBuilder builder(1, true, true, true);
    const MrtkDocument& document = builder.document();
    Take take(builder);
    for (int frameIndex = 0; frameIndex <= seconds * framesPerSecond; ++frameIndex) {
        const double t = static_cast<double>(frameIndex) / framesPerSecond;
        const Vec3 head{0.01 * std::sin(t), 1.6 + 0.004 * std::sin(2.3 * t), 0.01 * std::sin(0.7 * t)};
        const Quat look = about({0, 1, 0}, (5 * std::sin(0.9 * t)) * degree) * about({1, 0, 0}, 16 * degree);
        take.pose(document.cameraStart(), t, head, look);
        Vec3 attention;
        for (int hand = 0; hand < 2; ++hand) {
            const bool right = hand == 1, tracked = right || t >= 0.25;
            take.state(document.stateStart() + static_cast<std::size_t>(hand), t, tracked);
            take.state(document.stateStart() + 2 + static_cast<std::size_t>(hand), t, right && pinchAt(t) > 0.8);
            const HandPose pose = handAt(right, t);
            const double interest = right ? smoothStep(1.4, 1.8, t) : 1 - smoothStep(1.4, 1.8, t);
            attention = attention + pose.position[11] * interest;
            if (!tracked) continue;
            for (int joint = 1; joint < jointCount; ++joint)
                take.pose(document.jointStart(hand, joint), t, pose.position[static_cast<std::size_t>(joint)],
                          pose.rotation[static_cast<std::size_t>(joint)]);
        }
        Vec3 gaze = attention - head;
        gaze = gaze * (1 / length(gaze));
        const double ray[] = {head.x, head.y, head.z, gaze.x, gaze.y, gaze.z};
        for (std::size_t i = 0; i < 6; ++i) take.add(document.gazeStart() + i, t, ray[i]);
    }
    take.finish();
    builder.addMarker(0.7f, "hello");
    builder.addMarker(2.75f, "pinch");
    builder.addMarker(4.4f, "bye");
    return builder.write();
}

Vector<std::uint8_t> turningHands(bool damaged) {
    MrtkBuilder builder(1, true, true, false);
    const MrtkDocument& document = builder.document();
    Vector<Vector<MrtkKey>> keys(document.curveTotal());
    constexpr int frames = 120, rate = 30;
    const auto pose = [&](std::size_t first, int frameIndex, Vec3 p, Quat q) {
        // Signs of joint quaternions change occasionally. The sign of the head's quaternion does
        // not change, and its first rotation is the identity with w = -1.
        const bool isHead = first == document.cameraStart();
        const double sign = isHead || (frameIndex + static_cast<int>(first)) % 17 == 0 ? -1 : 1;
        const double numbers[] = {p.x, p.y, p.z, sign * q.x, sign * q.y, sign * q.z, sign * q.w};
        for (std::size_t i = 0; i < 7; ++i)
            keys[first + i].push_back({.time = static_cast<float>(frameIndex) / rate, .value = static_cast<float>(numbers[i])});
    };
    for (int frameIndex = 0; frameIndex <= frames; ++frameIndex) {
        const double t = static_cast<double>(frameIndex) / rate;
        pose(document.cameraStart(), frameIndex, {0, 1.6, 0}, about({0, 1, 0}, 50 * degree * std::sin(t)));
        for (int hand = 0; hand < 2; ++hand) {
            const HandPose still = handAt(hand == 1, t);
            const double side = hand ? 1 : -1;
            const Quat turn = about({0, 1, 0}, side * 0.5 * std::numbers::pi * t) *
                              about({1, 0, 0}, 0.8 * std::numbers::pi * std::sin(1.3 * t)) *
                              about({0, 0, 1}, side * 0.4 * std::numbers::pi * t);
            const Vec3 wrist = still.position[1];
            for (std::size_t joint = 1; joint < jointCount; ++joint)
                pose(document.jointStart(hand, static_cast<int>(joint)), frameIndex, wrist + rotate(turn, still.position[joint] - wrist),
                     turn * still.rotation[joint]);
        }
    }
    for (std::size_t hand = 0; hand < 2; ++hand) keys[document.stateStart() + hand] = {{.time = 0, .value = 1}};
    for (std::size_t curve = 0; damaged && curve < keys.size(); ++curve) {
        const bool isW =
            !document.isBoolean(curve) && (curve < document.stateStart() ? curve % 7 : (curve - document.stateStart() - 4) % 7) == 6;
        if (!isW || keys[curve].empty()) continue;
        const MrtkKey second{.time = keys[curve].back().time, .value = keys[curve - 1].back().value};
        keys[curve].resize(1);
        if (curve < document.stateStart() || curve >= document.jointStart(1, 0)) keys[curve].push_back(second);
    }
    for (std::size_t curve = 0; curve < keys.size(); ++curve) builder.setCurve(curve, keys[curve]);
    return builder.write();
}

Vector<std::uint8_t> everyCurve() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    MrtkBuilder builder(0, true, true, false);
    const MrtkDocument& document = builder.document();
    const auto set = [&](std::size_t curve, Vector<MrtkKey> keys, int before = 8, int after = 8) {
        builder.setCurve(curve, keys, before, after);
    };
    set(0, {{.time = 0, .value = 0, .outTangent = 2, .weightedMode = 0},
            {.time = 1, .value = 1, .inTangent = -1, .outTangent = 3, .weightedMode = 0},
            {.time = 3, .value = 0, .inTangent = 1, .weightedMode = 0}});
    set(1, {{.time = 0, .value = 0, .outTangent = 4, .outWeight = 0.8f},
            {.time = 2, .value = 1, .inTangent = -3, .outTangent = 1, .inWeight = 0.6f, .outWeight = 1, .weightedMode = 1},
            {.time = 3, .value = 2, .inWeight = 1}});
    set(2, {{.time = 0, .value = 1, .outTangent = infinity, .weightedMode = 0},
            {.time = 1, .value = 2, .weightedMode = 0},
            {.time = 1, .value = 0, .weightedMode = 0},
            {.time = 3, .value = 3, .weightedMode = 0}});
    const float half = std::numbers::sqrt2_v<float> / 2;
    set(3, {{.time = 0, .value = 0}, {.time = 3, .value = 0}});
    set(4, {{.time = 0, .value = 0, .outTangent = 1, .weightedMode = 0}, {.time = 3, .value = half, .weightedMode = 0}});
    set(5, {{.time = 0, .value = 0}, {.time = 3, .value = 0}});
    set(6, {{.time = 0, .value = 1, .weightedMode = 0}, {.time = 3, .value = half, .inTangent = -1, .weightedMode = 0}});
    set(document.stateStart() + 1, {{.time = 0, .value = 1}});
    set(document.stateStart() + 3, {{.time = 0.5f, .value = 1}, {.time = 1, .value = 0}}, 8, 2);
    const std::size_t wrist = document.jointStart(1, 1);
    set(wrist, {{.time = -1, .value = 0}, {.time = 0.5f, .value = 0.3f}, {.time = 1, .value = 0}}, 8, 2);
    set(wrist + 1, {{.time = 0.5f, .value = 1}, {.time = 1, .value = 1.5f}}, 4, 4);
    set(wrist + 2, {{.time = 0, .value = 0.5f}});
    set(wrist + 6, {{.time = 0, .value = 1}});
    return builder.write();
}

}  // namespace rigcast
