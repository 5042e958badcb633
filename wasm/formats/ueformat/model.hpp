// Converts a .uemodel file to a scene.
#pragma once

#include "formats/ueformat/parts.hpp"
#include "formats/ueformat/space.hpp"

namespace rigcast::ueformat {

/// The model while it is converted.
struct Build {
    const Document& document;
    const ModelParts& parts;
    Space space;
    Scene& scene;
    Arena& arena;
    Diagnostics& diagnostics;
    std::size_t bones = 0;       // nodes 1 to `bones` are bones
    std::uint32_t skin = none;   // skin of all levels of detail
    StringTable materials = {};  // indices into scene.materials, by name and path
};

/// Adds bones, sockets, virtual bones and the skin. Bone i of the file has the joint i.
void addSkeleton(Build& build);
/// Adds the mesh of a level of detail. Returns false if it has no usable mesh.
bool addMesh(Build& build, const Lod& lod);
/// Adds a mesh with a renderer. Only the renderer of the first mesh is visible.
void addLod(Build& build, const Lod& lod);
/// Adds the morph targets of a level of detail.
void addMorphs(Build& build, const Part& part, Mesh& mesh);

ReadResult readModelScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast::ueformat
