// Animations to clips: one track a curve, values and frames as they are; three.js or another player merges axes and applies modes.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

namespace {

struct CurveRule {
    CastName name;  // kp
    Path path;
    std::uint8_t component;
};

constexpr CurveRule curveRules[] = {
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

/// What a curve consists of, found in one walk over its properties: files have curves by the hundred thousand.
constexpr CastName curveNames[] = {"nn", "kp", "kb", "kv", "m", "ab"};
struct CurveProperties {
    CastProperty found[std::size(curveNames)];
    CastProperty &target = found[0], &kind = found[1], &frames = found[2], &values = found[3], &mode = found[4], &weight = found[5];
};

/// How players compare names: case and everything outside [A-Za-z0-9_] make no difference (cast.md section 3.5).
std::string looseName(std::string_view name) {
    std::string loose = lowerAscii(name);
    for (char& c : loose)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '_';
    return loose;
}

/// One key of the Euler curves that files had before 2023-11.
using EulerKeys = Vector<std::pair<double, double>>;

struct EulerCurves {
    std::uint32_t node = 0;  // the first one, in the document
    EulerKeys axes[3];
    Mode mode = Mode::absolute;
    float blendWeight = 1;
};

double sample(const EulerKeys& keys, double frame) {
    if (keys.empty()) return 0;
    const auto after = std::lower_bound(keys.begin(), keys.end(), std::pair<double, double>{frame, -1e300});
    if (after == keys.end()) return keys.back().second;
    if (after->first == frame || after == keys.begin()) return after->second;
    const auto before = after - 1;
    const double t = (frame - before->first) / (after->first - before->first);
    return before->second + (after->second - before->second) * t;
}

class ClipMaker {
public:
    explicit ClipMaker(CastContext& context) : context_(context) {
        for (const Node& node : context.scene.nodes)
            if (node.bone >= 0) bones_.intern(looseName(context.scene.strings[node.name]));
        for (const Mesh& mesh : context.scene.meshes)
            for (const MorphTarget& morph : mesh.morphs) shapes_.intern(looseName(morph.name));
    }

    void add(std::uint32_t animation) {
        clip_ = {};
        recent_.clear();
        eulerNames_ = {};
        eulers_.clear();
        driven_.clear();
        lost_ = {};
        lastFrame_ = 0;
        firstFrame_ = noFrame;
        floatCurves_ = 0;
        clip_.name = context_.name(animation, context_.scene.asset.name);
        clip_.block = context_.arena.addBlock();
        clip_.loop = context_.values.flag(animation, "lo", false);
        constexpr std::uint32_t usual = 4096;
        clip_.tracks.reserve(std::min(context_.node(animation).next - animation - 1, usual));
        frameRate_ = context_.values.number(animation, "fr").value_or(0);
        if (!std::isfinite(frameRate_) || !(frameRate_ > 1e-20) || frameRate_ > 1e20) {
            context_.warn(Code::FRAME_RATE, animation, {}, "fr");
            frameRate_ = 30;
        }
        clip_.frameRate = static_cast<float>(frameRate_);
        for (const std::uint32_t child : context_.document.children(animation)) {
            if (context_.arena.exhausted()) return;
            switch (context_.node(child).id) {
                case castIds::curve:
                    addCurve(child);
                    break;
                case castIds::modeOverride:
                    addOverride(child);
                    break;
                case castIds::notification:
                    addNotification(child);
                    break;
                default:
                    break;
            }
        }
        for (StringId i = 0; i < eulers_.size(); ++i) addEuler(eulerNames_[i], eulers_[i]);
        checkRepeated(animation);
        lost_.tell(context_, Code::CURVE_NOT_PLAYED, animation);
        sortEvents(clip_.events);
        // The reference's range: at least one frame long.
        const double last = std::max(lastFrame_, 1.0);
        clip_.duration = timeOf(last);
        clip_.frameCount = last < noFrame ? static_cast<std::uint32_t>(last) + 1 : 0xFFFFFFFF;
        if (floatCurves_)
            context_.add(Code::LEGACY_FORM, Severity::info, animation, {"frames as floats in {} curves, read as they are", {floatCurves_}});
        if (firstFrame_ < noFrame && firstFrame_ > 0) clip_.properties.push_back({"firstFrame", firstFrame_});
        for (Property& property : context_.unknownProperties(animation)) clip_.properties.push_back(std::move(property));
        context_.scene.clips.push_back(std::move(clip_));
    }

private:
    static constexpr double noFrame = 4294967295.0;

    float timeOf(double frame) const { return static_cast<float>(frame / frameRate_); }

    void reach(double first, double last) {
        firstFrame_ = std::min(firstFrame_, first);
        lastFrame_ = std::max(lastFrame_, last);
    }

    Mode modeOf(std::uint32_t node, const CastProperty& property) {
        const std::string_view mode = property.text();
        if (mode == "absolute") return Mode::absolute;
        if (mode == "relative") return Mode::relative;
        if (mode == "additive") return Mode::additive;
        if (property.type == CastType::text && property.count > 0) context_.warn(Code::VALUE_UNKNOWN, node, castText(property), "m");
        return Mode::absolute;  // so is absent in the reference
    }

    StringId nameOf(const CastProperty& property) {
        const std::string_view text = property.text();
        if (text != lastName_ || text.empty()) {  // the curves of a node follow each other
            lastName_ = text;
            lastId_ = context_.scene.strings.intern(repairUtf8(text));
        }
        return lastId_;
    }

    /// Each missing node is reported once, however many curves name it.
    void checkTarget(std::uint32_t node, StringId name) {
        if (bones_.empty()) return;
        if (name >= asked_.size()) asked_.resize(context_.scene.strings.size());
        if (asked_[name]) return;
        asked_[name] = true;
        const std::string& text = context_.scene.strings[name];
        if (!bones_.contains(looseName(text))) context_.warn(Code::CURVE_TARGET, node, text, "nn");
    }

    // ---------------------------------------------------------------------------------------- curves

    void addCurve(std::uint32_t node) {
        CurveProperties curve;
        context_.document.find(node, curveNames, curve.found);
        const CastName kind = curve.kind.text();
        if (kind == "rx" || kind == "ry" || kind == "rz") return addEulerAxis(node, curve, curve.kind.text()[1] - 'x');
        const CurveRule* rule =
            std::find_if(std::begin(curveRules), std::end(curveRules), [&](const CurveRule& r) { return r.name == kind; });
        if (rule == std::end(curveRules)) {
            context_.warn(Code::CURVE_KIND, node, castText(curve.kind), "kp");
            return;
        }
        if (!acceptValues(node, curve.values, rule->path)) return;
        std::uint32_t pairs = 0;
        if (!readOrder(node, curve, pairs)) return;

        Track track;
        track.path = rule->path;
        track.component = rule->component;
        track.interpolation = rule->path == Path::rotation ? Interpolation::slerp
                              : rule->path == Path::visible
                                  ? Interpolation::step  // the specification asks for linear, which a flag has not
                                  : Interpolation::linear;
        const StringId id = nameOf(curve.target);
        if (rule->path == Path::weight)
            track.property = id;  // every mesh that owns a shape of that name
        else
            track.target = id;
        const Mode mode = modeOf(node, curve.mode);
        // Both plugins take the weight itself in every mode; visibility has nothing to be relative to.
        const bool hasMode = rule->path != Path::weight && rule->path != Path::visible;
        track.mode = hasMode ? mode : Mode::absolute;
        track.blendWeight = weightOf(node, curve);
        if (!setTimes(pairs, track.times) || !setValues(node, curve.values, track)) return;
        if (rule->path != Path::weight)
            checkTarget(node, id);
        else if (const std::string& shape = context_.scene.strings[id];
                 !context_.scene.meshes.empty() && !shapes_.contains(looseName(shape)))
            lost_.add(shape, kind.text());  // in a file of motions alone the model is another file
        if (track.mode != Mode::additive) driven_.push_back((std::uint64_t{id} << 8) | static_cast<std::uint64_t>(rule - curveRules));
        clip_.tracks.push_back(track);
    }

    /// Curves that one finding of the clip is about: how many, and the first of them.
    struct Told {
        std::uint64_t count = 0;
        std::string names = {};
        void add(const std::string& target, std::string_view kind) {
            constexpr std::uint64_t named = 5;
            if (++count <= named) names.append(names.empty() ? "" : ", ").append(target).append(".").append(kind);
        }
        void tell(CastContext& context, Code code, std::uint32_t animation) const {
            if (count) context.add(code, Severity::info, animation, names, {}, count);
        }
    };

    /// Of several curves that say what one value is the last counts. (Additive ones accumulate.)
    void checkRepeated(std::uint32_t animation) {
        sortBy(driven_, [](std::uint64_t value) { return value; });
        Told repeated;
        for (std::size_t i = 1; i < driven_.size(); ++i)
            if (driven_[i] == driven_[i - 1])
                repeated.add(context_.scene.strings[static_cast<StringId>(driven_[i] >> 8)], curveRules[driven_[i] & 255].name.text());
        repeated.tell(context_, Code::CURVE_REPEATED, animation);
    }

    float weightOf(std::uint32_t node, const CurveProperties& curve) {
        return curve.weight ? static_cast<float>(context_.number(node, "ab", 1)) : 1;
    }

    bool acceptValues(std::uint32_t node, const CastProperty& values, Path path) {
        if (values.count == 0) return true;  // told as an empty curve
        const CastType type = values.type;
        const bool isNumber = type != CastType::text && type != CastType::u64 && infoOf(type).width == 1;
        const bool isInteger = isNumber && (castMask(type) & castIntegers);
        const bool fits = path == Path::rotation ? type == CastType::vec4 : path == Path::visible ? isInteger : type == CastType::f32;
        if (fits) return true;
        const bool converts = path != Path::rotation && isNumber;
        context_.warn(Code::CURVE_VALUES, node, {converts ? "{}, converted" : "{}, left out", {infoOf(type).spelling}}, "kv");
        return converts;
    }

    /// How keys and values pair up, in `order_` where they are not in order already. False for an empty curve.
    bool readOrder(std::uint32_t node, const CurveProperties& curve, std::uint32_t& pairs) {
        const std::uint32_t valueCount = curve.values.count;
        frames_ = CastIntegers(curve.frames);
        pairs = std::min(frames_.size(), valueCount);
        order_.clear();
        if (pairs == 0) {
            context_.warn(Code::CURVE_EMPTY, node);
            return false;
        }
        if (frames_.size() != valueCount)
            context_.warn(Code::KEY_PAIRS, node, {"{} frames, {} values", {frames_.size(), valueCount}}, "kb");
        std::uint64_t misplaced = 0;
        known_ = recentTimes(pairs);
        if (!known_)
            for (std::uint32_t i = 1; i < pairs; ++i) misplaced += frameAt(i) <= frameAt(i - 1);
        floatCurves_ += frames_.areFloats();
        if (misplaced == 0) {
            reach(frameAt(0), frameAt(pairs - 1));
            return true;
        }
        for (std::uint32_t i = 0; i < pairs; ++i) reach(frameAt(i), frameAt(i));
        context_.warn(Code::KEY_ORDER, node, {}, "kb", misplaced);
        if (!Budget::affords(std::uint64_t{pairs} * 8)) return false;
        Vector<double> frames(pairs);
        for (std::uint32_t i = 0; i < pairs; ++i) frames[i] = frameAt(i);
        order_ = ascendingOrder(frames);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < order_.size(); ++i)
            if (i + 1 == order_.size() || frames[order_[i + 1]] != frames[order_[i]]) order_[kept++] = order_[i];
        order_.resize(kept);
        pairs = static_cast<std::uint32_t>(kept);
        return true;
    }

    double frameAt(std::uint32_t i) const { return frames_.unrounded(i); }
    std::uint32_t sourceOf(std::size_t key) const { return order_.empty() ? static_cast<std::uint32_t>(key) : order_[key]; }

    Bytes frameBytes(std::uint32_t pairs) const {
        return frames_.payload().first(static_cast<std::size_t>(std::uint64_t{pairs} * infoOf(frames_.type()).size));
    }

    /// Curves of a clip often share their frames, written out each time: the times are stored once. nullptr for frames that are new.
    const Column<float>* recentTimes(std::uint32_t pairs) const {
        const Bytes frames = frameBytes(pairs);
        for (const Recent& recent : recent_)
            if (recent.type == frames_.type() && recent.frames.size() == frames.size() &&
                (recent.frames.data() == frames.data() || std::memcmp(recent.frames.data(), frames.data(), frames.size()) == 0))
                return &recent.times;
        return nullptr;
    }

    bool setTimes(std::uint32_t pairs, Column<float>& times) {
        if (known_) {
            times = *known_;
            return true;
        }
        auto made = context_.arena.allocate<float>(clip_.block, pairs);
        if (!made) return false;
        for (std::uint32_t i = 0; i < pairs; ++i) made.values[i] = timeOf(frameAt(sourceOf(i)));
        times = made.column;
        if (order_.empty()) {
            constexpr std::size_t most = 16;
            if (recent_.size() == most) recent_.erase(recent_.begin());
            recent_.push_back({frames_.type(), frameBytes(pairs), times});
        }
        return true;
    }

    bool setValues(std::uint32_t node, const CastProperty& values, Track& track) {
        const bool isRotation = track.path == Path::rotation;
        const std::uint32_t count = track.times.count;
        auto made = context_.arena.allocate<float>(clip_.block, std::uint64_t{count} * (isRotation ? 4 : 1));
        if (!made) return false;
        track.values = made.column;
        const std::uint8_t* from = values.payload.data();
        const bool isPlain = order_.empty() && track.path != Path::visible;
        if (isPlain && isRotation && copyUnitRotations(from, count, made.values.data())) return true;
        if (isPlain && values.type == CastType::f32 && copyFloats(from, count, made.values.data())) return true;

        std::uint64_t damaged = 0, notUnit = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t source = sourceOf(i);
            if (isRotation) {
                float* out = &made.values[std::size_t{i} * 4];
                std::memcpy(out, from + std::size_t{source} * 16, 16);
                if (isUnit(out)) continue;
                const Quat stored{out[0], out[1], out[2], out[3]};
                const double squared = lengthSquared(stored);
                if (!std::isfinite(squared))
                    ++damaged;
                else if (!(std::fabs(std::sqrt(squared) - 1) <= 1e-3))
                    ++notUnit;
                const Quat unit = normalized(stored);
                out[0] = static_cast<float>(unit.x);
                out[1] = static_cast<float>(unit.y);
                out[2] = static_cast<float>(unit.z);
                out[3] = static_cast<float>(unit.w);
                continue;
            }
            double value = castNumber(values, source);
            if (!(std::fabs(value) <= 3.4028234663852886e38)) {
                ++damaged;
                value = 0;
            }
            made.values[i] = track.path == Path::visible ? (value >= 1 ? 1.f : 0.f) : static_cast<float>(value);
        }
        if (damaged) context_.warn(Code::NON_FINITE, node, {}, "kv", damaged);
        if (notUnit) context_.warn(Code::QUATERNION_NOT_UNIT, node, {}, "kv", notUnit);
        return true;
    }

