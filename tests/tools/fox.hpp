// Generates Pip the fox, the demo of the viewer. Its surface is a smooth union of ellipsoids and
// round cones (the pieces), meshed with surface nets. Bone weights depend on the distance to the
// pieces, and colours on the position. It is in scene space (metres, Y up, facing +Z); demo.cpp
// converts it to Unreal files.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/vector.hpp"
#include "drawing.hpp"

namespace rigcast::fox {

using namespace drawing;

inline constexpr Color orange = hex(0xF08A3C), deepOrange = hex(0xDE6F2A), cream = hex(0xFFF4E3), brown = hex(0x5A3428),
                       pink = hex(0xF7A9A0), teal = hex(0x2FA6A0), deepTeal = hex(0x23817F), ink = hex(0x2A1D22), white = hex(0xFFFFFF);

// ------------------------------------------------------------------------------------------------ bones
enum Bone {
    root,
    hips,
    chest,
    head,
    earL,
    earR,
    armL,
    foreArmL,
    armR,
    foreArmR,
    legL,
    footL,
    legR,
    footR,
    tail1,
    tail2,
    tail3,
    tail4,
    tail5,
    boneCount
};

struct BoneInfo {
    const char* name;
    int parent;
    V3 at;
};

inline const std::array<BoneInfo, boneCount> bones = {{
    {"root", -1, {0, 0, 0}},
    {"hips", root, {0, 0.22, 0}},
    {"chest", hips, {0, 0.34, 0}},
    {"head", chest, {0, 0.475, 0.01}},
    {"ear_l", head, {0.125, 0.80, 0}},
    {"ear_r", head, {-0.125, 0.80, 0}},
    {"arm_l", chest, {0.125, 0.42, 0.02}},
    {"forearm_l", armL, {0.22, 0.36, 0.03}},
    {"arm_r", chest, {-0.125, 0.42, 0.02}},
    {"forearm_r", armR, {-0.22, 0.36, 0.03}},
    {"leg_l", root, {0.085, 0.17, 0}},
    {"foot_l", legL, {0.09, 0.06, 0.01}},
    {"leg_r", root, {-0.085, 0.17, 0}},
    {"foot_r", legR, {-0.09, 0.06, 0.01}},
    {"tail_1", hips, {0.02, 0.18, -0.11}},
    {"tail_2", tail1, {0.09, 0.17, -0.21}},
    {"tail_3", tail2, {0.19, 0.24, -0.27}},
    {"tail_4", tail3, {0.26, 0.36, -0.28}},
    {"tail_5", tail4, {0.28, 0.48, -0.26}},
}};

// ------------------------------------------------------------------------------------------------ shape
enum class Paint { body, limb, tail, ear };

/// An ellipsoid, or a round cone from `a` to `b`. `squeeze` flattens it along z.
struct Piece {
    Bone bone;
    Paint paint;
    double blend;  // width of the blend with other pieces
    V3 a, b;
    double ra, rb;
    V3 radii{};  // radii of the ellipsoid at `a`; zero for a cone
    double squeeze = 1;
};

inline double distanceTo(const Piece& piece, V3 p) {
    if (piece.radii.x > 0) {
        const V3 q = p - piece.a;
        const V3 k = {q.x / piece.radii.x, q.y / piece.radii.y, q.z / piece.radii.z};
        const V3 g = {k.x / piece.radii.x, k.y / piece.radii.y, k.z / piece.radii.z};
        const double k0 = length(k), k1 = length(g);
        return k1 < 1e-9 ? -std::min({piece.radii.x, piece.radii.y, piece.radii.z}) : k0 * (k0 - 1) / k1;
    }
    V3 a = piece.a, b = piece.b;
    double scale = 1;
    if (piece.squeeze != 1) {
        p.z = a.z + (p.z - a.z) / piece.squeeze;
        b.z = a.z + (b.z - a.z) / piece.squeeze;
        scale = piece.squeeze;
    }
    const V3 along = b - a;
    const double t = std::clamp(dot(p - a, along) / std::max(dot(along, along), 1e-12), 0.0, 1.0);
    return (length(p - (a + along * t)) - mix(piece.ra, piece.rb, t)) * scale;
}

/// Returns the relative position of a point along a cone: 0 at `a`, 1 at `b`.
inline double alongOf(const Piece& piece, V3 p) {
    const V3 along = piece.b - piece.a;
    return std::clamp(dot(p - piece.a, along) / std::max(dot(along, along), 1e-12), 0.0, 1.0);
}

inline Vector<Piece> makePieces() {
    Vector<Piece> pieces;
    const auto ball = [&](Bone bone, Paint paint, double blend, V3 at, V3 radii) {
        pieces.push_back({bone, paint, blend, at, at, 0, 0, radii});
    };
    const auto cone = [&](Bone bone, Paint paint, double blend, V3 a, V3 b, double ra, double rb, double squeeze = 1) {
        pieces.push_back({bone, paint, blend, a, b, ra, rb, {}, squeeze});
    };
    ball(hips, Paint::body, 0.06, {0, 0.235, -0.005}, {0.158, 0.15, 0.145});
    ball(chest, Paint::body, 0.08, {0, 0.375, 0.0}, {0.118, 0.12, 0.11});
    ball(head, Paint::body, 0.03, {0, 0.675, 0.015}, {0.235, 0.185, 0.195});
    ball(head, Paint::body, 0.05, {0, 0.605, 0.185}, {0.088, 0.062, 0.10});
    for (const double side : {1.0, -1.0}) {
        const auto at = [side](double x, double y, double z) { return V3{side * x, y, z}; };
        const bool left = side > 0;
        // Each cheek ends in a tuft.
        cone(head, Paint::body, 0.06, at(0.14, 0.60, 0.06), at(0.262, 0.565, 0.045), 0.085, 0.018);
        cone(left ? earL : earR, Paint::ear, 0.03, at(0.128, 0.79, -0.005), at(0.205, 0.985, -0.02), 0.086, 0.034, 0.68);
        cone(left ? armL : armR, Paint::limb, 0.03, at(0.10, 0.425, 0.015), at(0.22, 0.36, 0.03), 0.05, 0.046);
        cone(left ? foreArmL : foreArmR, Paint::limb, 0.02, at(0.22, 0.36, 0.03), at(0.305, 0.305, 0.045), 0.046, 0.058);
        cone(left ? legL : legR, Paint::limb, 0.04, at(0.085, 0.17, 0), at(0.092, 0.065, 0.005), 0.078, 0.058);
        cone(left ? footL : footR, Paint::limb, 0.03, at(0.093, 0.055, 0.0), at(0.10, 0.05, 0.085), 0.055, 0.05);
    }
    const std::array<V3, 6> spine = {bones[tail1].at, bones[tail2].at, bones[tail3].at,
                                     bones[tail4].at, bones[tail5].at, V3{0.265, 0.60, -0.22}};
    const std::array<double, 6> thick = {0.045, 0.072, 0.105, 0.118, 0.092, 0.022};
    for (int i = 0; i < 5; ++i) cone(Bone(tail1 + i), Paint::tail, 0.035, spine[i], spine[i + 1], thick[i], thick[i + 1]);
    return pieces;
}

class Shape {
public:
    Shape() : pieces_(makePieces()) {}

