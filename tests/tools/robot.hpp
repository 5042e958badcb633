// Generates Tock, the wind-up robot of the Cast demo: red tin, cream and brass, with a key on the
// head and rubber limbs, in a tuft of grass. Lengths are in metres, Y points up, and the robot
// faces +Z.
#pragma once

#include "core/vector.hpp"
#include "shapes.hpp"

namespace rigcast::robot {

using namespace drawing;

inline constexpr Color tin = hex(0xC8352B), cream = hex(0xF6E9D0), brass = hex(0xE0B25A), steel = hex(0xC9CCD2), rubber = hex(0x2B2A2E),
                       glass = hex(0x12202A), glow = hex(0x62F0F5), blush = hex(0xFF8A8A), ink = hex(0x33241F), leaf = hex(0x7DB046),
                       soil = hex(0x6B4A33), petal = hex(0xFFFFFF);

// ------------------------------------------------------------------------------------------------ bones
enum Bone { root, body, head, key, armL, foreArmL, handL, armR, foreArmR, handR, footL, footR, boneCount };

struct BoneInfo {
    const char* name;
    int parent;
    V3 at;  // position in the model; rest rotations are the identity
};

inline constexpr double ground = 0.05;

inline const std::array<BoneInfo, boneCount> bones = {{
    {"root", -1, {0, 0, 0}},
    {"body", root, {0, 0.24, 0}},
    {"head", body, {0, 0.57, 0}},
    {"key", head, {0, 0.90, 0}},
    {"arm_l", body, {0.19, 0.49, 0}},
    {"fore_arm_l", armL, {0.275, 0.39, 0}},
    {"hand_l", foreArmL, {0.305, 0.26, 0.02}},
    {"arm_r", body, {-0.19, 0.49, 0}},
    {"fore_arm_r", armR, {-0.275, 0.39, 0}},
    {"hand_r", foreArmR, {-0.305, 0.26, 0.02}},
    {"foot_l", root, {0.105, 0.09, 0}},
    {"foot_r", root, {-0.105, 0.09, 0}},
}};

inline V3 localRest(int bone) { return bones[bone].parent < 0 ? bones[bone].at : bones[bone].at - bones[bones[bone].parent].at; }

// ------------------------------------------------------------------------------------------------ pictures
inline constexpr int pictureSize = 256, tileCount = 4, tileSize = pictureSize / tileCount;
enum Paint { redTin, dial, brushed, brassy, bellows, screen, glowing, cheek, creamy, foot };

/// Returns the region of the texture that contains a paint, slightly inset.
inline Tile tileOf(Paint paint) {
    const double edge = 1.5 / pictureSize, size = 1.0 / tileCount;
    return {(paint % tileCount) * size + edge, double(paint / tileCount) * size + edge, size - 2 * edge, size - 2 * edge};
}

struct Look {
    Color color;
    double metal = 0, rough = 0.5, height = 0;
    Color light{};
};

/// Returns the surface properties of a point in a texture tile. `x` (to the right) and `y`
/// (downwards) are between 0 and 1.
inline Look lookAt(Paint paint, double x, double y) {
    const auto rivets = [&](double row, double count) {
        const double dx = (x * count - std::floor(x * count) - 0.5) / count * 2.2, dy = y - row;  // the tile is wide
        return 1 - smoothstep(0.018, 0.036, std::hypot(dx, dy));
    };
    switch (paint) {
        case redTin: {
            const double rivet = std::max(rivets(0.31, 10), rivets(0.72, 10));
            const double band = smoothstep(0.40, 0.41, y) - smoothstep(0.46, 0.47, y);
            Look look{mix(tin, cream, band), 0.0, 0.32, rivet};
            look.color = mix(look.color, brass, rivet), look.metal = rivet, look.rough = mix(0.32, 0.25, rivet);
            return look;
        }
        case dial: {
            const double dx = x - 0.5, dy = y - 0.5, r = std::hypot(dx, dy), angle = std::atan2(dx, -dy);
            const double rim = smoothstep(0.40, 0.42, r);
            const double turn = angle / (2 * M_PI) * 12, tick = std::abs(turn - std::round(turn)) / 12 * 2 * M_PI * r;
            const double ticks = (1 - smoothstep(0.010, 0.020, tick)) * smoothstep(0.28, 0.29, r) * (1 - rim);
            const double along = dx * 0.6 - dy * 0.8, across = std::abs(dx * 0.8 + dy * 0.6);  // the hand points to one o'clock
            const double hand = along > -0.05 && along < 0.26 ? 1 - smoothstep(0.014, 0.028, across + along * 0.03) : 0;
            const double hub = 1 - smoothstep(0.045, 0.06, r);
            Look look{mix(mix(mix(cream, ink, ticks), tin, hand), brass, std::max(rim, hub)), std::max(rim, hub), 0.35, rim * 0.6 + hub};
            look.rough = mix(0.4, 0.22, look.metal);
            return look;
        }
        case brushed:
            return {steel, 1, 0.34 + 0.05 * std::sin(x * 80) * std::sin(y * 7), 0};
        case brassy:
            return {brass, 1, 0.24, 0};
        case bellows: {
            const double ring = 0.5 + 0.5 * std::cos(2 * M_PI * 6 * y);
            return {mix(rubber, hex(0x4A474D), ring), 0, 0.75, ring};
        }
        case screen: {
            const double line = std::abs(y * 16 - std::floor(y * 16) - 0.5) < 0.25 ? 1 : 0;
            return {mix(glass, hex(0x16303A), line * 0.5), 0, 0.12, 0, hex(0x04161A)};
        }
        case glowing:
            return {hex(0x0B3438), 0, 0.3, 0, glow};
        case cheek:
            return {hex(0x4A1C22), 0, 0.5, 0, mix(hex(0), blush, 0.75)};
        case creamy:
            return {cream, 0, 0.4, 0};
        case foot:
            return {mix(rubber, hex(0x5B5860), smoothstep(0.50, 0.52, y)), 0, mix(0.3, 0.8, smoothstep(0.5, 0.52, y)),
                    smoothstep(0.52, 0.50, y) * 0.5};
    }
    return {};
}

struct Pictures {
    Vector<std::uint8_t> albedo, metal, roughness, normal, emissive;  // RGB, rows from top to bottom
};

inline Pictures paintPictures() {
    Pictures pictures;
    const auto add = [](Vector<std::uint8_t>& out, Color color) {
        for (const double value : {color.r, color.g, color.b}) out.push_back(std::uint8_t(std::clamp(value, 0.0, 1.0) * 255 + 0.5));
    };
    for (int row = 0; row < pictureSize; ++row) {
        for (int column = 0; column < pictureSize; ++column) {
            const auto paint = static_cast<Paint>(std::min(row / tileSize * tileCount + column / tileSize, int(foot)));
            const auto look = [&](double dx, double dy) {
                const double x = (column % tileSize + 0.5 + dx) / tileSize, y = (row % tileSize + 0.5 + dy) / tileSize;
                return lookAt(paint, std::clamp(x, 0.0, 1.0), std::clamp(y, 0.0, 1.0));
            };
            const Look here = look(0, 0);
            const double slopeX = look(0.5, 0).height - look(-0.5, 0).height, slopeY = look(0, 0.5).height - look(0, -0.5).height;
            const V3 normal = normalised({-slopeX * 1.6, slopeY * 1.6, 1});  // the green channel points up
            add(pictures.albedo, here.color), add(pictures.emissive, here.light);
            add(pictures.metal, {here.metal, here.metal, here.metal}), add(pictures.roughness, {here.rough, here.rough, here.rough});
            add(pictures.normal, {normal.x * 0.5 + 0.5, normal.y * 0.5 + 0.5, normal.z * 0.5 + 0.5});
        }
    }
    return pictures;
}

// ------------------------------------------------------------------------------------------------ the body
/// Returns the weights of a rubber limb, which blend from one bone to the next around each joint.
inline Skinning limb(int upper, int middle, int lower) {
    return [=](V3 at) -> Weights {
        const double elbow = bones[middle].at.y, wrist = bones[lower].at.y, reach = 0.05;
        const bool isUpper = at.y > (elbow + wrist) / 2;
        const double weight = isUpper ? smoothstep(elbow - reach, elbow + reach, at.y) : 1 - smoothstep(wrist - reach, wrist + reach, at.y);
        if (weight > 0.996) return {{isUpper ? upper : lower, 1}};
        if (weight < 0.004) return {{middle, 1}};
        return {{isUpper ? upper : lower, weight}, {middle, 1 - weight}};
    };
}

/// Surfaces of the body. Vertices of rigid surfaces have one bone, and vertices of rubber surfaces
/// have two.
struct Body {
    Surface shell, limbs;
};

inline void addArm(Body& made, int upper, int middle, int lower) {
    const V3 a = bones[upper].at, b = bones[middle].at, c = bones[lower].at;
    const double side = a.x > 0 ? 1 : -1;
    const auto path = [=](double v) {  // a smooth path through the elbow
        const V3 in = V3{0.165 * side, a.y, 0};
        const double t = 1 - v, u = v;
        return in * (t * t * t) + V3{0.26 * side, a.y - 0.01, 0} * (3 * t * t * u) +
               V3{b.x + 0.02 * side, b.y - 0.01, 0} * (3 * t * u * u) + c * (u * u * u);
    };
    addPatch(made.limbs, 8, 16, tube(path, [](double v) { return 0.034 + 0.005 * std::cos(2 * M_PI * 6 * v); }, {0, 0, 1}),
             limb(upper, middle, lower), tileOf(bellows));
    addPatch(made.shell, 10, 6, ellipsoid(a + V3{-0.01 * side, 0, 0}, {0.05, 0.06, 0.06}), on(body), tileOf(brassy));
    addPatch(made.shell, 10, 6, ellipsoid(c + V3{0, -0.01, 0}, {0.045, 0.032, 0.045}, 0.6), on(lower), tileOf(brushed));
    // A claw, which is three quarters of a ring and open at the bottom.
    const auto ring = [=](double v) {
        const double angle = mix(0.75, 2 * M_PI - 0.75, v) - M_PI / 2;
        return c + V3{0.052 * std::cos(angle), -0.085 + 0.052 * std::sin(angle), 0};
    };
    addPatch(made.shell, 6, 12,
             tube(ring, [](double v) { return 0.021 * std::sqrt(std::max(0.0, 1 - std::pow(std::abs(2 * v - 1), 8))); }, {0, 0, 1}),
             on(lower), tileOf(brassy));
}

inline void addLeg(Body& made, int bone) {
    const V3 at = bones[bone].at;
    const auto path = [=](double v) { return V3{at.x, mix(at.y, 0.29, v), 0}; };
    addPatch(
        made.limbs, 10, 12, tube(path, [](double v) { return 0.043 + 0.006 * std::cos(2 * M_PI * 5 * v); }, {0, 0, -1}),
        [bone](V3 p) -> Weights {
            const double up = smoothstep(0.11, 0.26, p.y);
            if (up < 0.004) return {{bone, 1}};
            if (up > 0.996) return {{body, 1}};
            return {{bone, 1 - up}, {body, up}};
        },
        tileOf(bellows));
    addPatch(
        made.shell, 12, 7,
        [=](double u, double v) {
            V3 p = ellipsoid({at.x, 0.085, 0.03}, {0.082, 0.06, 0.115}, 0.7)(u, v);
            p.y = std::max(p.y, ground);  // makes the sole flat
            return p;
        },
        on(bone), tileOf(foot));
}

inline Body makeBody() {
    Body made;
    Surface& shell = made.shell;
    addPatch(shell, 20, 10, ellipsoid({0, 0.40, 0}, {0.20, 0.18, 0.155}, 0.55, 0.75), on(body), tileOf(redTin));
    // The dial on the belly of the robot.
    addPatch(
        shell, 20, 2,
        [](double u, double v) {
            const double around = -2 * M_PI * u, r = mix(0.105, 0, std::clamp(v, 0.0, 1.0));
            return V3{r * std::sin(around), 0.41 + r * std::cos(around), 0.158 + 0.006 * std::clamp(v * 3, 0.0, 1.0)};
        },
        on(body));
    const auto dialTile = tileOf(dial);
    for (std::size_t i = shell.vertices.size() - 21 * 3; i < shell.vertices.size(); ++i) {  // planar texture coordinates
        Vertex& vertex = shell.vertices[i];
        vertex.u = dialTile.left + dialTile.width * (0.5 + vertex.at.x / 0.23),
        vertex.v = dialTile.top + dialTile.height * (0.5 - (vertex.at.y - 0.41) / 0.23);
        vertex.normal = {0, 0, 1};
    }
    addPatch(shell, 14, 3, lathe({0, 0, 0}, {{0.07, 0.55}, {0.085, 0.575}, {0.085, 0.60}, {0.07, 0.62}}), on(body), tileOf(brassy));
    addPatch(shell, 20, 10, ellipsoid({0, 0.74, 0}, {0.235, 0.155, 0.165}, 0.5, 0.6), on(head), tileOf(creamy));
    addPatch(shell, 18, 6, ellipsoid({0, 0.74, 0.125}, {0.175, 0.112, 0.055}, 0.45, 0.7), on(head), tileOf(screen));
    for (const double side : {-1.0, 1.0}) {
        addPatch(
            shell, 12, 6,
            [=](double u, double v) {
                const V3 p = lathe({0, 0, 0}, {{0, 0}, {0.055, 0}, {0.06, 0.012}, {0.045, 0.03}, {0.02, 0.04}, {0, 0.04}})(u, v);
                return V3{side * (0.225 + p.y), 0.74 + p.x * -side, p.z};
            },
            on(head), tileOf(brassy));
    }
    // The key has two loops on its shaft.
    addPatch(shell, 10, 5, lathe({0, 0, 0}, {{0.02, 0.87}, {0.02, 0.895}, {0.016, 0.9}, {0.016, 0.945}, {0, 0.95}}), on(key),
             tileOf(brassy));
    for (const double side : {-1.0, 1.0}) {
        const auto loop = [=](double v) {
            const double angle = 2 * M_PI * v;
            return V3{side * (0.066 - 0.058 * std::cos(angle)), 0.955 + 0.05 * std::sin(angle) * (1 - 0.25 * std::cos(angle)), 0};
        };
        addPatch(shell, 6, 13, tube(loop, [](double) { return 0.015; }, {0, 0, side}), on(key), tileOf(brassy));
    }
    addArm(made, armL, foreArmL, handL), addArm(made, armR, foreArmR, handR);
    addLeg(made, footL), addLeg(made, footR);
    return made;
}

// ------------------------------------------------------------------------------------------------ the face
inline constexpr double faceY = 0.755, eyeX = 0.078, mouthY = 0.69, mouthHalf = 0.042;

struct Face {
    Surface surface;
    Vector<std::pair<const char*, Surface>> shapes;
};

/// Parameters of a facial expression.
struct Expression {
    double open = 1;   // how far the eyes are open
    double happy = 0;  // how far the eyes are arched
    double smile = 0.35;
    double oh = 0;  // how round the mouth is
};

inline Surface makeFace(const Expression& expression) {
    Surface surface;
    const double z = 0.176;
    for (const double side : {-1.0, 1.0}) {
        addPatch(
            surface, 14, 6,
            [=](double u, double v) {
                V3 p = ellipsoid({0, 0, 0}, {0.034, 0.042 * expression.open, 0.012})(u, v);
                const double x = p.x / 0.034;
                p.y = mix(p.y, p.y * 0.32 + 0.030 * (0.6 - x * x), expression.happy);
                p.x *= 1 + 0.25 * expression.happy;
                return p + V3{side * eyeX, faceY, z};
            },
            on(head), tileOf(glowing));
        addPatch(surface, 10, 4, ellipsoid({side * 0.122, 0.707, z - 0.006}, {0.022, 0.013, 0.008}), on(head), tileOf(cheek));
    }
    const auto mouth = [=](double v) {
        const double x = 2 * v - 1, angle = M_PI * 1.1 * v;
        const V3 line{mouthHalf * x, mouthY + 0.05 * expression.smile * x * x - 0.03 * expression.smile, z};
        const V3 round{-0.02 * std::cos(2 * angle - M_PI / 2), mouthY - 0.004 + 0.024 * std::sin(2 * angle - M_PI / 2), z};
        return line * (1 - expression.oh) + round * expression.oh;
    };
    const auto width = [](double v) { return 0.0075 * std::sqrt(std::max(0.0, 1 - std::pow(std::abs(2 * v - 1), 10))); };
    addPatch(surface, 6, 14, tube(mouth, width, {0, 0, 1}), on(head), tileOf(glowing));
    return surface;
}

inline Face makeExpressions() {
    Face face;
    // All expressions use the triangles of the neutral face. Triangles that any expression needs
    // must therefore not be degenerate in the neutral face.
    face.surface = makeFace({});
    face.shapes = {{"Blink", makeFace({.open = 0.1})},
                   {"Happy", makeFace({.happy = 1})},
                   {"Smile", makeFace({.smile = 1.1})},
                   {"Oh", makeFace({.oh = 1})}};
    return face;
}

// ------------------------------------------------------------------------------------------------ the meadow
inline Surface makeMeadow() {
    Surface surface;
    addPatch(
        surface, 28, 7,
        [](double u, double v) {
            V3 p = lathe(
                {0, 0, 0},
                {{0, 0}, {0.36, 0}, {0.40, 0.012}, {0.405, 0.03}, {0.39, ground - 0.004}, {0.25, ground}, {0.1, ground}, {0, ground}})(u,
                                                                                                                                       v);
            const double wobble = 1 + 0.03 * std::sin(2 * M_PI * 3 * u) + 0.02 * std::sin(2 * M_PI * 7 * u);
            return V3{p.x * wobble, p.y, p.z * wobble};
        },
        on(root));
    return surface;
}

struct Strands {
    Vector<std::uint32_t> segments;
    Vector<float> points;
};

/// Returns blades of grass that lean outwards and are denser at the rim. There are none under the
/// feet of the robot.
inline Strands makeGrass(std::uint32_t seed, int count, double tallest) {
    Strands strands;
    Dice dice(seed);
    while (int(strands.segments.size()) < count) {
        const double r = 0.385 * std::sqrt(dice.roll()), angle = dice.roll(0, 2 * M_PI);
        const V3 at{r * std::sin(angle), ground - 0.004, r * std::cos(angle)};
        const double height = tallest * dice.roll(0.45, 1) * (0.45 + 1.4 * r), lean = dice.roll(0.2, 0.9),
                     twist = angle + dice.roll(-0.8, 0.8);
        const bool isUnderfoot = std::abs(at.x) < 0.21 && at.z > -0.12 && at.z < 0.18;
        if (isUnderfoot) continue;
        const std::uint32_t segments = 3;
        strands.segments.push_back(segments);
        for (std::uint32_t i = 0; i <= segments; ++i) {
            const double t = double(i) / segments, out = height * lean * t * t * 0.6;
            put(strands.points, at + V3{out * std::sin(twist), height * t * (1 - 0.25 * lean * t), out * std::cos(twist)}, 1e3);
        }
    }
    return strands;
}

inline Surface makeDaisies(bool hearts) {
    Surface surface;
    const std::array<std::array<double, 3>, 4> places = {
        {{0.24, 0.24, 0.055}, {-0.29, 0.12, 0.075}, {-0.14, 0.31, 0.045}, {0.33, -0.05, 0.07}}};
    for (const auto& [x, z, height] : places) {
        const V3 at{x, ground + height, z};
        if (hearts) {
            addPatch(surface, 6, 3, ellipsoid(at + V3{0, 0.004, 0}, {0.012, 0.008, 0.012}), on(root));
        } else {
            addPatch(
                surface, 18, 2,
                [=](double u, double v) {
                    V3 p = ellipsoid({0, 0, 0}, {0.036, 0.005, 0.036})(u, v);
                    const double lobes = 0.62 + 0.38 * std::abs(std::cos(2 * M_PI * 3 * u));
                    return at + V3{p.x * lobes, p.y, p.z * lobes};
                },
                on(root));
        }
    }
    return surface;
}

// ------------------------------------------------------------------------------------------------ animations
struct Pose {
    V3 move{};                 // translation of the body
    V3 scale{1, 1, 1};         // scale of the body, which its children do not inherit
    std::array<V3, 2> step{};  // translations of the feet
    std::array<Turn, boneCount> turn{};
    double blink = 0, happy = 0, smile = 0, oh = 0;
};

/// Returns a scale that stretches or squashes an object while its volume stays approximately
/// constant.
inline V3 squashed(double amount) { return {1 + 0.5 * amount, 1 - amount, 1 + 0.5 * amount}; }

inline Pose hello(double t) {
    Pose pose;
    const double raised = smoothstep(0.04, 0.20, t) - smoothstep(0.82, 0.97, t), shake = raised * wave(t, 4, 0.05);
    pose.move = {0.012 * raised + 0.006 * wave(t), -0.012 * bump(t, 0.05, 0.08) + 0.006 * wave(t, 2), 0};
    pose.scale = squashed(0.07 * bump(t, 0.05, 0.09) - 0.03 * bump(t, 0.14, 0.1));
    pose.turn[body] = turned(0, 0.08 * raised, 0.06 * raised);
    pose.turn[head] = turned(0.04 * wave(t, 2), 0.10 * raised, -0.15 * raised + 0.05 * shake);
    pose.turn[key] = turned(0, 2 * M_PI * t, 0);
    pose.turn[armR] = turned(0, 0.2 * raised, -1.75 * raised - 0.08 * shake);
    pose.turn[foreArmR] = turned(0, 0, -0.35 * raised + 0.55 * shake);
    pose.turn[handR] = turned(0, 0, 0.30 * shake);
    pose.turn[armL] = turned(0.1 * wave(t), 0, 0.12 + 0.10 * wave(t, 2, 0.2));
    pose.turn[foreArmL] = turned(-0.25, 0, 0.05 * wave(t, 2));
    pose.happy = smoothstep(0.22, 0.30, t) - smoothstep(0.68, 0.78, t);
    pose.blink = std::max(bump(t, 0.12, 0.05), bump(t, 0.86, 0.05));
    pose.smile = raised;
    return pose;
}

inline Pose marching(double t) {
    Pose pose;
    const double left = std::max(0.0, wave(t)), right = std::max(0.0, -wave(t)), swing = wave(t);
    const double landing = bump(t, 0.0, 0.12) + bump(t, 0.5, 0.12);
    pose.step = {V3{0, 0.085 * left, 0.03 * left}, V3{0, 0.085 * right, 0.03 * right}};
    pose.turn[footL] = turned(-0.35 * left, 0, 0), pose.turn[footR] = turned(-0.35 * right, 0, 0);
    pose.move = {-0.025 * swing, 0.022 * std::abs(swing) - 0.010 * landing, 0};
    pose.scale = squashed(0.06 * landing - 0.02 * std::abs(swing));
    pose.turn[body] = turned(0, 0.12 * swing, 0.07 * swing);
    pose.turn[head] = turned(0.05 * landing, -0.10 * swing, 0.13 * -swing);
    pose.turn[key] = turned(0, 2 * M_PI * t, 0);
    pose.turn[armL] = turned(0.85 * swing, 0, 0.10), pose.turn[armR] = turned(-0.85 * swing, 0, -0.10);
    pose.turn[foreArmL] = turned(-0.45 - 0.35 * -swing, 0, 0), pose.turn[foreArmR] = turned(-0.45 - 0.35 * swing, 0, 0);
    pose.oh = 0.9 * (bump(t, 0.25, 0.14) + bump(t, 0.75, 0.14));
    pose.blink = bump(t, 0.5, 0.05);
    pose.smile = 0.4;
    return pose;
}

// ------------------------------------------------------------------------------------------------ Cast
inline void writeSkeleton(CastBuilder& cast) {
    cast.begin("skel");
    for (int i = 0; i < boneCount; ++i) {
        cast.begin("bone").text("n", bones[i].name).u32("p", static_cast<std::uint32_t>(bones[i].parent)).u8("ssc", 1);
        writeVec3(cast, "lp", localRest(i)), writeTurn(cast, "lr", {});
        writeVec3(cast, "wp", bones[i].at), writeTurn(cast, "wr", {});
        cast.end();
    }
    cast.end();
}

/// Writes a material with the metallic workflow, which has an image file for each slot.
inline std::uint64_t writePictured(CastBuilder& cast) {
    constexpr std::array<std::pair<const char*, const char*>, 5> slots = {{{"albedo", "Tock_albedo.png"},
                                                                           {"metal", "Tock_metal.png"},
                                                                           {"roughness", "Tock_roughness.png"},
                                                                           {"normal", "Tock_normal.png"},
                                                                           {"emissive", "Tock_emissive.png"}}};
    cast.begin("matl").text("n", "Tin").text("t", "pbr");
    const std::uint64_t material = cast.lastHash();
    Vector<std::uint64_t> files;
    for (const auto& [slot, path] : slots) cast.link(slot, files.emplace_back(cast.reserveHash()));
    for (std::size_t i = 0; i < slots.size(); ++i) cast.begin(castIds::file, files[i]).text("p", slots[i].second).end();
    cast.end();
    return material;
}

inline void writeShape(CastBuilder& cast, const char* name, std::uint64_t mesh, const Surface& base, const Surface& shape) {
    Vector<std::uint32_t> vertices;
    Vector<float> positions;
    for (std::size_t i = 0; i < base.vertices.size(); ++i) {
        if (length(shape.vertices[i].at - base.vertices[i].at) < 1 / places) continue;
        vertices.push_back(static_cast<std::uint32_t>(i));
        put(positions, shape.vertices[i].at, places);
    }
    cast.begin("blsh").text("n", name).link("b", mesh).integers("vi", vertices).floats("vp", CastType::vec3, positions).f32("ts", 1).end();
}

inline void writeHair(CastBuilder& cast, const char* name, const Strands& strands, std::uint64_t material) {
    cast.begin("hair")
        .text("n", name)
        .link("m", material)
        .integers("se", strands.segments)
        .floats("pt", CastType::vec3, strands.points)
        .end();
}

inline void writeCurve(CastBuilder& cast, std::string_view node, const char* property, const char* mode,
                       std::span<const std::uint32_t> frames, CastType type, const Vector<float>& values) {
    const auto width = values.size() / frames.size();
    const bool isStill = std::equal(values.begin() + static_cast<std::ptrdiff_t>(width), values.end(), values.begin());
    cast.begin("curv").text("nn", node).text("kp", property);
    if (isStill)
        cast.integers("kb", frames.first(1)).floats("kv", type, std::span(values).first(width));
    else
        cast.integers("kb", frames).floats("kv", type, values);
    cast.text("m", mode).end();
}

struct Note {
    const char* name;
    Vector<std::uint32_t> frames;
};

/// Writes an animation with a key at every second frame. Rotations and scales are absolute, and
/// translations are relative to the rest pose, so that the demo uses both modes.
inline void writeAnimation(CastBuilder& cast, const char* name, std::uint32_t length, const std::function<Pose(double)>& poseAt,
                           const Vector<Note>& notes) {
    Vector<std::uint32_t> frames;
    Vector<Pose> poses;
    for (std::uint32_t frame = 0; frame <= length; frame += 2) frames.push_back(frame), poses.push_back(poseAt(double(frame) / length));
    cast.begin("anim").text("n", name).f32("fr", 24).u8("lo", 1);
    const auto collect = [&](auto&& valueOf, double steps) {
        Vector<float> values;
        for (const Pose& pose : poses) values.push_back(rounded(valueOf(pose), steps));
        return values;
    };
    for (int bone = body; bone < boneCount; ++bone) {
        Vector<float> values;
        for (const Pose& pose : poses)
            for (const double value : {pose.turn[bone].x, pose.turn[bone].y, pose.turn[bone].z, pose.turn[bone].w})
                values.push_back(rounded(value, 1e4));
        writeCurve(cast, bones[bone].name, "rq", "absolute", frames, CastType::vec4, values);
    }
    const auto axes = [&](int bone, const char* kind, const char* mode, auto&& valueOf) {
        constexpr double V3::*members[] = {&V3::x, &V3::y, &V3::z};
        for (int axis = 0; axis < 3; ++axis) {
            const std::string property = std::string(kind) + "xyz"[axis];
            writeCurve(cast, bones[bone].name, property.c_str(), mode, frames, CastType::f32,
                       collect([&](const Pose& pose) { return valueOf(pose).*members[axis]; }, 1e4));
        }
    };
    axes(body, "t", "relative", [](const Pose& pose) { return pose.move; });
    axes(body, "s", "absolute", [](const Pose& pose) { return pose.scale; });
    axes(footL, "t", "relative", [](const Pose& pose) { return pose.step[0]; });
    axes(footR, "t", "relative", [](const Pose& pose) { return pose.step[1]; });
    const auto weight = [&](const char* shape, double Pose::*member) {
        writeCurve(cast, shape, "bs", "absolute", frames, CastType::f32,
                   collect([&](const Pose& pose) { return std::clamp(pose.*member, 0.0, 1.0); }, 1e3));
    };
    weight("Blink", &Pose::blink), weight("Happy", &Pose::happy), weight("Smile", &Pose::smile), weight("Oh", &Pose::oh);
    for (const Note& note : notes) cast.begin("ntif").text("n", note.name).integers("kb", note.frames).end();
    cast.end();
}

inline Vector<std::uint8_t> write() {
    CastBuilder cast;
    cast.begin("root");
    cast.begin("modl").text("n", "Tock");
    const std::uint64_t painted = writePictured(cast);
    const std::uint64_t earth = writeColors(cast, "Earth", {{"albedo", mix(leaf, soil, 0.35)}, {"roughness", {0.95, 0.95, 0.95}}});
    const std::uint64_t blades = writeColors(cast, "Blades", {{"albedo", leaf}}),
                        tips = writeColors(cast, "Tips", {{"albedo", hex(0xA9D05E)}});
    const std::uint64_t white = writeColors(cast, "Petals", {{"albedo", petal}, {"roughness", {0.8, 0.8, 0.8}}});
    const std::uint64_t yellow = writeColors(cast, "Hearts", {{"albedo", hex(0xFFC832)}, {"roughness", {0.8, 0.8, 0.8}}});
    writeSkeleton(cast);
    const Body made = makeBody();
    beginMesh(cast, "Shell", made.shell, painted, Layers::uv, true).end();
    beginMesh(cast, "Limbs", made.limbs, painted, Layers::uv, true).end();
    const Face face = makeExpressions();
    beginMesh(cast, "Face", face.surface, painted, Layers::uv, true);
    const std::uint64_t faceMesh = cast.lastHash();
    cast.end();
    for (const auto& [name, shape] : face.shapes) writeShape(cast, name, faceMesh, face.surface, shape);
    beginMesh(cast, "Meadow", makeMeadow(), earth, Layers::none, false).end();
    beginMesh(cast, "Petals", makeDaisies(false), white, Layers::none, false).end();
    beginMesh(cast, "Hearts", makeDaisies(true), yellow, Layers::none, false).end();
    writeHair(cast, "Grass", makeGrass(7, 170, 0.15), blades);
    writeHair(cast, "Young grass", makeGrass(11, 120, 0.11), tips);
    cast.end();
    writeAnimation(cast, "Hello", 60, hello, {{"hello", {6}}, {"wave", {14, 29, 44}}});
    writeAnimation(cast, "March", 24, marching, {{"tick", {0}}, {"tock", {12}}});
    writeMetadata(cast);
    cast.end();
    return cast.finish();
}

}  // namespace rigcast::robot
