// Fast path for consecutive short, undamaged curves. Most nodes in large files are such curves.
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

/// Maps the key property name (`kp`) of a curve to the property and component that the curve
/// animates.
struct CastCurveRule {
    CastName name;
    Path path;
    std::uint8_t component;
};
/// Rules for the key property names whose curves become tracks without conversion.
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
/// Returns the rule of a key property name, or nullptr if there is none.
const CastCurveRule* castCurveRule(CastName kind);
/// Sets `mode` from the text "absolute", "relative" or "additive". Returns false for any other
/// text.
bool castModeOf(std::string_view text, Mode& mode);

/// The properties of a curve node.
struct CastCurve {
    static constexpr CastName names[] = {"nn", "kp", "kb", "kv", "m", "ab"};
    CastProperty found[std::size(names)];
    CastProperty &target = found[0], &kind = found[1], &frames = found[2], &values = found[3], &mode = found[4], &weight = found[5];
    std::uint64_t valuesAt = 0;  // offset of the values in the file
};

/// Iterates over consecutive curves of a file. Reads from memory, or from windows of the source.
class CastCurveWalk {
public:
    CastCurveWalk(Bytes file, Source* source, std::size_t position) : file_(file), source_(source), position_(position) {}

    /// Returns the offset of the next curve.
    std::size_t position() const { return position_; }

    void seek(std::size_t position) { position_ = position; }

    /// Skips consecutive short curves that end before `end`, using their declared sizes. `most`:
    /// maximum number of curves. Returns the number of skipped curves.
    std::uint32_t pass(std::size_t end, std::uint32_t most);
    /// Reads the next curve, which is valid until the next call. Returns false and does not move if
    /// the curve is long or has a property with an unexpected name, an unexpected type, a repeated
    /// name, or text outside ASCII.
    bool next(std::size_t end, CastCurve& curve);

private:
    const std::uint8_t* ensure(std::size_t count);
    const std::uint8_t* header(std::size_t end);

    Bytes file_;
    Source* source_;
    std::size_t position_;
    Vector<std::uint8_t> window_;
    std::size_t windowStart_ = 0, windowEnd_ = 0;
    std::size_t windowSize_ = castFarSize;  // larger than any short curve; doubled with each window
};

/// Minimum number of consecutive curves that the document represents by a single node.
inline constexpr std::uint32_t fewestCastCurves = isUnderSanitizer ? 2 : 8;

/// Returns true if a node with this id cannot affect how curves are checked.
constexpr bool isUnrelatedToCurves(std::uint32_t id) {
    using namespace castIds;
    return id == curve || id == animation || id == root || id == metadata || id == notification || id == modeOverride;
}

/// Returns true if a curve can cause no finding, assuming that all nodes except bones and meshes
/// are unrelated to curves.
bool isPlainCurve(const CastCurve& curve);

}  // namespace rigcast
