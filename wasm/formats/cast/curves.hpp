// Fast path for runs of short curves without damage, of which files with many small nodes consist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/source.hpp"
#include "core/vector.hpp"
#include "formats/cast/document.hpp"
#include "formats/cast/index.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Maps a key property name (`kp`) of curves to the component that they animate.
struct CastCurveRule {
    CastName name;
    Path path;
    std::uint8_t component;
};
/// Rules of the curves that become a track directly.
inline constexpr CastCurveRule castCurveRules[] = {
    {"rq", Path::rotation, allComponents},
    {"tx", Path::translation, 0},
    {"ty", Path::translation, 1},
    {"tz", Path::translation, 2},
    {"sx", Path::scale, 0},
    {"sy", Path::scale, 1},
    {"sz", Path::scale, 2},
    {"bs", Path::weight, allComponents},
    {"vb", Path::visible, allComponents},
};
/// Returns the rule, or nullptr.
const CastCurveRule* castCurveRule(CastName kind);
/// Parses "absolute", "relative" or "additive". Returns false for other texts.
bool castModeOf(std::string_view text, Mode& mode);

/// Properties of a curve, found in one pass.
struct CastCurve {
    static constexpr CastName names[] = {"nn", "kp", "kb", "kv", "m", "ab"};
    CastProperty found[std::size(names)];
    CastProperty &target = found[0], &kind = found[1], &frames = found[2], &values = found[3], &mode = found[4], &weight = found[5];
    std::uint64_t valuesAt = 0;  // offset of the values in the file
};

/// Visits consecutive curves of a file, in memory or through a window of the source.
class CastCurveWalk {
public:
    CastCurveWalk(Bytes file, Source* source, std::size_t position) : file_(file), source_(source), position_(position) {}

    /// Offset of the next curve.
    std::size_t position() const { return position_; }

    void seek(std::size_t position) { position_ = position; }

    /// Skips short curves that end before `end`, by their declared sizes. Returns their number, at
    /// most `most`.
    std::uint32_t pass(std::size_t end, std::uint32_t most);
    /// Reads the next curve, which stays valid until the next call. Returns false, without moving,
    /// unless the curve is short and its properties are of the expected names and types, without
    /// repetition and with ASCII texts.
    bool next(std::size_t end, CastCurve& curve);

private:
    const std::uint8_t* reach(std::size_t count);
    const std::uint8_t* header(std::size_t end);

    Bytes file_;
    Source* source_;
    std::size_t position_;
    Vector<std::uint8_t> window_;
    std::size_t windowStart_ = 0, windowEnd_ = 0;
    std::size_t windowSize_ = castFarSize;  // larger than a short curve; doubled with each window
};

/// Minimum number of consecutive curves that become a run.
inline constexpr std::uint32_t fewestCastCurves = isUnderSanitizer ? 2 : 8;

/// True for ids of nodes that cannot affect the checks of curves.
constexpr bool isBesideCurves(std::uint32_t id) {
    using namespace castIds;
    return id == curve || id == animation || id == root || id == metadata || id == notification || id == modeOverride;
}

/// True if no finding about the curve is possible, whatever nodes other than bones and meshes the
/// file contains.
bool isPlainCurve(const CastCurve& curve);

}  // namespace rigcast
