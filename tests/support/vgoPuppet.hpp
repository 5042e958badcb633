// A small avatar with every feature of VGO, written with any of the conventions found in real
// files.
#pragma once

#include "core/vector.hpp"
#include "support/vgo.hpp"

namespace rigcast::test {

/// Conventions of the file.
struct VgoManner {
    bool leftHanded = true;
    bool uvBottomLeft = true;
    bool bson = false;
    std::uint8_t minor = 5;  // 4: renderers half on the mesh; 3 and less: lights and colliders inside their nodes
};

/// Nodes of the layout: 0 Puppet, 1 Hips, 2 Chest, 3 Body (skinned, morph targets, two sub-meshes),
/// 4 Lamp, 5 Tail (spring), 6 Box (collider, animated, negative scale), 7 Sparks (particles, cloth).
VgoBuilder puppetVgo(const VgoManner& manner = {});

/// The files of tests/data/vgo by name.
Vector<std::pair<std::string, Vector<std::uint8_t>>> puppetFixtures();

/// A PNG of two by two pixels.
Vector<std::uint8_t> tinyPng();

/// Returns a member of an object in a builder's layout. Creates it if it is missing.
Value& memberOf(Value& object, std::string_view name);
Value& itemOf(Value& list, std::size_t index);

}  // namespace rigcast::test
