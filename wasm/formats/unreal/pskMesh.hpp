// From points, wedges and faces to an indexed vertex buffer (psk-psa.md section 6.2 to 6.4).
#pragma once

#include <span>
#include <string_view>

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

/// Adds a mesh that is made, and a renderer on node 0.
void showMesh(Mesh&& mesh, std::uint32_t skin, Scene& scene);

/// Which wedges vertices are.
struct WedgeVertices {
    std::span<const std::uint32_t> wedges;  // of the first `ofWedges` vertices; empty where vertex = wedge
    std::size_t ofWedges = 0;               // lone points follow, which have no wedge
    std::size_t count = 0;
    std::size_t wedgeOf(std::size_t vertex) const { return wedges.empty() ? vertex : wedges[vertex]; }
};

/// Adds texture coordinates and vertex colours to `mesh`. False where the arena is spent.
bool addWedgeAttributes(const Psk& psk, const Options& options, const WedgeVertices& vertices, Mesh& mesh, Arena& arena,
                        Diagnostics& diagnostics);

/// ATTRIBUTE_COUNT for a chunk that has not `wanted` records, one per `what`.
void reportCount(const Records& records, std::string_view path, std::size_t wanted, std::string_view what, Diagnostics& diagnostics);

/// Adds the morph targets to `mesh`, whose vertices came of `points`.
bool addMorphs(const Psk& psk, const Options& options, std::span<const std::uint32_t> points, Mesh& mesh, Arena& arena,
               Diagnostics& diagnostics);

/// Adds the influences to `mesh`. `pointOfVertex` as `setInfluences` wants it. False where the budget is spent.
bool addWeights(const Psk& psk, std::span<const std::uint32_t> pointOfVertex, Mesh& mesh, Arena& arena, Diagnostics& diagnostics);

/// Adds what MATT0000 lists, and placeholders up to `count` materials.
void addMaterials(const Psk& psk, std::size_t count, Scene& scene, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
