// Evaluates Unity's AnimationCurve exactly (mrtk-input-animation.md section 6, vgo.md section 11)
// and writes curves as tracks of a clip.
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

/// Maximum duration of a recording in seconds.
inline constexpr float secondsPerDay = 86400;

/// A key as stored in the file.
struct UnityKey {
    float time = 0, value = 0, inTangent = 0, outTangent = 0, inWeight = 0, outWeight = 0;
    std::int32_t weightedMode = 0;  // bit 1: in weight, bit 2: out weight
};

/// Type of the keys of a curve: `full` keys have tangents, `simple` keys are interpolated linearly,
/// and `state` keys step between 0 and 1.
enum class UnityKeys : std::uint8_t { full, simple, state };

/// A curve that can be evaluated. `time` ascends; two equal times mean that the value jumps.
/// `kind[i]` is the interpolation of the segment after key i: step, linear, hermite or bezier.
/// `slopes` and `weights` are empty if there is no hermite or bezier segment.
struct PlayCurve {
    Vector<double> time, value, inSlope, outSlope;
    Vector<float> inWeight, outWeight;
    Vector<Interpolation> kind;
    Extrapolation before = Extrapolation::hold, after = Extrapolation::hold;
    mutable std::size_t lastFound = 0;  // key at which `evaluate` starts its search

    bool empty() const { return time.empty(); }
    std::size_t size() const { return time.size(); }
    /// Returns true if all segments are linear, and the curve is constant before the first and
    /// after the last key. Recorders write such curves.
    bool isPolyline() const;
    /// Multiplies values and slopes by `factor`.
    void scale(double factor);
    void negate() { scale(-1); }
};

/// Position of a curve in its file, for findings. `stride`: distance between keys in bytes.
struct CurveLocation {
    std::string_view path;
    std::optional<std::uint64_t> offset = std::nullopt;  // offset of the curve
    std::optional<std::uint64_t> keys = std::nullopt;    // offset of the first key
    std::uint64_t stride = 0;
};

/// Converts keys to a curve. Repairs damaged keys and reports the repairs.
PlayCurve playable(std::span<const UnityKey> keys, UnityKeys kind, const CurveLocation& location, Diagnostics& diagnostics);

/// Fast path of `playable` for curves as recorders write them: undamaged keys with linear segments.
/// Returns false if a key is damaged or not linear.
bool readPolyline(std::span<const UnityKey> keys, UnityKeys kind, PlayCurve& curve);

bool isSame(const Vector<double>& a, const Vector<double>& b);
bool isAscending(const Vector<double>& times);

/// Returns the value at time `t`, or 0 for an empty curve. If the curve jumps at `t`, `leftLimit`
/// selects the value before the jump.
double evaluate(const PlayCurve& curve, double t, bool leftLimit = false);

/// Merges the key times of several curves. The result contains a time twice if a curve jumps at
/// this time.
Vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves);

/// Evaluates polylines at their merged times. The result is ordered by time, then by curve. If a
/// time occurs twice, its first set of values precedes the jump.
Vector<double> valuesAt(std::initializer_list<const PlayCurve*> curves, const Vector<double>& times);

/// Adds tracks to a clip. Consecutive tracks with the same key times share one column of times.
class TrackWriter {
public:
    TrackWriter(Scene& scene, Arena& arena, Clip& clip) : scene_(scene), arena_(arena), clip_(clip) {}

    /// Adds a track that animates one component (or a scalar) with the interpolation of `curve`.
    /// `node` may be `none`.
    void component(std::uint32_t node, Path path, std::uint8_t component, const PlayCurve& curve, std::string_view property = {});
    /// Adds a track that animates all components of a vector. `values`: all components of the first
    /// key, followed by those of the next keys.
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