    const Vector<Piece>& pieces() const { return pieces_; }

    /// Returns the signed distance of a point to the smooth union of the pieces that `wanted`
    /// accepts.
    template <class Filter>
    double distance(V3 p, Filter wanted) const {
        double d = 1e9;
        for (const Piece& piece : pieces_) {
            if (!wanted(piece)) continue;
            const double e = distanceTo(piece, p), k = piece.blend;
            const double h = std::max(k - std::abs(d - e), 0.0) / k;
            d = std::min(d, e) - h * h * h * k / 6;
        }
        return d;
    }

    double distance(V3 p) const {
        return distance(p, [](const Piece&) { return true; });
    }

    V3 normal(V3 p) const {
        const double h = 2e-4;
        return normalised({distance(p + V3{h, 0, 0}) - distance(p - V3{h, 0, 0}), distance(p + V3{0, h, 0}) - distance(p - V3{0, h, 0}),
                           distance(p + V3{0, 0, h}) - distance(p - V3{0, 0, h})});
    }

    const Piece& nearest(V3 p) const {
        const Piece* best = &pieces_[0];
        double d = 1e9;
        for (const Piece& piece : pieces_)
            if (const double e = distanceTo(piece, p); e < d) d = e, best = &piece;
        return *best;
    }

    /// Returns the bones and weights of a point by its distance to the pieces of each bone.
    Vector<std::pair<Bone, double>> weights(V3 p) const {
        std::array<double, boneCount> nearestOf;
        nearestOf.fill(1e9);
        double least = 1e9;
        for (const Piece& piece : pieces_) {
            const double d = distanceTo(piece, p);
            nearestOf[piece.bone] = std::min(nearestOf[piece.bone], d);
            least = std::min(least, d);
        }
        Vector<std::pair<Bone, double>> all;
        for (int bone = 0; bone < boneCount; ++bone)
            if (const double w = std::exp(-(nearestOf[bone] - least) / 0.016); w > 0.04) all.push_back({Bone(bone), w});
        std::stable_sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.second > b.second; });
        if (all.size() > 4) all.resize(4);
        double sum = 0;
        for (auto& [bone, w] : all) sum += w;
        for (auto& [bone, w] : all) w /= sum;
        return all;
    }

