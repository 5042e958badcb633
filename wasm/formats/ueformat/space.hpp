// Conversion from file space to scene space (docs/formats/ueformat.md section 6).
#pragma once

#include "formats/ueformat/document.hpp"
#include "scene/scene.hpp"

namespace rigcast::ueformat {

inline constexpr double metresPerUnit = 0.01;

/// Versions before 8 store engine space mirrored in Y and flip V.
struct Space {
    bool isMirrored = false;

    explicit Space(const Document& document) : isMirrored(!document.has(withEngineSpace)) {}

    Vec3 direction(const Vec3& v) const { return {v.x, v.z, isMirrored ? -v.y : v.y}; }
    Vec3 position(const Vec3& v) const { return direction(v) * metresPerUnit; }
    Quat rotation(const Quat& q) const { return isMirrored ? Quat{-q.x, -q.z, q.y, -q.w} : fromEngine(q); }
    /// Converts a rotation from the space of the engine.
    static Quat fromEngine(const Quat& q) { return {-q.x, -q.z, -q.y, q.w}; }
    /// Converts the scale of a socket. Scales of bones and keys are never mirrored.
    Vec3 socketScale(const Vec3& s) const { return direction(s); }
    float v(float stored) const { return isMirrored ? 1 - stored : stored; }
};

inline Vec3 scaleToScene(const Vec3& s) { return {s.x, s.z, s.y}; }

/// Returns a stored vector, or `otherwise` if it is not finite or too large for a float. Reports
/// NON_FINITE.
Vec3 repaired(const Vec3& value, const Vec3& otherwise, const Location& where, Diagnostics& diagnostics);
/// Returns a stored rotation in scene space, with unit length. Reports rotations that are not finite
/// or not of unit length.
Quat rotationToScene(const Space& space, const Quat& stored, const Location& where, Diagnostics& diagnostics);

}  // namespace rigcast::ueformat
