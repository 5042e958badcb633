// Functions that the generators of the demos share: vectors, colours, rotations, curves over time,
// and files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

#include "core/vector.hpp"

namespace rigcast::drawing {

struct V3 {
    double x = 0, y = 0, z = 0;
    friend V3 operator+(V3 a, V3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend V3 operator-(V3 a, V3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend V3 operator*(V3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
};
inline double dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(V3 a, V3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(V3 a) { return std::sqrt(dot(a, a)); }
inline V3 normalised(V3 a) { return a * (1 / std::max(length(a), 1e-12)); }
inline V3 mirrored(V3 a) { return {-a.x, a.y, a.z}; }
inline double mix(double a, double b, double t) { return a + (b - a) * t; }
inline double smoothstep(double a, double b, double x) {
    const double t = std::clamp((x - a) / (b - a), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

struct Color {
    double r = 0, g = 0, b = 0;
};
inline Color mix(Color a, Color b, double t) { return {mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)}; }
inline constexpr Color hex(std::uint32_t rgb) {
    return {double(rgb >> 16 & 255) / 255, double(rgb >> 8 & 255) / 255, double(rgb & 255) / 255};
}

struct Turn {
    double x = 0, y = 0, z = 0, w = 1;
    friend Turn operator*(Turn a, Turn b) {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
};
/// Returns a rotation about the axes of the scene, first about x. Angles are in radians.
inline Turn turned(double x, double y, double z) {
    return Turn{0, 0, std::sin(z / 2), std::cos(z / 2)} * Turn{0, std::sin(y / 2), 0, std::cos(y / 2)} *
           Turn{std::sin(x / 2), 0, 0, std::cos(x / 2)};
}

inline double wave(double t, double turns = 1, double phase = 0) { return std::sin(2 * M_PI * (turns * t + phase)); }
/// Returns the value at `t` of a smooth bump that is centred at `at` and extends by `width` to both
/// sides. Elsewhere, the value is 0. `t` has a period of 1.
inline double bump(double t, double at, double width) {
    double d = std::abs(t - at);
    d = std::min(d, 1 - d);
    return d >= width ? 0 : 0.5 + 0.5 * std::cos(M_PI * d / width);
}

/// Rounds a value to a multiple of 1 / `steps`, because its last bits differ between math
/// libraries.
inline float rounded(double value, double steps) { return static_cast<float>(std::round(value * steps) / steps + 0.0); }

inline bool save(const std::string& path, const Vector<std::uint8_t>& bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file) return false;
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return std::fclose(file) == 0 && whole;
}

}  // namespace rigcast::drawing
