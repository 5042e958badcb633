// Up axis and unit of files whose format does not define them. They become the transform of the
// scene's root, so users can see and undo the conversion.
#pragma once

#include <string_view>

#include "core/value.hpp"
#include "scene/scene.hpp"

namespace rigcast {

struct FileSpace {
    char upAxis = 0;  // x, y or z; 0: unknown
    double unit = 1;  // metres per unit in the file
    // True if mode overrides also apply to the named bone itself, as the specifications require.
    bool overrideNamedBone = false;

    /// Sets an option. Returns false if the option is unknown or its value is invalid.
    bool take(std::string_view option, const Value& value);
    /// Sets rotation and scale of the scene's root.
    void applyTo(Scene& scene) const;
};

}  // namespace rigcast
