// Up axis and unit of formats that do not fix them: they stand on the scene's root, visible and reversible.
#pragma once

#include <string_view>

#include "core/value.hpp"
#include "scene/scene.hpp"

namespace rigcast {

struct FileSpace {
    char upAxis = 0;                 // x, y or z; 0: nobody says
    double unit = 1;                 // metres in a unit of the file
    bool overrideNamedBone = false;  // mode overrides reach the named bone, too, as the specifications word it

    /// Takes one option. False where it is none of these, or its value is none that it can have.
    bool take(std::string_view option, const Value& value);
    /// Turns and scales the scene's root.
    void applyTo(Scene& scene) const;
};

}  // namespace rigcast
