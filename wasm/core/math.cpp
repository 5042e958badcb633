#include "core/math.hpp"

#include <cstdint>

namespace rigcast {

namespace {

constexpr double pi = 3.14159265358979323846;

/// Returns the angle of the direction (x, y) in radians. x and y must not be negative.
double arcTangent(double y, double x) {
    const bool isSteep = y > x;
    double slope = isSteep ? x / y : x > 0 ? y / x : 0;
    // Halves the angle: computes tan(a / 2) from tan(a).
    for (int i = 0; i < 3; ++i) slope /= 1 + std::sqrt(1 + slope * slope);
    const double square = slope * slope;
    double sum = 0;
    for (int odd = 15; odd > 0; odd -= 2) sum = 1. / odd - square * sum;
    const double angle = 8 * slope * sum;
    return isSteep ? pi / 2 - angle : angle;
}

}  // namespace

SineCosine sineCosine(double degrees) {
    if (!(std::fabs(degrees) < 1e15)) degrees = 0;
    const double quarters = std::nearbyint(degrees / 90);
    const double angle = (degrees - quarters * 90) * (pi / 180), square = angle * angle;
    double sine = 0, cosine = 0;
    for (int i = 18; i > 0; i -= 2) {  // Taylor series: the error is below 1e-17 up to 45 degrees
        cosine = 1 - square / (i * (i - 1)) * cosine;
        sine = 1 - square / (i * (i + 1)) * sine;
    }
    switch (static_cast<std::int64_t>(quarters) & 3) {
        case 0:
            return {angle * sine, cosine};
        case 1:
            return {cosine, -angle * sine};
        case 2:
            return {-angle * sine, -cosine};
        default:
            return {-cosine, angle * sine};
    }
}

double angleBetween(const Quat& a, const Quat& b) {
    const Quat between = conjugate(a) * b;
    return 2 * arcTangent(length({between.x, between.y, between.z}), std::fabs(between.w));
}

Quat rotationAbout(int axis, double degrees) {
    const auto [sine, cosine] = sineCosine(degrees / 2);
    return {axis == 0 ? sine : 0, axis == 1 ? sine : 0, axis == 2 ? sine : 0, cosine};
}

Quat normalized(const Quat& q) {
    const double squared = lengthSquared(q);
    if (!(squared > 1e-24) || !std::isfinite(squared)) return {};
    const double scale = 1 / std::sqrt(squared);
    return {q.x * scale, q.y * scale, q.z * scale, q.w * scale};
}

Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 axis{q.x, q.y, q.z};
    const Vec3 t = cross(axis, v) * 2;
    return v + t * q.w + cross(axis, t);
}

Mat4 operator*(const Mat4& a, const Mat4& b) {
    Mat4 out;
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row) {
            double sum = 0;
            for (int k = 0; k < 4; ++k) sum += a.m[k * 4 + row] * b.m[column * 4 + k];
            out.m[column * 4 + row] = sum;
        }
    return out;
}

Mat4 compose(const Transform& transform) {
    const auto& [t, q, s] = transform;
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{(1 - 2 * (yy + zz)) * s.x, 2 * (xy + wz) * s.x, 2 * (xz - wy) * s.x, 0,  //
             2 * (xy - wz) * s.y, (1 - 2 * (xx + zz)) * s.y, 2 * (yz + wx) * s.y, 0,  //
             2 * (xz + wy) * s.z, 2 * (yz - wx) * s.z, (1 - 2 * (xx + yy)) * s.z, 0,  //
             t.x, t.y, t.z, 1}};
}

Vec3 transformPoint(const Mat4& matrix, const Vec3& p) {
    const auto& m = matrix.m;
    return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
            m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
}

