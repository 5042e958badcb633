#include "core/math.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "core/vector.hpp"

namespace rigcast {
namespace {

constexpr double tight = 1e-12;
constexpr double inf = std::numeric_limits<double>::infinity();

void expectNear(Vec3 actual, Vec3 expected, double tolerance = tight) {
    EXPECT_NEAR(actual.x, expected.x, tolerance);
    EXPECT_NEAR(actual.y, expected.y, tolerance);
    EXPECT_NEAR(actual.z, expected.z, tolerance);
}

void expectNear(const Mat4& actual, const Mat4& expected, double tolerance = tight) {
    for (int i = 0; i < 16; ++i) EXPECT_NEAR(actual.m[i], expected.m[i], tolerance) << "entry " << i;
}

Quat turn(Vec3 axis, double angle) {
    const double s = std::sin(angle / 2);
    return {axis.x * s, axis.y * s, axis.z * s, std::cos(angle / 2)};
}

constexpr double quarter = std::numbers::pi / 2;

/// Returns transforms that cover all signs of w, all branches of the conversion from matrix to
/// quaternion, and mirrored scales.
Vector<Transform> spread() {
    Vector<Transform> out;
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0.6, 0, 0.8}, Vec3{2. / 3, -2. / 3, 1. / 3}})
        for (double angle = -3; angle < 3.2; angle += 0.4)
            for (const Vec3 scale : {Vec3{1, 1, 1}, Vec3{2, 0.5, 3}, Vec3{-1, 2, 2}})
                out.push_back({{angle, 2, -3}, turn(axis, angle), scale});
    return out;
}

TEST(Quaternion, RotatesCounterClockwise) {
    expectNear(rotate(turn({0, 0, 1}, quarter), {1, 0, 0}), {0, 1, 0});
    expectNear(rotate(turn({1, 0, 0}, quarter), {0, 1, 0}), {0, 0, 1});
    expectNear(rotate(turn({0, 1, 0}, quarter), {0, 0, 1}), {1, 0, 0});
}

TEST(Quaternion, ProductAppliesTheRightFactorFirst) {
    const Quat a = turn({0, 0, 1}, quarter), b = turn({1, 0, 0}, quarter);
    expectNear(rotate(a * b, {0, 1, 0}), rotate(a, rotate(b, {0, 1, 0})));
}

TEST(Quaternion, ConjugateInvertsTheRotation) {
    const Quat q = turn({0.6, 0, 0.8}, 1);
    expectNear(rotate(conjugate(q), rotate(q, {1, 2, 3})), {1, 2, 3});
}

TEST(Quaternion, NormalizedHasUnitLengthOrIsTheIdentity) {
    EXPECT_NEAR(lengthSquared(normalized({3, 0, 4, 12})), 1, tight);
    for (const Quat bad : {Quat{0, 0, 0, 0}, Quat{1e-13, 0, 0, 0}, Quat{NAN, 0, 0, 1}, Quat{inf, 0, 0, 1}, Quat{1e200, 0, 0, 0}}) {
        const Quat q = normalized(bad);
        EXPECT_EQ(q.w, 1);
        EXPECT_EQ(q.x, 0);
    }
}

TEST(Matrix, ComposeScalesRotatesThenTranslates) {
    const Mat4 matrix = compose({{10, 0, 0}, turn({0, 0, 1}, quarter), {2, 3, 4}});
    expectNear(transformPoint(matrix, {1, 0, 0}), {10, 2, 0});
    expectNear(transformPoint(matrix, {0, 1, 0}), {7, 0, 0});
    expectNear(transformPoint(matrix, {0, 0, 1}), {10, 0, 4});
}

TEST(Matrix, ProductAppliesTheRightFactorFirst) {
    const Mat4 a = compose({{1, 2, 3}, turn({0, 1, 0}, 0.7), {1, 2, 1}}), b = compose({{-4, 0, 1}, turn({1, 0, 0}, -1.1), {3, 1, 1}});
    expectNear(transformPoint(a * b, {1, -2, 5}), transformPoint(a, transformPoint(b, {1, -2, 5})));
}

TEST(Matrix, InverseTimesMatrixIsTheIdentity) {
    for (const Transform& transform : spread()) {
        const Mat4 matrix = compose(transform);
        Mat4 inverse;
        ASSERT_TRUE(invertAffine(matrix, inverse));
        expectNear(matrix * inverse, Mat4{});
        expectNear(inverse * matrix, Mat4{});
    }
}

TEST(Matrix, RefusesToInvertSingularOrInfiniteMatrices) {
    Mat4 inverse = compose({{1, 2, 3}, {}, {2, 2, 2}});
    EXPECT_FALSE(invertAffine(compose({{}, {}, {1, 0, 1}}), inverse));
    expectNear(inverse, Mat4{});
    EXPECT_FALSE(invertAffine(compose({{}, {}, {1e-200, 1e-200, 1}}), inverse));
    EXPECT_FALSE(invertAffine(compose({{}, {}, {inf, 1, 1}}), inverse));
    EXPECT_FALSE(invertAffine(compose({{}, {}, {NAN, 1, 1}}), inverse));
}

