#include "formats/ueformat/space.hpp"

#include <cmath>

#include "core/code.hpp"

namespace rigcast::ueformat {

namespace {

constexpr double mostNumber = 1e30;  // remains finite as a float

}  // namespace

Vec3 repaired(const Vec3& value, const Vec3& otherwise, const Location& where, Diagnostics& diagnostics) {
    if (isFinite(value) && length(value) < mostNumber) return value;
    diagnostics.add(Code::NON_FINITE, where);
    return otherwise;
}

Quat rotationToScene(const Space& space, const Quat& stored, const Location& where, Diagnostics& diagnostics) {
    if (!isFinite(stored))
        diagnostics.add(Code::NON_FINITE, where);
    else if (!(std::fabs(std::sqrt(lengthSquared(stored)) - 1) <= 1e-3))
        diagnostics.add(Code::QUATERNION_NOT_UNIT, where);
    return normalized(space.rotation(stored));
}

}  // namespace rigcast::ueformat
