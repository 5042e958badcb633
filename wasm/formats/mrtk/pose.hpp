// Poses out of curves: seven component curves of one target, and what recorders broke in them mended (sections 7 and 8).
#pragma once

#include <array>
#include <span>

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

/// Returns true if the four components have the same key times.
bool haveSameTimes(const std::array<PlayCurve, 4>& rotation);

/// Counts of rotations without a length (`zero`), off by more than devices are (`off`), and off by more than a track allows (`notUnit`).
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
/// Mirrors rotations and normalises those that a track does not allow. A rotation without a length becomes the one before it.
void mirrorUnit(std::span<double> rotations);

}  // namespace rigcast
