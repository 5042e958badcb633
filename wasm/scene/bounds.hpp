// Bounding boxes per joint and per mesh, for readers that visit every vertex anyway. The functions
// are inline, so that they are compiled as part of *.hot.cpp files, the only ones that are
// optimized for speed.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/math.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

inline constexpr float largestFloat = std::numeric_limits<float>::max();

/// A bounding box per joint for the vertices that the joint moves, in the bind space of the joint.
/// Boxes are computed in float, then enlarged by the maximum rounding error.
class JointBoxes {
public:
    JointBoxes(std::span<const float> inverseBinds, std::size_t jointCount) : boxes_(jointCount) {
        for (std::size_t joint = 0; joint < jointCount; ++joint)
            for (std::size_t i = 0; i < 16; ++i) boxes_[joint].columns[i / 4][i % 4] = inverseBinds[joint * 16 + i];
    }

    /// Extends the range of coordinates by the bounding sphere of a mesh, which must be known. The
    /// range determines the maximum rounding error.
    void extendRange(const Mesh& mesh) {
        for (std::size_t k = 0; k < 3; ++k) range_[k] = std::max(range_[k], std::fabs(mesh.center[k]) + mesh.radius);
    }

    /// Adds a point to the box of a joint. `point`: three vectors that contain x, y and z, each
    /// repeated four times.
    void include(std::size_t joint, const FourFloats* point) {
        if (joint >= boxes_.size()) return;
        Box& box = boxes_[joint];
        const auto& m = box.columns;
        const FourFloats value = m[0] * point[0] + m[1] * point[1] + m[2] * point[2] + m[3];
        box.low = value < box.low ? value : box.low;
        box.high = value > box.high ? value : box.high;
    }

    /// Writes the minimum and maximum of every box, 6 floats per joint.
    void write(std::span<float> out) const {
        for (std::size_t joint = 0; joint < boxes_.size(); ++joint)
            for (std::size_t k = 0; k < 3; ++k) {
                const Box& box = boxes_[joint];
                const auto& m = box.columns;
                const bool isEmpty = box.low[k] > box.high[k];
                // The error is at most six times the error of rounding a number of this size to 24
                // bits. If the computation can overflow, the box becomes infinite.
                const double size =
                    std::fabs(m[0][k]) * range_[0] + std::fabs(m[1][k]) * range_[1] + std::fabs(m[2][k]) * range_[2] + std::fabs(m[3][k]);
                const double lost = isEmpty ? 0 : size < largestFloat ? size * 0x1.8p-22 : std::numeric_limits<double>::infinity();
                out[joint * 6 + k] = limited(box.low[k] - lost);
                out[joint * 6 + 3 + k] = limited(box.high[k] + lost);
            }
    }

    static float limited(double value) { return static_cast<float>(std::clamp(value, -double{largestFloat}, double{largestFloat})); }

private:
    /// The bounding box of a joint, and the columns of its inverse bind matrix.
    struct Box {
        FourFloats columns[4];
        FourFloats low = {largestFloat, largestFloat, largestFloat, largestFloat},
                   high = {-largestFloat, -largestFloat, -largestFloat, -largestFloat};
    };

    double range_[3] = {0, 0, 0};  // largest absolute x, y and z of all vertices
    Vector<Box> boxes_;
};

/// Computes the bounding box and sphere of a mesh unless it already has them.
void boundMesh(const Arena& arena, Mesh& mesh);
/// Adds the vertices of a mesh to the boxes of their joints. The bounds of the mesh must be known.
void includeMesh(JointBoxes& boxes, const Arena& arena, const Mesh& mesh);

/// Computes the bounding box and sphere of a mesh whose points are not all in memory. Stores a box
/// for each patch (a range of points), so that only a few patches must be read again to find the
/// point that is farthest from the center.
class Patches {
public:
    /// A range of consecutive points and its bounding box.
    struct Patch {
        std::size_t first = 0, count = 0;
        FourFloats low = {largestFloat, largestFloat, largestFloat, 0}, high = {-largestFloat, -largestFloat, -largestFloat, 0};
    };

    void add(const Patch& patch) { patches_.push_back(patch); }

    /// Sets the bounding box and sphere of the mesh. At least one patch must have been added.
    /// Returns false if all points have the same position.
    bool bound(Mesh& mesh);

protected:
    ~Patches() = default;
    /// Reads the points of the patch again and returns their largest squared distance from
    /// `center`.
    virtual double farthestIn(const Patch& patch, const Vec3& center) = 0;

private:
    double farthest(const Vec3& center);

    Vector<Patch> patches_;
};

}  // namespace rigcast
