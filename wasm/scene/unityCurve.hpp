// Unity's AnimationCurve as it is played (mrtk-input-animation.md section 6, vgo.md section 11): sorted, finite, double precision; and curves as
// tracks of a clip.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Seconds. No recording is longer.
inline constexpr float aDay = 86400;

/// A key as a file has it.
struct UnityKey {
    float time = 0, value = 0, inTangent = 0, outTangent = 0, inWeight = 0, outWeight = 0;
    std::int32_t weightedMode = 0;  // bits: 1 in, 2 out
};

/// full: keys have tangents. simple: straight lines between times and values. state: steps between 0 and 1.
enum class UnityKeys : std::uint8_t { full, simple, state };

/// `time` ascending (equal: a jump). `kind[i]` is the segment after key i: step, linear, hermite or bezier. Slopes and weights are empty where
/// no segment is one of the last two.
struct PlayCurve {
    Vector<double> time, value, inSlope, outSlope;
    Vector<float> inWeight, outWeight;
    Vector<Interpolation> kind;
    Extrapolation before = Extrapolation::hold, after = Extrapolation::hold;
    mutable std::size_t lastFound = 0;  // where `evaluate` looks first

    bool empty() const { return time.empty(); }
    std::size_t size() const { return time.size(); }
    /// Straight lines between keys, held outside: what recorders write.
    bool isPolyline() const;
    /// Values and slopes times `factor`.
    void scale(double factor);
    void negate() { scale(-1); }
};

/// Where a curve lies in its file, for findings: keys may have an offset, `stride` bytes apart.
struct CurvePlace {
    std::string_view path;
    std::optional<std::uint64_t> offset = std::nullopt;  // of the curve
    std::optional<std::uint64_t> keys = std::nullopt;    // of its first key
    std::uint64_t stride = 0;
};

/// Reports what is odd about the keys of a curve and makes it playable.
PlayCurve playable(std::span<const UnityKey> keys, UnityKeys kind, const CurvePlace& place, Diagnostics& diagnostics);

/// What `playable` makes of keys that are straight lines and need no mending, as recorders write them. False where one is anything else.
bool takeStraight(std::span<const UnityKey> keys, UnityKeys kind, PlayCurve& curve);

bool isSame(const Vector<double>& a, const Vector<double>& b);
/// Whether each is above the one before.
bool isAscending(const Vector<double>& times);

/// The value at `t`, 0 for an empty curve. `leftLimit`: where two keys share the time t, the value before the jump.
double evaluate(const PlayCurve& curve, double t, bool leftLimit = false);

/// Key times of several curves merged; a time at which some curve jumps occurs twice.
Vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves);

/// What polylines say at their merged times, one behind the other for each time. At a jump it is the value before it, then that behind it.
Vector<double> valuesAt(std::initializer_list<const PlayCurve*> curves, const Vector<double>& times);

/// Writes tracks into the clip's block; neighbours with the same key times share them.
class TrackWriter {
public:
    TrackWriter(Scene& scene, Arena& arena, Clip& clip) : scene_(scene), arena_(arena), clip_(clip) {}

    /// One component of a value (or all of one that has only one), segments as they are. `node` may be `none`.
    void component(std::uint32_t node, Path path, std::uint8_t component, const PlayCurve& curve, std::string_view property = {});
    /// A whole value, `values` in the order of the keys.
    void whole(std::uint32_t node, Path path, Interpolation interpolation, const Vector<double>& keyTimes, const Vector<double>& values);

private:
    Track make(std::uint32_t node, Path path);
    Column<float> column(const Vector<double>& numbers);
    Column<float> times(const Vector<double>& keyTimes);

    Scene& scene_;
    Arena& arena_;
    Clip& clip_;
    Vector<double> lastTimes_;
    Column<float> lastColumn_;
};

}  // namespace rigcast
