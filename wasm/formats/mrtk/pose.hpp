// Poses out of curves: seven component curves of one target, and what recorders broke in them mended (sections 7 and 8).
#pragma once

#include <array>

#include "core/math.hpp"
#include "formats/mrtk/curve.hpp"

namespace rigcast {

/// Left-handed to right-handed: z mirrored (section 10). Linear per component, so keys and slopes convert alike.
inline Vec3 mirrored(const Vec3& v) { return {v.x, v.y, -v.z}; }
inline Quat mirrored(const Quat& q) { return {-q.x, -q.y, q.z, q.w}; }

inline double dot(const Quat& a, const Quat& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

/// One target's curves in Unity's left-handed space: position x y z, rotation x y z w.
struct PoseCurves {
    std::array<PlayCurve, 3> position;
    std::array<PlayCurve, 4> rotation;

    bool hasPosition() const;
    bool hasRotation() const;
    bool absent() const { return !hasPosition() && !hasRotation(); }
    Vec3 positionAt(double t) const;
    /// Not normalised: components are interpolated one by one, as Unity does.
    Quat rotationAt(double t, bool leftLimit = false) const;
};

/// The recorder of toolkit 2.6.0 to 2.7.2 kept one key of w (or two, the second holding the last z): section 7.3.
bool lostW(const PoseCurves& pose);

/// Rebuilds w as the cheapest path through +|w| and -|w| (section 8.2). `along`: the joint that +Z points to; `finger`: for tips, the
/// already rebuilt joint before it. Both may be null.
void rebuildW(PoseCurves& pose, const PoseCurves* along, const PoseCurves* finger);

/// q and -q are one rotation, and trackers emit either: makes neighbours agree where the four components share their key times
/// (section 8.1). Gives the number of flips there were.
std::size_t alignSigns(PoseCurves& pose);

/// How many rotation keys are of no length, and how many of another than one. All four components have the same keys.
struct OddLengths {
    std::size_t off = 0, zero = 0;
};
OddLengths oddLengths(const PoseCurves& pose);

/// The rotations of polylines at their merged times, mirrored; where one has no length the one before it holds.
Vector<double> mirroredRotations(const PoseCurves& pose, const Vector<double>& times);

}  // namespace rigcast