private:
    Vector<Piece> pieces_;
};

// ------------------------------------------------------------------------------------------------ mesh
struct Point {
    V3 at, normal;
    Vector<std::pair<Bone, double>> weights;
};
struct Wedge {
    int point;
    double u, v;
};
struct Mesh {
    Vector<Point> points;
    Vector<Wedge> wedges;
    Vector<std::array<int, 3>> faces;  // indices of wedges, counter-clockwise when seen from outside
    std::map<std::string, Vector<std::pair<int, V3>>> morphs;
};

// Size of the texture in pixels. It shows the front view in the left half, the back view in the
// right half, the tail in a strip at the bottom, and the eyes in a tile in a corner.
inline constexpr int pictureWidth = 1024, pictureHeight = 512;
inline constexpr double half = 0.60;  // distance from the middle of a half to its edge, in metres
inline constexpr double middle = 0.49;
inline constexpr double stripTop = 478, stripMiddle = 494;     // pixels
inline constexpr double eyeTile[2] = {44, 44}, eyeReach = 34;  // centre and radius in pixels
inline constexpr double tealTile[4] = {100, 8, 40, 24};        // left, top, width, height in pixels: the scarf, a stripe at the right end
inline constexpr double inkU = 10.0 / pictureWidth, inkV = 10.0 / pictureHeight;

inline double planarU(double x, bool front) { return front ? 0.25 + x / half * 0.25 : 0.75 - x / half * 0.25; }
inline double planarV(double y) { return 0.5 - (y - middle) / half * 0.5; }

/// Returns the relative position of a point along the tail: 0 at the body, 1 at the tip.
inline double alongTail(const Shape& shape, V3 p) {
    double d = 1e9, at = 0;
    int index = 0;
    for (const Piece& piece : shape.pieces()) {
        if (piece.paint != Paint::tail) continue;
        if (const double e = distanceTo(piece, p); e < d) d = e, at = (index + alongOf(piece, p)) / 5;
        ++index;
    }
    return at;
}

inline Color tailColor(double t) { return mix(mix(deepOrange, orange, smoothstep(0.0, 0.5, t)), cream, smoothstep(0.735, 0.745, t)); }

