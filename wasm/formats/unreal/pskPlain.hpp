// The mesh of a PSK in which nothing is to be repaired, window by window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/source.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/tally.hpp"
#include "scene/lower.hpp"

namespace rigcast::unreal {

/// The mesh of a file as exporters write it: normals of points, influences in the order of points, every wedge and every point in use, triangles in the
/// order of materials. Its records are looked at once, through windows, and its columns are written as they come, so that neither lie in memory whole.
/// Where a file is not so, nothing has been added and nothing told: `addMesh` makes the same of it, and of all others.
class PlainMesh {
public:
    /// `source`: where the file does not lie in memory.
    PlainMesh(const Psk& psk, const Options& options, Arena& arena, Source* source)
        : psk_(psk), options_(options), arena_(arena), source_(source) {}

    /// Looks at the wedges. True where `checkWidths` has nothing to say, and `add` may come out well.
    bool examine();

    /// What `addMesh` does.
    bool add(std::uint32_t skin, Scene& scene, Diagnostics& diagnostics);

private:
    class Points;

    bool looksPlain() const;
    bool examineWedges();
    bool hasLonePoints() const;
    bool make(const Skin* skin, Mesh& mesh);
    bool writeIndices(Mesh& mesh);
    /// The end of what it has written; nullptr where a triangle is not plain.
    template <class T>
    T* writeFaces(const Records& faces, std::size_t first, T* to);
    template <std::size_t size, class To>
    static void writeField(To& to, const Points& points, std::size_t offset, std::span<const std::uint32_t> pointOfVertex);
    bool writeVertices(Points& points, Outlet<float>& positions, Outlet<float>& normals, JointOutlet& joints, Outlet<float>& weights);
    bool writeUvs(Mesh& mesh, const Records& all, std::size_t field);
    /// Some records, where they lie or until the next call.
    Records part(const Records& all, std::size_t first, std::size_t count);

    const Psk& psk_;
    const Options& options_;
    Arena& arena_;
    Source* source_;
    Vector<std::uint8_t> window_;
    Vector<std::uint32_t> pointOfWedge_;
    Vector<std::uint16_t> marks_;      // by wedge: its material, and whether a triangle has it
    std::size_t reach_ = 0;            // how far before the last point any wedge of a window names one
    bool isInOrder_ = true;            // no wedge names a point before all earlier ones are named
    Vector<std::uint32_t> triangles_;  // by material: how many
    std::uint32_t material_ = 0;       // of the last triangle
    Tally degenerate_, disagrees_, placeholder_;
    std::uint32_t notNormalized_ = 0;  // points
    Vector<float> jointBoxes_;
};

}  // namespace rigcast::unreal
