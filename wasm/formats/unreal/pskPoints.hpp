// Points of a PSK. Each is converted once and copied by its vertices.
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

/// A converted point.
struct Point {
    float weights[4];
    float position[3], normal[3];
    std::uint16_t joints[4];
};

/// Visits vertices in windows. Converts points in file order, just before the first vertex that
/// uses them.
///
/// Converted points are kept in a ring, because later windows can use points of earlier windows
/// again. `reach_` is the largest distance, over all windows, from the highest point used so far
/// back to the lowest point of the window. The ring contains at least that many points.
class Points final : private Patches {
public:
    /// `pointOfVertex` must use every point of the file.
    Points(const Psk& psk, float scale, const Windows& windows, std::span<const std::uint32_t> pointOfVertex);

    /// False if the ring exceeds the budget.
    explicit operator bool() const { return !ring_.empty(); }
    /// Also converts influences, and adds each point to the boxes of its joints. `boxes` may be
    /// null.
    void addInfluences(InfluenceStream& influences, JointBoxes* boxes) {
        influences_ = &influences;
        boxes_ = boxes;
    }
    /// Moves to the next window of vertices. Returns false after the last one.
    bool advance();
    /// Points of the window's vertices.
    std::span<const std::uint32_t> window() const { return window_; }
    const Point& operator[](std::uint32_t point) const {
        assert(point < converted_ && converted_ - point <= reach_ && reach_ <= ring_.size());
        return ring_[point & mask_];
    }

    bool areFinite() const { return areFinite_; }
    /// True if every point has a normal with a direction.
    bool haveNormals() const { return haveNormals_; }
    /// True if the stream provided all influences so far.
    bool haveInfluences() const { return haveInfluences_; }
    /// True if all points have the same position.
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
    std::size_t visited_ = 0;  // number of vertices
    std::span<const std::uint32_t> window_;
    std::size_t reach_ = 0, converted_ = 0;  // number of points
    std::size_t mask_ = 0;
    Vector<Point> ring_;
    Vector<std::uint8_t> pointBuffer_, normalBuffer_;
    bool areFinite_ = true, haveNormals_ = true, haveInfluences_ = true, areFlat_ = true;
    float first_[3] = {};  // position of the first point
};

}  // namespace rigcast::unreal