/// Returns the colour of the coat at a surface point outside the tail. `soft` is the width of a
/// painted edge.
inline Color coat(const Shape& shape, V3 p, bool front) {
    const double soft = 0.0035;
    const Piece& piece = shape.nearest(p);
    const double x = std::abs(p.x);
    const auto edge = [soft](double inside) { return smoothstep(-soft, soft, inside); };
    if (piece.paint == Paint::ear) {
        const double t = alongOf(piece, p);
        Color color = mix(orange, brown, edge((t - 0.66) * 0.2));
        if (front) {  // the inside: a drop in the middle of the ear
            const V3 axis = piece.a + (piece.b - piece.a) * t;
            const double reach = (0.052 - 0.052 * t) * smoothstep(0.02, 0.2, t);
            color = mix(color, pink, edge(reach - std::abs(p.x - axis.x)));
        }
        return color;
    }
    if (piece.paint == Paint::limb) {
        const bool arm = piece.bone >= armL && piece.bone <= foreArmR;
        return mix(orange, brown, arm ? edge(x - 0.238 - 0.006 * std::sin(p.y * 90)) : edge(0.092 - p.y));
    }
    if (piece.bone == head) {
        Color color = mix(deepOrange, orange, smoothstep(0.9, 0.72, p.y));
        if (front) {
            // The white mask of the face: cheeks and muzzle, an orange blaze down to the nose, two
            // light spots above the eyes.
            const double mask = 0.625 + 0.24 * std::max(x - 0.055, 0.0) - 9.0 * std::max(x - 0.15, 0.0) * std::max(x - 0.15, 0.0);
            const double blaze = x - 0.02 - 0.35 * std::max(p.y - 0.615, 0.0);
            color = mix(color, cream, edge(std::min(mask - p.y, std::max(blaze, 0.622 - p.y))));
            const double blush = std::hypot((x - 0.155) / 1.25, p.y - 0.612);
            color = mix(color, pink, 0.75 * smoothstep(0.036, 0.014, blush));
            color = mix(color, cream, edge(0.016 - std::hypot((x - 0.078) / 1.3, p.y - 0.775)));
        } else {
            color = mix(color, cream, edge(0.585 - p.y + 0.02 * std::sin(x * 40)));
        }
        return color;
    }
    Color color = mix(orange, deepOrange, smoothstep(0.30, 0.12, p.y));
    if (front) color = mix(color, cream, edge(0.115 - std::hypot(p.x, (p.y - 0.29) * 0.62)));
    return color;
}

/// Returns the colour of a point of the eye, which is dark with a warm rim at the bottom and two
/// highlights. `x` and `y` are between -1 and 1.
inline Color eyeColor(double x, double y) {
    const auto disc = [](double x, double y, double r) { return smoothstep(r + 0.05, r - 0.05, std::hypot(x, y)); };
    Color color = mix(ink, hex(0x6B3A2E), smoothstep(0.1, 0.95, -y) * 0.8);
    color = mix(color, white, disc(x + 0.26, (y - 0.38) * 0.8, 0.27));
    return mix(color, white, disc(x - 0.34, y + 0.38, 0.12) * 0.9);
}

/// Returns the texture as RGB bytes, row by row from the top.
inline Vector<std::uint8_t> paintPicture(const Shape& shape) {
    Vector<std::uint8_t> picture(std::size_t(pictureWidth) * pictureHeight * 3);
    const auto core = [](const Piece& piece) { return piece.paint != Paint::tail; };
    for (int row = 0; row < pictureHeight; ++row) {
        for (int column = 0; column < pictureWidth; ++column) {
            const bool front = column < pictureWidth / 2;
            const double u = (column + 0.5) / pictureWidth, v = (row + 0.5) / pictureHeight;
            V3 p{front ? (u - 0.25) * 4 * half : (0.75 - u) * 4 * half, middle + (0.5 - v) * 2 * half, front ? 0.5 : -0.5};
            // Follows a ray towards the body. If the ray misses the body, the pixel gets the colour
            // of the nearest point of the body, so that the background is not visible at the rim.
            const double way = front ? -1 : 1;
            double best = 1e9;
            V3 at = p;
            for (int step = 0; step < 60 && std::abs(p.z) <= 0.5; ++step) {
                const double d = shape.distance(p, core);
                if (d < best) best = d, at = p;
                if (d < 2e-4) break;
                p.z += way * std::max(d * 0.8, 1e-3);
            }
            Color color = coat(shape, at, front);
            if (row >= stripTop) color = tailColor(u);
            const double ex = (column + 0.5 - eyeTile[0]) / eyeReach, ey = -(row + 0.5 - eyeTile[1]) / eyeReach;
            if (column < 90 && row < 90) color = std::hypot(ex, ey) < 1.15 ? eyeColor(ex, ey) : ink;
            if (column >= 96 && column < 144 && row < 36)
                color = column >= 124 && column < 130 ? cream : mix(teal, deepTeal, smoothstep(8, 32, row));
            std::uint8_t* out = &picture[(std::size_t(row) * pictureWidth + column) * 3];
            out[0] = std::uint8_t(color.r * 255 + 0.5), out[1] = std::uint8_t(color.g * 255 + 0.5),
            out[2] = std::uint8_t(color.b * 255 + 0.5);
        }
    }
    return picture;
}