bool invertAffine(const Mat4& matrix, Mat4& inverse) {
    const auto& m = matrix.m;
    inverse = {};
    const Vec3 x{m[0], m[1], m[2]}, y{m[4], m[5], m[6]}, z{m[8], m[9], m[10]}, t{m[12], m[13], m[14]};
    const Vec3 yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
    const double determinant = dot(x, yz);
    if (!std::isfinite(determinant) || determinant == 0 || !std::isfinite(1 / determinant)) return false;
    const double d = 1 / determinant;
    const Vec3 rows[3] = {yz * d, zx * d, xy * d};
    for (int row = 0; row < 3; ++row) {
        inverse.m[row] = rows[row].x;
        inverse.m[4 + row] = rows[row].y;
        inverse.m[8 + row] = rows[row].z;
        inverse.m[12 + row] = -dot(rows[row], t);
    }
    return true;
}

namespace {

/// Replaces axes of length 0 with unit axes that are perpendicular to the other axes. The new axes
/// are standard axes, rotated by the smallest possible angle.
void completeAxes(Vec3* axes, const double* lengths) {
    int missing = 0, last = 0, known = 0;
    for (int i = 0; i < 3; ++i) {
        (lengths[i] == 0 ? last : known) = i;
        missing += lengths[i] == 0;
    }
    if (missing == 0) return;
    constexpr Vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    if (missing == 3) {
        std::copy(units, units + 3, axes);
    } else if (missing == 2) {
        // Applies the shortest rotation from the unit axis to the known axis. If they are opposite,
        // rotates about the next axis.
        const Vec3 from = units[known], to = axes[known], about = cross(from, to);
        const double cosine = dot(from, to);
        for (const int i : {(known + 1) % 3, (known + 2) % 3}) {
            if (cosine > -1 + 1e-12)
                axes[i] = units[i] + cross(about, units[i]) + cross(about, cross(about, units[i])) * (1 / (1 + cosine));
            else
                axes[i] = i == (known + 1) % 3 ? units[i] : units[i] * -1;
        }
    } else {
        const Vec3 axis = cross(axes[(last + 1) % 3], axes[(last + 2) % 3]);
        const double size = length(axis);
        axes[last] = size > 0 ? axis * (1 / size) : units[last];
    }
}

}  // namespace

Transform decompose(const Mat4& matrix) {
    const auto& m = matrix.m;
    Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
    Vec3 scale{length(columns[0]), length(columns[1]), length(columns[2])};
    if (dot(columns[0], cross(columns[1], columns[2])) < 0) scale.x = -scale.x;
    const double lengths[3] = {scale.x, scale.y, scale.z};
    for (int i = 0; i < 3; ++i)
        if (lengths[i] != 0) columns[i] = columns[i] * (1 / lengths[i]);
    completeAxes(columns, lengths);
    const double m00 = columns[0].x, m11 = columns[1].y, m22 = columns[2].z, trace = m00 + m11 + m22;
    Quat q;
    if (trace > 0) {
        const double s = 0.5 / std::sqrt(trace + 1);
        q = {(columns[1].z - columns[2].y) * s, (columns[2].x - columns[0].z) * s, (columns[0].y - columns[1].x) * s, 0.25 / s};
    } else if (m00 > m11 && m00 > m22) {
        const double s = 2 * std::sqrt(1 + m00 - m11 - m22);
        q = {0.25 * s, (columns[1].x + columns[0].y) / s, (columns[2].x + columns[0].z) / s, (columns[1].z - columns[2].y) / s};
    } else if (m11 > m22) {
        const double s = 2 * std::sqrt(1 + m11 - m00 - m22);
        q = {(columns[1].x + columns[0].y) / s, 0.25 * s, (columns[2].y + columns[1].z) / s, (columns[2].x - columns[0].z) / s};
    } else {
        const double s = 2 * std::sqrt(1 + m22 - m00 - m11);
        q = {(columns[2].x + columns[0].z) / s, (columns[2].y + columns[1].z) / s, 0.25 * s, (columns[0].y - columns[1].x) / s};
    }
    return {{m[12], m[13], m[14]}, normalized(q), scale};
}

}  // namespace rigcast
