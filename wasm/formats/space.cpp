#include "formats/space.hpp"

#include <cmath>

namespace rigcast {

namespace {

/// Returns the rotation from the file's up axis to +Y (cast.md section 8).
Quat upright(char axis) {
    const double half = std::sqrt(0.5);
    if (axis == 'z') return {-half, 0, 0, half};
    if (axis == 'x') return {0, 0, half, half};
    return {};
}

}  // namespace

bool FileSpace::take(std::string_view option, const Value& value) {
    if (option == "upAxis") {
        const std::string_view axis = value.asString("");
        const bool isGood = axis == "x" || axis == "y" || axis == "z";
        if (isGood) upAxis = axis[0];
        return isGood;
    }
    if (option == "unit") {
        const double given = value.asNumber(0);
        const bool isGood = given >= 1e-9 && given <= 1e9;
        if (isGood) unit = given;
        return isGood;
    }
    if (option != "overrideNamedBone" || !value.is<bool>()) return false;
    overrideNamedBone = value.asBool(false);
    return true;
}

void FileSpace::applyTo(Scene& scene) const {
    if (upAxis) scene.asset.upAxis = std::string(1, upAxis);
    scene.asset.metresPerUnit = unit;
    Transform& root = scene.nodes[0].local;
    root.rotation = upright(upAxis);
    root.scale = {unit, unit, unit};
}

}  // namespace rigcast