/// Meshes the surface with surface nets: creates one vertex per cell that the surface crosses and a
/// quad around every crossed edge, then moves each vertex onto the surface.
inline void addSkin(Mesh& mesh, const Shape& shape, double cell) {
    const V3 low{-0.39, -0.05, -0.48}, high{0.43, 1.07, 0.36};
    const int nx = int((high.x - low.x) / cell) + 2, ny = int((high.y - low.y) / cell) + 2, nz = int((high.z - low.z) / cell) + 2;
    const auto index = [&](int x, int y, int z) { return (std::size_t(z) * ny + y) * nx + x; };
    const auto corner = [&](int x, int y, int z) { return V3{low.x + x * cell, low.y + y * cell, low.z + z * cell}; };
    Vector<double> value(std::size_t(nx) * ny * nz);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) value[index(x, y, z)] = shape.distance(corner(x, y, z));
    Vector<int> vertex(value.size(), -1);
    for (int z = 0; z + 1 < nz; ++z)
        for (int y = 0; y + 1 < ny; ++y)
            for (int x = 0; x + 1 < nx; ++x) {
                V3 sum;
                int crossings = 0;
                for (int a = 0; a < 8; ++a)
                    for (int axis = 0; axis < 3; ++axis) {
                        const int b = a | 1 << axis;
                        if (b == a) continue;
                        const V3 pa = corner(x + (a & 1), y + (a >> 1 & 1), z + (a >> 2)),
                                 pb = corner(x + (b & 1), y + (b >> 1 & 1), z + (b >> 2));
                        const double va = value[index(x + (a & 1), y + (a >> 1 & 1), z + (a >> 2))];
                        const double vb = value[index(x + (b & 1), y + (b >> 1 & 1), z + (b >> 2))];
                        if ((va < 0) == (vb < 0)) continue;
                        sum = sum + pa + (pb - pa) * (va / (va - vb));
                        ++crossings;
                    }
                if (crossings == 0) continue;
                V3 p = sum * (1.0 / crossings);
                for (int step = 0; step < 4; ++step) p = p - shape.normal(p) * shape.distance(p);
                vertex[index(x, y, z)] = int(mesh.points.size());
                mesh.points.push_back({p, shape.normal(p), shape.weights(p)});
            }
    // Index of the wedge for a point (first key) in a region of the texture (second key): 0 is the
    // front half, 1 the back half, 2 the tail strip.
    std::map<std::pair<int, int>, int> wedgeOf;
    const auto wedge = [&](int point, int side) {
        const auto [found, isNew] = wedgeOf.try_emplace({point, side}, int(mesh.wedges.size()));
        if (isNew) {
            const V3 p = mesh.points[point].at;
            if (side == 2)
                mesh.wedges.push_back({point, alongTail(shape, p), stripMiddle / pictureHeight});
            else
                mesh.wedges.push_back({point, planarU(p.x, side == 0), planarV(p.y)});
        }
        return found->second;
    };
    const auto triangle = [&](int a, int b, int c) {
        const V3 at = (mesh.points[a].at + mesh.points[b].at + mesh.points[c].at) * (1.0 / 3);
        const V3 normal = mesh.points[a].normal + mesh.points[b].normal + mesh.points[c].normal;
        const int side = shape.nearest(at).paint == Paint::tail ? 2 : normal.z >= 0 ? 0 : 1;
        mesh.faces.push_back({wedge(a, side), wedge(b, side), wedge(c, side)});
    };
    for (int z = 1; z + 1 < nz; ++z)
        for (int y = 1; y + 1 < ny; ++y)
            for (int x = 1; x + 1 < nx; ++x) {
                const bool inside = value[index(x, y, z)] < 0;
                for (int axis = 0; axis < 3; ++axis) {
                    const bool other = value[index(x + (axis == 0), y + (axis == 1), z + (axis == 2))] < 0;
                    if (inside == other) continue;
                    const auto at = [&](int u, int w) {
                        return axis == 0   ? vertex[index(x, y - u, z - w)]
                               : axis == 1 ? vertex[index(x - w, y, z - u)]
                                           : vertex[index(x - u, y - w, z)];
                    };
                    int q[4] = {at(0, 0), at(1, 0), at(1, 1), at(0, 1)};
                    if (!inside) std::swap(q[1], q[3]);
                    // Splits the quad along the shorter diagonal, which gives a smoother surface.
                    const double d02 = length(mesh.points[q[0]].at - mesh.points[q[2]].at),
                                 d13 = length(mesh.points[q[1]].at - mesh.points[q[3]].at);
                    if (d02 <= d13)
                        triangle(q[0], q[1], q[2]), triangle(q[0], q[2], q[3]);
                    else
                        triangle(q[1], q[2], q[3]), triangle(q[1], q[3], q[0]);
                }
            }
}

