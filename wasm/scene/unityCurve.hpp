// Unity's AnimationCurve, played exactly (mrtk-input-animation.md section 6, vgo.md section 11) and
// written as tracks of a clip. Keys become sorted, finite and double precision.
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

/// Maximum length of a recording in seconds.
inline constexpr float aDay = 86400;

/// A key as stored in the file.
struct UnityKey {
    float time = 0, value = 0, inTangent = 0, outTangent = 0, inWeight = 0, outWeight = 0;
    std::int32_t weightedMode = 0;  // bit 1: in weight, bit 2: out weight
};

/// full: keys with tangents. simple: linear segments. state: steps between 0 and 1.
enum class UnityKeys : std::uint8_t { full, simple, state };

/// A curve that can be evaluated. `time` ascends; two equal times are a jump. `kind[i]` is the
/// segment after key i: step, linear, hermite or bezier. Slopes and weights are empty if there is
/// no hermite or bezier segment.
struct PlayCurve {
    Vector<double> time, value, inSlope, outSlope;
    Vector<float> inWeight, outWeight;
    Vector<Interpolation> kind;
    Extrapolation before = Extrapolation::hold, after = Extrapolation::hold;
    mutable std::size_t lastFound = 0;  // where `evaluate` looks first

    bool empty() const { return time.empty(); }
    std::size_t size() const { return time.size(); }
    /// True if all segments are linear and the values outside are held, as recorders write them.
    bool isPolyline() const;
    /// Multiplies values and slopes by `factor`.
    void scale(double factor);
    void negate() { scale(-1); }
};

/// Position of a curve in its file, for findings. The keys are `stride` bytes apart.
struct CurvePlace {
    std::string_view path;
    std::optional<std::uint64_t> offset = std::nullopt;  // of the curve
    std::optional<std::uint64_t> keys = std::nullopt;    // of its first key
    std::uint64_t stride = 0;
};

/// Repairs the keys of a curve and reports the repairs.
PlayCurve playable(std::span<const UnityKey> keys, UnityKeys kind, const CurvePlace& place, Diagnostics& diagnostics);

/// Fast path of `playable` for linear keys without damage, as recorders write them. Returns false
/// if a key does not qualify.
bool takeStraight(std::span<const UnityKey> keys, UnityKeys kind, PlayCurve& curve);

bool isSame(const Vector<double>& a, const Vector<double>& b);
/// True if times are strictly ascending.
bool isAscending(const Vector<double>& times);

/// Returns the value at time `t`, or 0 for an empty curve. At a jump, `leftLimit` selects the value
/// before it.
double evaluate(const PlayCurve& curve, double t, bool leftLimit = false);

/// Merges the key times of several curves. A time at which any curve jumps occurs twice.
Vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves);

/// Evaluates polylines at their merged times; all curves of a time are adjacent. At a jump, the
/// first occurrence has the values before it, the second those after it.
Vector<double> valuesAt(std::initializer_list<const PlayCurve*> curves, const Vector<double>& times);

/// Writes tracks into the block of a clip. Adjacent tracks with the same key times share them.
class TrackWriter {
public:
    TrackWriter(Scene& scene, Arena& arena, Clip& clip) : scene_(scene), arena_(arena), clip_(clip) {}

    /// Writes a single component (or a scalar) with its segments unchanged. `node` may be `none`.
    void component(std::uint32_t node, Path path, std::uint8_t component, const PlayCurve& curve, std::string_view property = {});
    /// Writes a complete vector. `values` has all components of each key in order.
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
