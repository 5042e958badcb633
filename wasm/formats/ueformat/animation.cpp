#include "formats/ueformat/animation.hpp"

#include <algorithm>
#include <cmath>

#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/ueformat/keys.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::string_view animNames[] = {"METADATA", "TRACKS", "CURVES"};
constexpr std::string_view trackPath = "TRACKS", curvePath = "CURVES";

constexpr Path scenePaths[] = {Path::translation, Path::rotation, Path::scale};

/// Largest values of METADATA that are defined.
constexpr std::uint8_t lastAdditiveType = 2, lastRefPoseType = 4;

void readMetadata(const Part& part, const Document& document, AnimHead& head, Diagnostics& diagnostics) {
    Cursor cursor = document.open(part);
    head.offset = part.offset;
    head.path = part.path;
    head.isPresent = part.payload.size() >= 8;
    head.frames = cursor.number<std::int32_t>();
    head.rate = cursor.number<float>();
    head.refPosePath = cursor.text();
    head.additiveType = cursor.number<std::uint8_t>();
    head.refPoseType = cursor.number<std::uint8_t>();
    head.refFrame = cursor.number<std::int32_t>();
    if (cursor.failed() && !part.isCut) diagnostics.add(cursor.hasBadText() ? Code::BAD_STRING_LENGTH : Code::TRUNCATED, part.location());
}

