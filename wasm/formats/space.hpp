// Up axis and unit of formats that do not define them. They become the transform of the scene's
// root, so they can be inspected and undone.
#pragma once

#include <string_view>

#include "core/value.hpp"
#include "scene/scene.hpp"

namespace rigcast {

struct FileSpace {
    char upAxis = 0;  // x, y or z; 0: unknown
    double unit = 1;  // metres per unit of the file
    // Mode overrides also apply to the named bone, as the specifications say.
    bool overrideNamedBone = false;

    /// Applies an option. Returns false if it is unknown or its value is invalid.
    bool take(std::string_view option, const Value& value);
    /// Sets rotation and scale of the scene's root.
    void applyTo(Scene& scene) const;
};

}  // namespace rigcast
