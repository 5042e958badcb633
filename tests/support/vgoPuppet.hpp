// A small avatar with every feature of VGO, written with any of the conventions that real files
// use.
#pragma once

#include "core/vector.hpp"
#include "support/vgo.hpp"

namespace rigcast::test {

/// Conventions of the file.
struct VgoConventions {
    bool leftHanded = true;
    bool uvBottomLeft = true;
    bool bson = false;
    std::uint8_t minor = 5;  // minor version; 4: renderers are partly in the mesh; up to 3: lights and colliders are inside their nodes
};

/// Builds the avatar. Nodes of the layout: 0 Puppet, 1 Hips, 2 Chest, 3 Body (skinned, morph
/// targets, two sub-meshes), 4 Lamp, 5 Tail (spring), 6 Box (collider, animated, negative scale), 7
/// Sparks (particles, cloth).
VgoBuilder puppetVgo(const VgoConventions& conventions = {});

/// Returns the files of tests/data/vgo with their names.
Vector<std::pair<std::string, Vector<std::uint8_t>>> puppetFixtures();

/// Returns a PNG of two by two pixels.
Vector<std::uint8_t> tinyPng();

/// Returns a member of an object. Adds the member if it is missing.
Value& memberOf(Value& object, std::string_view name);
Value& itemOf(Value& list, std::size_t index);

}  // namespace rigcast::test