/// Returns the depth of the head's front surface at (x, y).
inline double faceDepth(const Shape& shape, double x, double y) {
    double z = 0.45;
    for (int step = 0; step < 200; ++step) {
        const double d = shape.distance({x, y, z});
        if (d < 1e-5) break;
        z -= std::max(d * 0.7, 1e-5);
    }
    return z;
}

/// Adds a ball to the head as a grid of longitudes and latitudes. `paint` returns the UV
/// coordinates for a direction.
template <class Uv>
std::pair<int, int> addBall(Mesh& mesh, V3 center, V3 radii, int around, int down, Uv uv, Bone bone = head) {
    const int first = int(mesh.points.size());
    const int firstWedge = int(mesh.wedges.size());
    for (int j = 0; j <= down; ++j)
        for (int i = 0; i < (j == 0 || j == down ? 1 : around); ++i) {
            // The poles of the ball are at the front and the back.
            const double polar = M_PI * j / down, turn = 2 * M_PI * i / around;
            const V3 n{std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)};
            mesh.points.push_back({center + V3{n.x * radii.x, n.y * radii.y, n.z * radii.z},
                                   normalised({n.x / radii.x, n.y / radii.y, n.z / radii.z}),
                                   {{bone, 1.0}}});
            const auto [u, v] = uv(n);
            mesh.wedges.push_back({int(mesh.points.size()) - 1, u, v});
        }
    const auto at = [&](int j, int i) {
        return firstWedge + (j == 0 ? 0 : j == down ? 1 + (down - 1) * around : 1 + (j - 1) * around + i % around);
    };
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < around; ++i) {
            if (j > 0) mesh.faces.push_back({at(j, i), at(j + 1, i), at(j, i + 1)});
            if (j + 1 < down) mesh.faces.push_back({at(j + 1, i), at(j + 1, i + 1), at(j, i + 1)});
        }
    return {first, int(mesh.points.size())};
}