    // ---------------------------------------------------------------------------------------- Euler curves

    void addEulerAxis(std::uint32_t node, const CurveProperties& curve, int axis) {
        if (!acceptValues(node, curve.values, Path::translation)) return;
        std::uint32_t pairs = 0;
        if (!readOrder(node, curve, pairs)) return;
        const StringId entry = eulerNames_.intern(castText(curve.target));
        const bool isNew = entry == eulers_.size();
        if (isNew) eulers_.emplace_back();
        EulerCurves& curves = eulers_[entry];
        if (isNew) {
            curves.node = node;
            curves.mode = modeOf(node, curve.mode);
            curves.blendWeight = weightOf(node, curve);
        }
        curves.axes[axis].clear();
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const double value = castNumber(curve.values, sourceOf(i));
            curves.axes[axis].push_back({frameAt(sourceOf(i)), std::isfinite(value) ? value : 0});
        }
    }

    /// Degrees about x, then y, then z (the rotation order of the hosts that wrote them), baked to one key a frame: between keys the angles
    /// are linear, not the rotation.
    void addEuler(const std::string& name, const EulerCurves& curves) {
        constexpr std::uint32_t mostFrames = 0x10000;
        Vector<double> frames;
        for (const EulerKeys& keys : curves.axes)
            for (const auto& key : keys) frames.push_back(key.first);
        const auto sort = [&] {
            sortBy(frames, [](double frame) { return frame; });
            frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
        };
        sort();
        const double first = std::ceil(frames.front()), last = std::floor(frames.back());
        if (last > first && last - first < mostFrames - std::min<std::uint32_t>(bakedFrames_, mostFrames - 1)) {
            for (double frame = first; frame <= last; ++frame) frames.push_back(frame);
            bakedFrames_ += static_cast<std::uint32_t>(last - first);
            sort();
        }
        auto times = context_.arena.allocate<float>(clip_.block, frames.size());
        auto values = context_.arena.allocate<float>(clip_.block, std::uint64_t{frames.size()} * 4);
        if (!times || !values) return;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto turn = [&](int axis) { return rotationAbout(axis, sample(curves.axes[axis], frames[i])); };
            const Quat turned = normalized(turn(2) * turn(1) * turn(0));
            times.values[i] = timeOf(frames[i]);
            values.values[i * 4] = static_cast<float>(turned.x);
            values.values[i * 4 + 1] = static_cast<float>(turned.y);
            values.values[i * 4 + 2] = static_cast<float>(turned.z);
            values.values[i * 4 + 3] = static_cast<float>(turned.w);
        }
        context_.add(Code::LEGACY_FORM, Severity::info, curves.node, "Euler angles in degrees, order x y z", "kp");
        Track track;
        track.path = Path::rotation;
        track.target = context_.scene.strings.intern(name);
        track.interpolation = Interpolation::slerp;
        track.mode = curves.mode;
        track.blendWeight = curves.blendWeight;
        track.times = times.column;
        track.values = values.column;
        checkTarget(curves.node, track.target);
        clip_.tracks.push_back(track);
    }

    // ---------------------------------------------------------------------------------------- the rest

    void addOverride(std::uint32_t node) {
        ModeOverride made;
        made.node = context_.scene.strings.intern(context_.values.text(node, "nn"));
        made.mode = modeOf(node, context_.document.find(node, "m"));
        made.translation = context_.values.flag(node, "ot", false);
        made.rotation = context_.values.flag(node, "or", false);
        made.scale = context_.values.flag(node, "os", false);
        made.includesNode = context_.options.space.overrideNamedBone;
        checkTarget(node, made.node);
        clip_.overrides.push_back(made);
    }

    void addNotification(std::uint32_t node) {
        const StringId name = context_.scene.strings.intern(context_.name(node, ""));
        const CastIntegers frames = context_.values.integers(node, "kb");
        if (frames.type() == CastType::f32 && !frames.empty())
            context_.add(Code::LEGACY_FORM, Severity::info, node, "frames as floats, rounded", "kb");
        if (!Budget::affords(std::uint64_t{frames.size()} * sizeof(Event) * 2)) return;
        for (std::uint32_t i = 0; i < frames.size(); ++i) {
            reach(frames[i], frames[i]);
            clip_.events.push_back({timeOf(frames[i]), name});
        }
    }

    struct Recent {
        CastType type;
        Bytes frames;
        Column<float> times;
    };

    CastContext& context_;
    StringTable bones_, shapes_;  // loose names
    Told lost_;                   // weights of shapes that no mesh of the file has
    Vector<std::uint8_t> asked_;  // by StringId
    Clip clip_;
    double frameRate_ = 30;
    double firstFrame_ = 0, lastFrame_ = 0;
    std::uint32_t floatCurves_ = 0;  // whose frames are no integers
    std::string_view lastName_;      // of the curve before, and what it is called by
    StringId lastId_ = 0;
    CastIntegers frames_;          // of the curve at hand
    Vector<std::uint32_t> order_;  // of its keys; empty: as stored
    Vector<Recent> recent_;
    const Column<float>* known_ = nullptr;  // the times of the curve at hand, where an earlier one had the same
    Vector<std::uint64_t> driven_;          // what curves drive that are not additive: name and kind
    StringTable eulerNames_;
    Vector<EulerCurves> eulers_;
    std::uint32_t bakedFrames_ = 0;
};

}  // namespace

void addCastClips(CastContext& context, const Vector<std::uint32_t>& animations) {
    if (animations.empty()) return;
    ClipMaker maker(context);
    for (const std::uint32_t animation : animations) {
        if (context.arena.exhausted()) return;
        maker.add(animation);
    }
}

}  // namespace rigcast
