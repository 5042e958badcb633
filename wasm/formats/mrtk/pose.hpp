// Poses of seven component curves, and repairs of known damage by recorders (sections 7 and 8).
#pragma once

#include <array>
#include <span>

#include "core/math.hpp"
#include "formats/mrtk/curve.hpp"

namespace rigcast {

/// Converts left-handed to right-handed by mirroring z (section 10). Linear per component, so it
/// also applies to keys and slopes.
inline Vec3 mirrored(const Vec3& v) { return {v.x, v.y, -v.z}; }
inline Quat mirrored(const Quat& q) { return {-q.x, -q.y, q.z, q.w}; }

inline double dot(const Quat& a, const Quat& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

/// Curves of one pose in Unity's left-handed space: position x y z, rotation x y z w.
struct PoseCurves {
    std::array<PlayCurve, 3> position;
    std::array<PlayCurve, 4> rotation;

    bool hasPosition() const;
    bool hasRotation() const;
    bool absent() const { return !hasPosition() && !hasRotation(); }
    Vec3 positionAt(double t) const;
    /// Not normalised: components are interpolated separately, as in Unity.
    Quat rotationAt(double t, bool leftLimit = false) const;
};

/// True if the recorder of toolkit 2.6.0 to 2.7.2 lost w: it stored one key (or two, the second
/// with the last z). Section 7.3.
bool lostW(const PoseCurves& pose);

/// Reconstructs w as the cheapest path through +|w| and -|w| (section 8.2). `along` is the joint
/// that +Z points to. `finger` is the previous, already reconstructed joint of a tip. Both may be
/// null.
void rebuildW(PoseCurves& pose, const PoseCurves* along, const PoseCurves* finger);

/// Makes the signs of adjacent keys agree, because q and -q are the same rotation and trackers use
/// both. Requires that the four components have the same key times (section 8.1). Returns the
/// number of sign changes.
std::size_t alignSigns(PoseCurves& pose);

/// Returns true if the four components have the same key times.
bool haveSameTimes(const std::array<PlayCurve, 4>& rotation);

/// Numbers of rotations without a length (`zero`), with an unusual length (`off`), and with a
/// length that tracks do not allow (`notUnit`).
struct OddLengths {
    std::size_t zero = 0, off = 0, notUnit = 0;
    void add(double squared);
};
/// Counts the keys of a pose whose four components have the same times.
OddLengths oddLengths(const PoseCurves& pose);
/// Counts the rotations of a list, 4 numbers each.
OddLengths oddLengths(std::span<const double> rotations);

/// Evaluates the rotations of polylines at `times`, 4 numbers each.
Vector<double> rotationsAt(const PoseCurves& pose, const Vector<double>& times);
/// Mirrors rotations and normalises those whose length tracks do not allow. A rotation without a
/// length becomes the previous one.
void mirrorUnit(std::span<double> rotations);

}  // namespace rigcast
