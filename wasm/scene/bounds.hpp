// Boxes of what joints move, for those who have every vertex at hand. Inline, for passes that are compiled for speed.
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

/// Boxes of what each joint moves, in the joints' bind space. Made in floats, and at last wider by what that may have lost.
class JointBoxes {
public:
    JointBoxes(std::span<const float> inverseBinds, std::size_t jointCount) : boxes_(jointCount) {
        for (std::size_t joint = 0; joint < jointCount; ++joint)
            for (std::size_t i = 0; i < 16; ++i) boxes_[joint].columns[i / 4][i % 4] = inverseBinds[joint * 16 + i];
    }

    /// Vertices of a mesh that has its sphere.
    void reach(const Mesh& mesh) {
        for (std::size_t k = 0; k < 3; ++k) reach_[k] = std::max(reach_[k], std::fabs(mesh.center[k]) + mesh.radius);
    }

    /// A point that a joint moves: its coordinates, each four times.
    void include(std::size_t joint, const FourFloats* point) {
        if (joint >= boxes_.size()) return;
        Box& box = boxes_[joint];
        const auto& m = box.columns;
        const FourFloats value = m[0] * point[0] + m[1] * point[1] + m[2] * point[2] + m[3];
        box.low = value < box.low ? value : box.low;
        box.high = value > box.high ? value : box.high;
    }

    /// Six numbers a joint.
    void write(std::span<float> out) const {
        for (std::size_t joint = 0; joint < boxes_.size(); ++joint)
            for (std::size_t k = 0; k < 3; ++k) {
                const Box& box = boxes_[joint];
                const auto& m = box.columns;
                const bool isEmpty = box.low[k] > box.high[k];
                // At most six roundings, to 24 bits each, of no more than this; where they may overflow, anything is inside.
                const double size =
                    std::fabs(m[0][k]) * reach_[0] + std::fabs(m[1][k]) * reach_[1] + std::fabs(m[2][k]) * reach_[2] + std::fabs(m[3][k]);
                const double lost = isEmpty ? 0 : size < largestFloat ? size * 0x1.8p-22 : std::numeric_limits<double>::infinity();
                out[joint * 6 + k] = limited(box.low[k] - lost);
                out[joint * 6 + 3 + k] = limited(box.high[k] + lost);
            }
    }

    static float limited(double value) { return static_cast<float>(std::clamp(value, -double{largestFloat}, double{largestFloat})); }

private:
    /// The box of what a joint moves, and the matrix into it: columns.
    struct Box {
        FourFloats columns[4];
        FourFloats low = {largestFloat, largestFloat, largestFloat, largestFloat},
                   high = {-largestFloat, -largestFloat, -largestFloat, -largestFloat};
    };

    double reach_[3] = {0, 0, 0};  // no coordinate is larger
    Vector<Box> boxes_;
};

/// Sets box and sphere of a mesh that has none yet.
void boundMesh(const Arena& arena, Mesh& mesh);
/// The vertices of a mesh that has them.
void includeMesh(JointBoxes& boxes, const Arena& arena, const Mesh& mesh);

/// Box and sphere of a mesh whose points come one after the other and are not kept: of some at a time the box is, which says of nearly all that none of them is farthest.
class Patches {
public:
    /// Points one behind the other, and their box.
    struct Patch {
        std::size_t first = 0, count = 0;
        FourFloats low = {largestFloat, largestFloat, largestFloat, 0}, high = {-largestFloat, -largestFloat, -largestFloat, 0};
    };

    void add(const Patch& patch) { patches_.push_back(patch); }

    /// Sets box and sphere, after at least one patch. Returns false if all points have the same position.
    bool bound(Mesh& mesh);

protected:
    ~Patches() = default;
    /// The square of the largest distance of its points, which are looked at again.
    virtual double farthestIn(const Patch& patch, const Vec3& center) = 0;

private:
    double farthest(const Vec3& center);

    Vector<Patch> patches_;
};

}  // namespace rigcast