inline void addFace(Mesh& mesh, const Shape& shape) {
    // The eyes, with a morph target that closes them to arcs, as in a happy face.
    for (const double side : {1.0, -1.0}) {
        const double x = side * 0.092, y = 0.69;
        const V3 center{x, y, faceDepth(shape, x, y) - 0.006}, radii{0.034, 0.046, 0.022};
        const auto [first, last] = addBall(mesh, center, radii, 12, 7, [](V3 n) {
            return std::pair{(eyeTile[0] + n.x * eyeReach) / pictureWidth, (eyeTile[1] - n.y * eyeReach) / pictureHeight};
        });
        for (int point = first; point < last; ++point) {
            const V3 p = mesh.points[point].at;
            const double across = (p.x - x) / radii.x;
            const double up = y + (p.y - y) * 0.17 + 0.016 * (1 - across * across) - 0.008;
            const double forward = std::max(p.z, faceDepth(shape, p.x, up) + (p.z > center.z ? 0.0065 : -0.004));
            mesh.morphs["Blink"].push_back({point, V3{side * 0.004, up - p.y, forward - p.z}});
            mesh.morphs["Smile"].push_back({point, V3{0, (p.y - y) * -0.12 + (p.y < y ? 0.007 : 0), 0}});
        }
    }
    const double noseY = 0.632;
    addBall(mesh, {0, noseY, faceDepth(shape, 0, noseY) + 0.002}, {0.026, 0.019, 0.018}, 12, 6, [](V3) { return std::pair{inkU, inkV}; });
    // The mouth is a tube in the form of a soft w. A smile widens it and raises its corners.
    const int steps = 16, around = 6;
    const auto line = [&](double s, double smile) {
        const double reach = mix(0.040, 0.062, smile), x = s * reach;
        const double y = 0.583 - mix(0.010, 0.017, smile) * std::abs(std::sin(M_PI * s)) + mix(0.004, 0.024, smile) * s * s;
        return V3{x, y, faceDepth(shape, x, y) + 0.0005};
    };
    const int firstWedge = int(mesh.wedges.size());
    for (int i = 0; i <= steps; ++i) {
        const double s = 2.0 * i / steps - 1, thick = 0.0052 * (1 - 0.55 * s * s * s * s);
        const V3 at = line(s, 0), then = line(s, 1);
        for (int k = 0; k < around; ++k) {
            const double turn = 2 * M_PI * k / around;
            const V3 n{0, std::cos(turn), std::sin(turn)};
            mesh.points.push_back({at + n * thick, n, {{head, 1.0}}});
            const int point = int(mesh.points.size()) - 1;
            mesh.wedges.push_back({point, inkU, inkV});
            mesh.morphs["Smile"].push_back({point, then - at + n * 0.0008});
        }
    }
    for (int i = 0; i < steps; ++i)
        for (int k = 0; k < around; ++k) {
            const int a = firstWedge + i * around + k, b = firstWedge + i * around + (k + 1) % around, c = a + around, d = b + around;
            mesh.faces.push_back({a, b, c});
            mesh.faces.push_back({b, d, c});
        }
    // A smile raises the cheeks.
    for (int point = 0; point < int(mesh.points.size()); ++point) {
        const V3 p = mesh.points[point].at;
        if (p.z < 0.03 || mesh.points[point].weights[0].first != head || mesh.points[point].weights[0].second == 1.0) continue;
        const double near = smoothstep(0.09, 0.01, length(p - V3{std::copysign(0.15, p.x), 0.60, 0.13}));
        if (near > 0.02) mesh.morphs["Smile"].push_back({point, V3{std::copysign(0.006, p.x), 0.012, 0.008} * near});
    }
}

/// Adds the scarf: a ring around the neck, and its end at the side.
inline void addScarf(Mesh& mesh) {
    const int around = 24, about = 7;
    const double teals = (tealTile[0] + 6) / pictureWidth;
    const int first = int(mesh.wedges.size());
    for (int i = 0; i < around; ++i) {
        const double t = 2 * M_PI * i / around;
        const V3 out{std::sin(t), 0, std::cos(t)};
        const V3 at{0.112 * out.x, 0.482 - 0.024 * out.z, 0.006 + 0.104 * out.z};
        for (int k = 0; k < about; ++k) {
            const double turn = 2 * M_PI * k / about, thick = 0.042 + 0.004 * std::sin(5 * t + 1);
            const V3 n = out * std::cos(turn) + V3{0, std::sin(turn), 0};
            mesh.points.push_back({at + n * thick, n, {{chest, 0.75}, {head, 0.25}}});
            mesh.wedges.push_back({int(mesh.points.size()) - 1, teals, (tealTile[1] + 12 - 11 * n.y) / pictureHeight});
        }
    }
    for (int i = 0; i < around; ++i)
        for (int k = 0; k < about; ++k) {
            const int a = first + i * about + k, b = first + i * about + (k + 1) % about;
            const int c = first + (i + 1) % around * about + k, d = first + (i + 1) % around * about + (k + 1) % about;
            mesh.faces.push_back({a, c, b});
            mesh.faces.push_back({b, c, d});
        }
    const V3 middleOfEnd{-0.082, 0.395, 0.118};
    addBall(
        mesh, middleOfEnd, {0.036, 0.076, 0.02}, 12, 8,
        [](V3 n) {
            return std::pair{(tealTile[0] + 20 - n.y * 12) / pictureWidth, (tealTile[1] + 12 - 8 * n.z) / pictureHeight};
        },
        chest);
}

inline Mesh makeMesh(const Shape& shape, double cell) {
    Mesh mesh;
    addSkin(mesh, shape, cell);
    addFace(mesh, shape);
    addScarf(mesh);
    return mesh;
}

}  // namespace rigcast::fox