class ClipBuilder {
public:
    ClipBuilder(const Document& document, const AnimParts& parts, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : document_(document), parts_(parts), scene_(scene), arena_(arena), diagnostics_(diagnostics) {}

    void run() {
        const AnimHead& head = parts_.head;
        clip_.name = nameOf(document_.header.name, {.offset = 0, .path = "header"}, diagnostics_);
        if (clip_.name.empty()) clip_.name = scene_.asset.name;
        clip_.block = arena_.addBlock();
        clip_.scaledTranslations = true;
        readRate();
        readAdditive();
        const Location location{.offset = head.offset, .path = head.path};
        if (head.frames < 0) diagnostics_.add(Code::BAD_COUNT, location, {"{} frames", {head.frames}});
        declaredLast_ = last_ = std::max(head.frames, 1) - 1;
        if (const Part* tracks = find(parts_.root, trackPath)) addTracks(*tracks);
        if (const Part* curves = find(parts_.root, curvePath)) addCurves(*curves);
        // A file that does not declare its frames is as long as its keys.
        if (head.isPresent && head.frames >= 0 && outside_)
            diagnostics_.add(Code::FRAME_RANGE, {.offset = firstOutside_, .path = trackPath}, {"{} frames are declared", {head.frames}},
                             outside_);
        clip_.start = timeOf(std::min(first_, 0));
        clip_.duration = timeOf(std::max(last_, 0));
        clip_.frameCount = static_cast<std::uint32_t>(std::max(last_, 0)) + (head.frames > 0 || !clip_.tracks.empty());
        if (clip_.tracks.empty()) diagnostics_.add(Code::NO_MOTION);
        scene_.clips.push_back(std::move(clip_));
    }

private:
    float timeOf(std::int32_t frame) const { return static_cast<float>(frame / rate_); }

    void readRate() {
        const AnimHead& head = parts_.head;
        rate_ = double{head.rate};
        if (!head.isPresent)
            diagnostics_.add(Code::FRAME_RATE, Severity::error, {.offset = head.offset, .path = head.path}, "METADATA is missing");
        else if (!(rate_ > 1e-20 && rate_ < 1e20))
            diagnostics_.add(Code::FRAME_RATE, {.offset = head.offset, .path = head.path}, {"{}", {rate_}});
        if (!(rate_ > 1e-20 && rate_ < 1e20)) rate_ = 30;
        clip_.frameRate = static_cast<float>(rate_);
    }

    /// Reads the fields that describe an additive animation. They do not determine whether the keys
    /// are differences, because CUE4Parse writes the declaration even if it has applied the
    /// reference pose (section 4.4). Applications then inspect the keys.
    void readAdditive() {
        const AnimHead& head = parts_.head;
        const Location location{.offset = head.offset, .path = head.path};
        if (head.additiveType > lastAdditiveType)
            diagnostics_.add(Code::VALUE_UNKNOWN, location, {"additive type {}", {head.additiveType}});
        if (head.refPoseType > lastRefPoseType)
            diagnostics_.add(Code::VALUE_UNKNOWN, location, {"reference pose type {}", {head.refPoseType}});
        if (head.additiveType == 0) return;
        clip_.undeclaredModes = true;
        diagnostics_.add(Code::ADDITIVE_UNCERTAIN, location,
                         {"additive type {}, reference pose type {}", {head.additiveType, head.refPoseType}});
        clip_.properties.push_back({"additiveType", std::uint32_t{head.additiveType}});
        clip_.properties.push_back({"refPoseType", std::uint32_t{head.refPoseType}});
        if (head.refFrame) clip_.properties.push_back({"refFrame", head.refFrame});
        if (!head.refPosePath.empty()) clip_.properties.push_back({"refPosePath", nameOf(head.refPosePath, location, diagnostics_)});
    }

    void addTracks(const Part& part) {
        StringTable different;  // lower-case names, because Unreal names ignore case
        Vector<std::uint32_t> occurrences;
        for (Items items(part, document_, diagnostics_); items.next() && !arena_.exhausted();) {
            const std::string bone = nameOf(items.text(), items.location(), diagnostics_);
            Records channels[3];
            for (int i = 0; i < 3; ++i) channels[i] = items.records(sizeOf(static_cast<KeyKind>(i)));
            if (!items.isComplete()) break;
            const StringId id = different.intern(lowerAscii(bone));
            occurrences.resize(different.size());
            if (occurrences[id]) diagnostics_.add(Code::BONE_NAME_DUPLICATE, items.location(), bone);
            Track track;
            track.target = scene_.strings.intern(bone);
            track.occurrence = occurrences[id]++;
            for (int i = 0; i < 3; ++i) {
                const auto kind = static_cast<KeyKind>(i);
                track.path = scenePaths[i];
                track.interpolation = kind == KeyKind::rotation ? Interpolation::slerp : Interpolation::linear;
                addTrack(track, channels[i], kind, trackPath);
            }
        }
        reportDamage(trackPath);
    }

    void addCurves(const Part& part) {
        StringTable names;
        for (Items items(part, document_, diagnostics_); items.next() && !arena_.exhausted();) {
            const std::string name = nameOf(items.text(), items.location(), diagnostics_);
            const Records records = items.records(sizeOf(KeyKind::number));
            if (!items.isComplete()) break;
            // Applications play the last one.
            if (!names.add(name)) diagnostics_.add(Code::CURVE_REPEATED, items.location(), name);
            if (records.empty()) diagnostics_.add(Code::CURVE_EMPTY, items.location(), name);
            Track track;
            track.property = scene_.strings.intern(name);
            track.path = Path::weight;
            addTrack(track, records, KeyKind::number, curvePath);
        }
        reportDamage(curvePath);
    }

    void addTrack(Track track, const Records& records, KeyKind kind, std::string_view path) {
        if (records.empty() || !keys_.plan(records, kind != KeyKind::number)) return;
        // Keys of a curve that share a frame are usual, because their times were rounded.
        const std::uint64_t wrong = keys_.misplaced() + (kind == KeyKind::number ? 0 : keys_.repeated());
        if (wrong) diagnostics_.add(Code::KEY_ORDER, {.offset = records.offsetOf(0), .path = path}, noDetail, wrong);
        if (kind != KeyKind::number) extend(records);
        if (!setTimes(track.times)) return;
        auto values = arena_.allocate<float>(clip_.block, std::uint64_t{track.times.count} * widthOf(kind));
        if (!values) return;
        keys_.write(records, kind, !document_.has(withEngineSpace), values.values, damage_);
        track.values = values.column;
        clip_.tracks.push_back(track);
    }

    /// Extends the clip to keys of bones outside of the declared frames. Keys of curves after the end
    /// are usual (section 4.3) and do not extend it.
    void extend(const Records& records) {
        const std::int32_t first = keys_.frames().front(), last = keys_.frames().back();
        if ((first < 0 || last > declaredLast_) && outside_++ == 0) firstOutside_ = records.offsetOf(0);
        first_ = std::min(first_, first);
        last_ = std::max(last_, last);
    }

    /// Sets `times`. If a recent track has the same frames, shares its times.
    bool setTimes(Column<float>& times) {
        const Vector<std::int32_t>& frames = keys_.frames();
        for (const Recent& recent : recent_) {
            if (recent.frames != frames) continue;
            times = recent.times;
            return true;
        }
        auto made = arena_.allocate<float>(clip_.block, frames.size());
        if (!made) return false;
        for (std::size_t i = 0; i < frames.size(); ++i) made.values[i] = timeOf(frames[i]);
        times = made.column;
        recent_[next_++ % std::size(recent_)] = {frames, times};
        return true;
    }

    void reportDamage(std::string_view path) {
        if (damage_.nonFinite)
            diagnostics_.add(Code::NON_FINITE, {.offset = damage_.firstNonFinite, .path = path}, noDetail, damage_.nonFinite);
        if (damage_.notUnit)
            diagnostics_.add(Code::QUATERNION_NOT_UNIT, {.offset = damage_.firstNotUnit, .path = path}, noDetail, damage_.notUnit);
        damage_ = {};
    }

    struct Recent {
        Vector<std::int32_t> frames;
        Column<float> times;
    };

    const Document& document_;
    const AnimParts& parts_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    Clip clip_;
    double rate_ = 30;
    std::int32_t first_ = 0, last_ = 0, declaredLast_ = 0;  // frames
    std::uint64_t outside_ = 0, firstOutside_ = 0;          // channels with keys outside of the declared frames
    Keys keys_;
    KeyDamage damage_;
    Recent recent_[4];  // frames of the last tracks that did not share their times
    std::size_t next_ = 0;
};

}  // namespace

AnimParts readAnimParts(const Document& document, Diagnostics& diagnostics) {
    AnimParts parts;
    Cursor cursor = document.root();
    AnimHead& head = parts.head;
    head.offset = cursor.offset();
    head.path = "header";
    if (!document.has(withMetadata)) {
        head.frames = cursor.number<std::int32_t>();
        head.rate = cursor.number<float>();
        head.isPresent = !cursor.failed();
        if (cursor.failed()) diagnostics.add(Code::TRUNCATED, {.offset = head.offset, .path = head.path});
    }
    parts.root = readParts(cursor, document, animNames, {}, diagnostics);
    if (!document.has(withMetadata)) return parts;
    if (const Part* metadata = find(parts.root, "METADATA")) readMetadata(*metadata, document, head, diagnostics);
    return parts;
}

void addAnimation(const Document& document, const AnimParts& parts, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    ClipBuilder(document, parts, scene, arena, diagnostics).run();
}

}  // namespace rigcast::ueformat
