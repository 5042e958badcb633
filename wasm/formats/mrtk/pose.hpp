// Evaluates poses of seven component curves and repairs known damage of recorders (sections 7 and
// 8).
#pragma once

#include <array>
#include <span>

#include "core/math.hpp"
#include "formats/mrtk/curve.hpp"

namespace rigcast {

/// Converts a vector from left-handed to right-handed space by negating z (section 10). Linear per
/// component, so it also converts keys and slopes.
inline Vec3 mirrored(const Vec3& v) { return {v.x, v.y, -v.z}; }
inline Quat mirrored(const Quat& q) { return {-q.x, -q.y, q.z, q.w}; }

inline double dot(const Quat& a, const Quat& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

/// The curves of a pose in Unity's left-handed space: position x y z, rotation x y z w.
struct PoseCurves {
    std::array<PlayCurve, 3> position;
    std::array<PlayCurve, 4> rotation;

    bool hasPosition() const;
    bool hasRotation() const;
    bool absent() const { return !hasPosition() && !hasRotation(); }
    Vec3 positionAt(double t) const;
    /// Returns the rotation, not normalized: components are interpolated separately, as in Unity.
    Quat rotationAt(double t, bool leftLimit = false) const;
};

/// Returns true if the recorder (toolkit 2.6.0 to 2.7.2) lost w: it stored one key of w, or two of
/// which the second is the last z (section 7.3).
bool lostW(const PoseCurves& pose);

/// Reconstructs w as the cheapest path through +|w| and -|w| (section 8.2). `along` is the joint to
/// which +Z points, `finger` the previous, already reconstructed joint of a tip. Both may be null.
void rebuildW(PoseCurves& pose, const PoseCurves* along, const PoseCurves* finger);

/// Makes the signs of adjacent keys equal, because q and -q are the same rotation and trackers use
/// both. The four components must have the same key times (section 8.1). Returns the number of sign
/// changes.
std::size_t alignSigns(PoseCurves& pose);

/// Returns true if the four components have the same key times.
bool haveSameTimes(const std::array<PlayCurve, 4>& rotation);

/// Counts rotations of zero length (`zero`), of unusual length (`off`), and of a length that tracks
/// do not allow (`notUnit`).
struct IrregularLengths {
    std::size_t zero = 0, off = 0, notUnit = 0;
    void add(double squared);
};
/// Counts keys of a pose. The four components must have the same key times.
IrregularLengths irregularLengths(const PoseCurves& pose);
/// Counts rotations of a list of 4 numbers each.
IrregularLengths irregularLengths(std::span<const double> rotations);

/// Returns the rotations at `times`, 4 numbers each. The curves must be polylines.
Vector<double> rotationsAt(const PoseCurves& pose, const Vector<double>& times);
/// Mirrors rotations, and normalizes those whose length tracks do not allow. A rotation of zero
/// length becomes the previous one.
void mirrorUnit(std::span<double> rotations);

}  // namespace rigcast
