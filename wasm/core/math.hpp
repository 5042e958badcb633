// Linear algebra with column vectors, Hamilton quaternions (x y z w) and column-major 4x4 matrices.
// Bind poses are computed in double and rounded only once, so that the results of native and wasm
// builds are identical.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace rigcast {

/// SIMD vectors for explicit vectorisation, because compilers do not vectorise loops over four
/// numbers.
using FourFloats [[gnu::vector_size(16)]] = float;
using FourWords [[gnu::vector_size(16)]] = std::uint32_t;

/// Sine and cosine of an angle. Unlike the C library's functions, `sineCosine` returns the same
/// bits on every platform and does not add 4 KB of tables to the wasm.
struct SineCosine {
    double sine, cosine;
};
/// Returns sine and cosine of an angle in degrees. Multiples of 90 are exact. NaN, infinity and
/// angles of at least 1e15 are treated as 0.
SineCosine sineCosine(double degrees);

struct Vec3 {
    double x = 0, y = 0, z = 0;
    friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
};

inline double dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(const Vec3& a, const Vec3& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(const Vec3& v) { return std::sqrt(dot(v, v)); }
inline bool isFinite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

struct Quat {
    double x = 0, y = 0, z = 0, w = 1;
    friend Quat operator*(const Quat& a, const Quat& b) {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
};

inline Quat conjugate(const Quat& q) { return {-q.x, -q.y, -q.z, q.w}; }
inline double lengthSquared(const Quat& q) { return q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w; }
inline bool isFinite(const Quat& q) { return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w); }
/// Returns the angle between two unit quaternions in radians, from 0 to pi.
double angleBetween(const Quat& a, const Quat& b);
/// Returns `q` scaled to unit length, or the identity if `q` is (almost) zero or not finite.
Quat normalized(const Quat& q);
/// Returns a rotation by an angle in degrees about axis 0 (x), 1 (y) or 2 (z).
Quat rotationAbout(int axis, double degrees);
Vec3 rotate(const Quat& q, const Vec3& v);

struct Transform {
    Vec3 translation;
    Quat rotation;
    Vec3 scale{1, 1, 1};
};

struct Mat4 {
    std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    friend Mat4 operator*(const Mat4& a, const Mat4& b);
};

Mat4 compose(const Transform& transform);
Vec3 transformPoint(const Mat4& matrix, const Vec3& point);
/// Inverts an affine matrix. If it is singular or not finite, returns false and sets `inverse` to
/// the identity.
bool invertAffine(const Mat4& matrix, Mat4& inverse);
/// Decomposes an affine matrix without shear. If the matrix mirrors, the x scale is negative, as in
/// three.js.
Transform decompose(const Mat4& matrix);

}  // namespace rigcast
