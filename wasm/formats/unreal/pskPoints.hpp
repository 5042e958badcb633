// Converts each point of a PSK once, and copies it to all vertices that use it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/vector.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/pskWeights.hpp"
#include "scene/bounds.hpp"

namespace rigcast::unreal {

/// A point in scene space.
struct Point {
    float weights[4];
    float position[3], normal[3];
    std::uint16_t joints[4];
};

/// Visits vertices in windows, and converts points in file order just before the first vertex that
/// uses them. Converted points are kept in a ring buffer, because later windows can use them again.
/// `lookBack_` is the largest distance, in points, from the last converted point to a point that a
/// window uses. The ring buffer has at least this size.
class Points final : private Patches {
public:
    /// `pointOfVertex` must refer to every point of the file.
    Points(const Psk& psk, float scale, const Windows& windows, std::span<const std::uint32_t> pointOfVertex);

    /// Returns false if the ring buffer does not fit into the budget.
    explicit operator bool() const { return !ring_.empty(); }
    /// Sets `advance` to read influences too. If `boxes` is not null, `advance` also adds each
    /// point to the boxes of its joints.
    void addInfluences(InfluenceStream& influences, JointBoxes* boxes) {
        influences_ = &influences;
        boxes_ = boxes;
    }
    /// Moves to the next window of vertices. Returns false after the last one.
    bool advance();
    /// Returns the point index of each vertex in the window.
    std::span<const std::uint32_t> window() const { return window_; }
    const Point& operator[](std::uint32_t point) const {
        assert(point < converted_ && converted_ - point <= lookBack_ && lookBack_ <= ring_.size());
        return ring_[point & mask_];
    }

    bool areFinite() const { return areFinite_; }
    /// Returns true if all normals read so far have a length above zero.
    bool haveNormals() const { return haveNormals_; }
    /// Returns true if the influences of all points read so far are valid without repairs.
    bool haveInfluences() const { return haveInfluences_; }
    /// Returns true if all points read so far have the same position.
    bool areFlat() const { return areFlat_; }
    using Patches::bound;

private:
    void convert(Patch& patch);
    double farthestIn(const Patch& patch, const Vec3& center) override;

    const Psk& psk_;
    const float scale_;
    const Windows& windows_;
    const std::span<const std::uint32_t> pointOfVertex_;
    InfluenceStream* influences_ = nullptr;
    JointBoxes* boxes_ = nullptr;
    std::size_t visited_ = 0;  // number of visited vertices
    std::span<const std::uint32_t> window_;
    std::size_t lookBack_ = 0, converted_ = 0;  // number of points
    std::size_t mask_ = 0;
    Vector<Point> ring_;
    Vector<std::uint8_t> pointBuffer_, normalBuffer_;
    bool areFinite_ = true, haveNormals_ = true, haveInfluences_ = true, areFlat_ = true;
    float first_[3] = {};  // position of the first point
};

}  // namespace rigcast::unreal
