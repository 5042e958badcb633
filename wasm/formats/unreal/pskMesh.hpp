// From points, wedges and faces to an indexed vertex buffer (psk-psa.md section 6.2 to 6.4).
#pragma once

#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"

namespace rigcast::unreal {

/// Which vertices came of a point: those of point p are vertices[offsets[p]] up to vertices[offsets[p + 1]], ascending.
struct PointVertices {
    Vector<std::uint32_t> offsets;
    Vector<std::uint32_t> vertices;
};

/// Adds the mesh, with its materials, skinned to `skin` unless that is `none`, and a renderer on node 0. False where there is nothing to
/// draw or the arena is spent.
bool addMesh(const Psk& psk, const Options& options, std::uint32_t skin, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Adds the morph targets to `mesh`, whose vertices came of `points`.
bool addMorphs(const Psk& psk, const Options& options, std::span<const std::uint32_t> points, Mesh& mesh, Arena& arena,
               Diagnostics& diagnostics);

/// Adds the influences to `mesh`. `pointOfVertex` as `setInfluences` wants it. False where the budget is spent.
bool addWeights(const Psk& psk, std::span<const std::uint32_t> pointOfVertex, Mesh& mesh, Arena& arena, Diagnostics& diagnostics);

/// Adds what MATT0000 lists, and placeholders up to `count` materials.
void addMaterials(const Psk& psk, std::size_t count, Scene& scene, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
