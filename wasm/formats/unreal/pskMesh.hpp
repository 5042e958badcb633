// Converts points, wedges and faces to an indexed vertex buffer (psk-psa.md section 6.2 to 6.4).
#pragma once

#include <span>

#include "core/vector.hpp"
#include "formats/format.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/pskAttributes.hpp"
#include "formats/unreal/pskPoints.hpp"
#include "formats/unreal/pskTopology.hpp"

namespace rigcast::unreal {

/// Converts the mesh of a PSK. Normally reads chunks and writes columns in windows
/// (`StreamingColumn`), after which the columns cannot be read again. Files with missing normals,
/// morph targets, lone points or damaged influences need columns in the heap. For these files, the
/// conversion loads the entire file into the heap and writes all columns again, with the same code.
class PskMesh {
public:
    PskMesh(Psk& psk, const Options& options, const Input& input, Arena& arena);

    /// Reads the wedges and reports damaged wedges. Returns false if the budget is exceeded.
    bool readWedges(Diagnostics& diagnostics) { return topology_.readWedges(diagnostics); }
    /// Adds the mesh, its materials and a renderer at node 0. `skin`: index of the skin, or `none`.
    /// Returns false if there is nothing to draw or the budget is exceeded.
    bool add(std::uint32_t skin, Scene& scene, Diagnostics& diagnostics);

private:
    bool hasNormals() const { return psk_.normals.size() == psk_.points.size(); }
    void loadIntoHeap();
    bool readTopology(Mesh& mesh, Scene& scene, Diagnostics& diagnostics);
    bool readColumns(Skin* skin, Mesh& mesh, Diagnostics& diagnostics);
    Mesh begin(std::uint64_t vertices, std::uint64_t triangles, bool isSkinned);
    bool stream(Skin* skin, Mesh& mesh, Diagnostics& diagnostics);
    bool readInHeap(bool isSkinned, Mesh& mesh, Diagnostics& diagnostics);
    bool writeColumns(Mesh& mesh, Points& points, bool withInfluences);
    bool completeNormals(const Points& points, Mesh& mesh, Diagnostics& diagnostics);

    Psk& psk_;
    const Options& options_;
    Arena& arena_;
    Windows windows_;
    bool isStreamed_;
    Topology topology_;
    WedgeAttributes attributes_;
    Vector<float> splitNormals_;
};

/// Adds the morph targets to `mesh`. `points`: point index of each vertex.
bool addMorphs(const Psk& psk, const Options& options, std::span<const std::uint32_t> points, Mesh& mesh, Arena& arena,
               Diagnostics& diagnostics);

/// Adds the materials in MATT0000, followed by placeholders until there are `count` materials.
void addMaterials(const Psk& psk, std::size_t count, Scene& scene, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
