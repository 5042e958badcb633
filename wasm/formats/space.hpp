// Up axis and unit for formats that do not define them. The conversion is stored as the transform
// of the scene's root, so users can see and undo it.
#pragma once

#include <string_view>

#include "core/value.hpp"
#include "scene/scene.hpp"

namespace rigcast {

struct FileSpace {
    char upAxis = 0;  // x, y or z; 0: unknown
    double unit = 1;  // metres per unit in the file
    // True if a mode override also applies to the bone that it names, as the specifications
    // require, and not only to its descendants.
    bool overrideNamedBone = false;

    /// Sets an option by name. Returns false if the option is unknown or its value is invalid.
    bool take(std::string_view option, const Value& value);
    /// Sets the rotation and scale of the scene's root.
    void applyTo(Scene& scene) const;
};

}  // namespace rigcast
