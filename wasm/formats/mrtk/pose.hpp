// Evaluates poses, which consist of seven curves, and repairs damage that recorders are known to
// cause (sections 7 and 8).
#pragma once

#include <array>
#include <span>

#include "core/math.hpp"
#include "formats/mrtk/curve.hpp"

namespace rigcast {

/// Converts a vector from left-handed to right-handed space by negating z (section 10). Can also be
/// applied to the slopes of keys.
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
    /// Returns the rotation without normalizing it. Components are interpolated separately, as in
    /// Unity.
    Quat rotationAt(double t, bool leftLimit = false) const;
};

/// Returns true if the recorder (toolkit 2.6.0 to 2.7.2) lost w: its curve has only one key, or it
/// has two keys and the second contains the last value of z (section 7.3).
bool lostW(const PoseCurves& pose);

/// Reconstructs w by finding the cheapest path through +|w| and -|w| of each key (section 8.2).
/// `along`: the joint in the direction of +Z, or nullptr. `finger`: for a tip, the previous joint,
/// which must already be reconstructed; otherwise nullptr.
void rebuildW(PoseCurves& pose, const PoseCurves* along, const PoseCurves* finger);

/// Negates rotation keys so that adjacent keys are in the same hemisphere, because trackers use
/// both q and -q for the same rotation. The four components must have the same key times (section
/// 8.1). Returns the number of sign changes between adjacent keys.
std::size_t alignSigns(PoseCurves& pose);

/// Returns true if the four components have the same key times.
bool haveSameTimes(const std::array<PlayCurve, 4>& rotation);

/// Counts of rotations with zero length (`zero`), with unusual length (`off`), and with a length
/// that is invalid in tracks (`notUnit`).
struct IrregularLengths {
    std::size_t zero = 0, off = 0, notUnit = 0;
    void add(double squared);
};
/// Counts the rotation keys of a pose by irregular length. The four components must have the same
/// key times.
IrregularLengths irregularLengths(const PoseCurves& pose);
/// Counts rotations by irregular length in a list with 4 numbers per rotation.
IrregularLengths irregularLengths(std::span<const double> rotations);

/// Returns the rotations at `times`, 4 numbers each. The curves must consist of linear segments.
Vector<double> rotationsAt(const PoseCurves& pose, const Vector<double>& times);
/// Mirrors rotations, and normalizes rotations with a length that is invalid in tracks. Replaces a
/// rotation of zero length with the previous rotation.
void mirrorUnit(std::span<double> rotations);

}  // namespace rigcast