TEST(Matrix, DecomposeAndComposeGiveTheSameMatrix) {
    for (const Transform& transform : spread()) {
        const Mat4 matrix = compose(transform);
        const Transform back = decompose(matrix);
        expectNear(compose(back), matrix);
        EXPECT_NEAR(lengthSquared(back.rotation), 1, tight);
    }
}

TEST(Matrix, DecomposeInvertsCompose) {
    for (const Transform& transform : spread()) {
        const Transform back = decompose(compose(transform));
        expectNear(back.translation, transform.translation);
        expectNear(back.scale, transform.scale);  // a mirrored basis has a negative x scale, as in spread()
        const Quat& p = back.rotation;
        const Quat& q = transform.rotation;
        EXPECT_NEAR(std::fabs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w), 1, 1e-9);
    }
}

TEST(Matrix, CompletesAxesOfZeroLength) {
    // Euler angles of 15, 25 and 35 degrees in Unity's order.
    const Quat turn = rotationAbout(1, 25) * rotationAbout(0, 15) * rotationAbout(2, 35);
    for (const Vec3 scale : {Vec3{1, 0, 1}, {0, 2, 1}, {3, 1, 0}}) {
        const Transform found = decompose(compose({{}, turn, scale}));
        EXPECT_LT(length(found.scale - scale), 1e-9);
        const Quat &a = turn, &b = found.rotation;
        EXPECT_NEAR(std::fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w), 1, 1e-9) << scale.x << scale.y << scale.z;
    }
    // If only one axis is not zero, the result is the smallest rotation to this axis.
    for (const Vec3 scale : {Vec3{1, 0, 0}, {0, 2, 0}, {0, 0, 1}}) {
        const Mat4 matrix = compose({{}, turn, scale}), again = compose(decompose(matrix));
        for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(again.m[i], matrix.m[i], 1e-9) << i;
    }
    const Mat4 again = compose(decompose(compose({{}, rotationAbout(1, 180), {1, 0, 0}})));
    EXPECT_NEAR(again.m[0], -1, 1e-9);
}

TEST(Matrix, DecomposeOfAFlatMatrixIsFinite) {
    const Transform flat = decompose(compose({{1, 2, 3}, {}, {0, 1, 1}}));
    EXPECT_TRUE(isFinite(flat.rotation));
    EXPECT_NEAR(lengthSquared(flat.rotation), 1, tight);
    EXPECT_EQ(flat.scale.x, 0);
}

TEST(SineCosine, IsExactAtQuartersAndWithinTwoUnitsElsewhere) {
    for (int quarter = -9; quarter < 9; ++quarter) {
        const auto [sine, cosine] = sineCosine(90. * quarter);
        const int at = quarter & 3;
        EXPECT_EQ(sine, at == 1 ? 1 : at == 3 ? -1 : 0);
        EXPECT_EQ(cosine, at == 0 ? 1 : at == 2 ? -1 : 0);
    }
    const long double pi = std::acos(-1.0L);  // libc++ 14 has std::numbers only for double
    for (double degrees = -1000; degrees < 1000; degrees += 0.37) {
        const long double radians = static_cast<long double>(degrees) * (pi / 180);
        EXPECT_NEAR(sineCosine(degrees).sine, static_cast<double>(std::sin(radians)), 2.3e-16) << degrees;
        EXPECT_NEAR(sineCosine(degrees).cosine, static_cast<double>(std::cos(radians)), 2.3e-16) << degrees;
    }
}

TEST(SineCosine, InvalidAnglesCountAsZero) {
    for (const double degrees : {1e300, -inf, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(sineCosine(degrees).sine, 0);
        EXPECT_EQ(sineCosine(degrees).cosine, 1);
    }
    EXPECT_NEAR(sineCosine(720e9 + 30).sine, 0.5, tight);
}

TEST(AngleBetween, ReturnsTheSmallerAngle) {
    for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0.6, 0, -0.8}})
        for (double angle = 0; angle < 2 * quarter; angle += 0.013) {
            EXPECT_NEAR(angleBetween(turn(axis, 0.3), turn(axis, 0.3 + angle)), angle, 1e-15);
            EXPECT_NEAR(angleBetween(turn(axis, 1 + angle), turn(axis, 1)), angle, 1e-15);
        }
    EXPECT_NEAR(angleBetween({0, 0, 0, 1}, {0, 0, 0, -1}), 0, 1e-15);
    EXPECT_NEAR(angleBetween({0, 0, 0, 1}, {1, 0, 0, 0}), 2 * quarter, 1e-15);
}

TEST(RotationAbout, RotatesCounterclockwiseAboutEachAxis) {
    expectNear(rotate(rotationAbout(0, 90), {0, 1, 0}), {0, 0, 1});
    expectNear(rotate(rotationAbout(1, 90), {0, 0, 1}), {1, 0, 0});
    expectNear(rotate(rotationAbout(2, 90), {1, 0, 0}), {0, 1, 0});
}

}  // namespace
}  // namespace rigcast
