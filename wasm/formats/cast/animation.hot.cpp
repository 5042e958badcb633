// Converts animations to clips with one track per curve. Keeps values and frames unchanged, because
// playback combines the tracks of single axes and applies modes.
#include <algorithm>
#include <cmath>

#include "core/order.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/cast/curves.hpp"
#include "formats/cast/euler.hpp"
#include "formats/cast/keys.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

namespace {

/// Normalises a name for a comparison that ignores case and characters outside [A-Za-z0-9_]
/// (cast.md section 3.5).
[[gnu::cold]] std::string normalizedName(std::string_view name) {
    std::string loose = lowerAscii(name);
    for (char& c : loose)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '_';
    return loose;
}

struct EulerCurves {
    std::uint32_t node = 0;  // document node of the first curve
    EulerAxes axes;
    Mode mode = Mode::absolute;
    float blendWeight = 1;
};

class ClipBuilder {
public:
    [[gnu::cold]] explicit ClipBuilder(CastContext& context) : context_(context), keys_(context) {
        for (const Node& node : context.scene.nodes)
            if (node.bone >= 0) bones_.intern(normalizedName(context.scene.strings[node.name]));
        for (const Mesh& mesh : context.scene.meshes)
            for (const MorphTarget& morph : mesh.morphs) shapes_.intern(normalizedName(morph.name));
    }

    [[gnu::cold]] void add(std::uint32_t animation) {
        clip_ = {};
        eulerNames_ = {};
        eulers_.clear();
        driven_.clear();
        withoutShape_ = {};
        clip_.name = context_.name(animation, context_.scene.asset.name);
        clip_.block = context_.arena.addBlock();
        clip_.loop = context_.values.flag(animation, "lo", false);
        constexpr std::uint32_t usual = 4096;
        std::uint32_t curves = 0;
        for (const std::uint32_t child : context_.document.children(animation)) curves += context_.node(child).siblings();
        clip_.tracks.reserve(std::min(curves, usual));
        double frameRate = context_.values.number(animation, "fr").value_or(0);
        if (!(frameRate > 1e-20 && frameRate <= 1e20)) {
            context_.warn(Code::FRAME_RATE, animation, {}, "fr");
            frameRate = 30;
        }
        clip_.frameRate = static_cast<float>(frameRate);
        keys_.begin(clip_.block, frameRate);
        for (const std::uint32_t child : context_.document.children(animation)) {
            if (context_.arena.exhausted()) return;
            switch (context_.node(child).id) {
                case castIds::curve:
                    addCurves(child);
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
        keys_.finish(clip_);
        for (StringId i = 0; i < eulers_.size(); ++i) addEuler(eulerNames_[i], eulers_[i]);
        checkRepeated(animation);
        withoutShape_.report(context_, Code::CURVE_NOT_PLAYED, animation);
        sortEvents(clip_.events);
        setRange();
        if (const std::uint32_t curves = keys_.floatCurves())
            context_.add(Code::LEGACY_FORM, Severity::info, animation, {"frames are floats in {} curves", {curves}});
        for (Property& property : context_.unknownProperties(animation)) clip_.properties.push_back(std::move(property));
        context_.scene.clips.push_back(std::move(clip_));
    }

private:
    /// Sets the range of the clip, which is at least one frame long, as in the reference reader.
    [[gnu::cold]] void setRange() {
        const double first = keys_.firstFrame(), last = std::max(keys_.lastFrame(), 1.0);
        clip_.duration = keys_.timeOf(last);
        clip_.frameCount = last < CastKeys::noFrame ? static_cast<std::uint32_t>(last) + 1 : 0xFFFFFFFF;
        if (first >= CastKeys::noFrame || first <= 0) return;
        clip_.start = keys_.timeOf(first);
        clip_.properties.push_back({"firstFrame", first});
    }

    Mode modeOf(std::uint32_t node, const CastProperty& property) {
        Mode mode;
        if (castModeOf(property.text(), mode)) return mode;
        if (property.type == CastType::text && property.count > 0) context_.warn(Code::VALUE_UNKNOWN, node, castText(property), "m");
        return Mode::absolute;  // default mode in the reference reader
    }

    StringId nameOf(const CastProperty& property) {
        const std::string_view text = property.text();
        if (text != lastName_ || text.empty()) {  // curves of the same target are usually adjacent
            lastName_ = text;
            lastId_ = context_.scene.strings.intern(repairUtf8(text));
        }
        return lastId_;
    }

    /// Reports a missing target node once, even if several curves refer to it.
    void checkTarget(std::uint32_t node, StringId name) {
        if (bones_.empty()) return;
        if (name >= checked_.size()) checked_.resize(context_.scene.strings.size());
        if (checked_[name]) return;
        checked_[name] = true;
        const std::string& text = context_.scene.strings[name];
        if (!bones_.contains(normalizedName(text))) context_.warn(Code::CURVE_TARGET, node, text, "nn");
    }

    // ---- curves

    /// Adds the curve, or the run of curves, that a node represents.
    void addCurves(std::uint32_t node) {
        CastCurve curve;
        const CastNode& of = context_.node(node);
        if (of.curves == 0) {
            context_.document.find(node, CastCurve::names, curve.found);
            curve.valuesAt = context_.document.offsetOf(curve.values.payload);
            return addCurve(node, curve);
        }
        CastCurveWalk walk(context_.document.input, context_.source, of.offset);
        for (std::uint32_t i = 0; i < of.curves && !context_.arena.exhausted() && walk.next(of.end, curve); ++i) addCurve(node, curve);
    }

    void addCurve(std::uint32_t node, const CastCurve& curve) {
        const CastName kind = curve.kind.text();
        if (kind == "rx" || kind == "ry" || kind == "rz") return addEulerAxis(node, curve, curve.kind.text()[1] - 'x');
        const CastCurveRule* const rule = castCurveRule(kind);
        if (!rule) {
            context_.warn(Code::CURVE_KIND, node, castText(curve.kind), "kp");
            return;
        }
        if (!keys_.accepts(node, curve.values, rule->path) || !keys_.read(node, curve.frames, curve.values)) return;
        Track track;
        track.path = rule->path;
        track.component = rule->component;
        track.interpolation = rule->path == Path::rotation ? Interpolation::slerp
                              : rule->path == Path::visible
                                  ? Interpolation::step  // the specification requires linear interpolation, which is meaningless for a flag
                                  : Interpolation::linear;
        const StringId id = nameOf(curve.target);
        if (rule->path == Path::weight)
            track.property = id;  // applies to every mesh that has this shape
        else
            track.target = id;
        const Mode mode = modeOf(node, curve.mode);
        // Weight tracks have no mode, because both plugins always treat weights as absolute.
        // Visibility tracks have no mode, because visibility has no rest value.
        const bool hasMode = rule->path != Path::weight && rule->path != Path::visible;
        track.mode = hasMode ? mode : Mode::absolute;
        track.blendWeight = weightOf(node, curve);
        if (!keys_.setTimes(track.times) || !keys_.setValues(node, curve, clip_, track)) return;
        if (rule->path != Path::weight)
            checkTarget(node, id);
        else if (const std::string& shape = context_.scene.strings[id];
                 !context_.scene.meshes.empty() && !shapes_.contains(normalizedName(shape)))
            withoutShape_.add(shape, kind.text());  // if the file has no model, the shape is in another file
        if (track.mode != Mode::additive) driven_.push_back((std::uint64_t{id} << 8) | static_cast<std::uint64_t>(rule - castCurveRules));
        clip_.tracks.push_back(track);
    }

    /// Curves that are reported in one finding per clip: the number of curves and the first few
    /// names.
    struct CurveList {
        std::uint64_t count = 0;
        std::string names = {};
        [[gnu::cold]] void add(const std::string& target, std::string_view kind) {
            constexpr std::uint64_t named = 5;
            if (++count <= named) names.append(names.empty() ? "" : ", ").append(target).append(".").append(kind);
        }
        [[gnu::cold]] void report(CastContext& context, Code code, std::uint32_t animation) const {
            if (count) context.add(code, Severity::info, animation, names, {}, count);
        }
    };

    /// Reports curves that animate the same value, because only the last of them is used. Ignores
    /// additive curves, because all of them are used.
    [[gnu::cold]] void checkRepeated(std::uint32_t animation) {
        sortBy(driven_, [](std::uint64_t value) { return value; });
        CurveList repeated;
        for (std::size_t i = 1; i < driven_.size(); ++i)
            if (driven_[i] == driven_[i - 1])
                repeated.add(context_.scene.strings[static_cast<StringId>(driven_[i] >> 8)], castCurveRules[driven_[i] & 255].name.text());
        repeated.report(context_, Code::CURVE_REPEATED, animation);
    }

    float weightOf(std::uint32_t node, const CastCurve& curve) {
        return curve.weight ? static_cast<float>(context_.number(node, curve.weight, "ab", 1)) : 1;
    }

    // ---- Euler curves

    [[gnu::cold]] void addEulerAxis(std::uint32_t node, const CastCurve& curve, int axis) {
        if (!keys_.accepts(node, curve.values, Path::translation) || !keys_.read(node, curve.frames, curve.values)) return;
        const StringId entry = eulerNames_.intern(castText(curve.target));
        const bool isNew = entry == eulers_.size();
        if (isNew) eulers_.emplace_back();
        EulerCurves& curves = eulers_[entry];
        if (isNew) {
            curves.node = node;
            curves.mode = modeOf(node, curve.mode);
            curves.blendWeight = weightOf(node, curve);
        }
        context_.load(curve.values.payload);
        EulerKeys& keys = curves.axes.keys[axis];
        keys.clear();
        for (std::uint32_t i = 0; i < keys_.size(); ++i) {
            const double value = castNumber(curve.values, keys_.sourceOf(i));
            keys.push_back({keys_.frameOf(i), std::isfinite(value) ? value : 0});
        }
    }

    [[gnu::cold]] void addEuler(const std::string& name, const EulerCurves& curves) {
        const Vector<double> frames = curves.axes.frames(framesLeft_);
        auto times = context_.arena.allocate<float>(clip_.block, frames.size());
        auto values = context_.arena.allocate<float>(clip_.block, std::uint64_t{frames.size()} * 4);
        if (!times || !values) return;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const Quat rotation = curves.axes.at(frames[i]);
            times.values[i] = keys_.timeOf(frames[i]);
            values.values[i * 4] = static_cast<float>(rotation.x);
            values.values[i * 4 + 1] = static_cast<float>(rotation.y);
            values.values[i * 4 + 2] = static_cast<float>(rotation.z);
            values.values[i * 4 + 3] = static_cast<float>(rotation.w);
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

    // ---- other parts

    [[gnu::cold]] void addOverride(std::uint32_t node) {
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

    [[gnu::cold]] void addNotification(std::uint32_t node) {
        const StringId name = context_.scene.strings.intern(context_.name(node, ""));
        const CastIntegers frames = context_.values.integers(node, "kb");
        if (frames.type() == CastType::f32 && !frames.empty())
            context_.add(Code::LEGACY_FORM, Severity::info, node, "frames are floats, rounded", "kb");
        if (!Budget::affords(std::uint64_t{frames.size()} * sizeof(Event) * 2)) return;
        for (std::uint32_t i = 0; i < frames.size(); ++i) {
            keys_.extendRange(frames[i], frames[i]);
            clip_.events.push_back({keys_.timeOf(frames[i]), name});
        }
    }

    CastContext& context_;
    CastKeys keys_;
    StringTable bones_, shapes_;    // normalised names
    CurveList withoutShape_;        // weight curves of shapes that no mesh in the file has
    Vector<std::uint8_t> checked_;  // 1 for each checked target, by StringId
    Clip clip_;
    std::string lastName_;  // target of the previous curve
    StringId lastId_ = 0;
    Vector<std::uint64_t> driven_;  // targets and components of non-additive curves
    StringTable eulerNames_;
    Vector<EulerCurves> eulers_;
    std::uint32_t framesLeft_ = 0x10000;  // remaining number of frames that Euler curves may add
};

}  // namespace

void addCastClips(CastContext& context, const Vector<std::uint32_t>& animations) {
    if (animations.empty()) return;
    ClipBuilder maker(context);
    for (const std::uint32_t animation : animations) {
        if (context.arena.exhausted()) return;
        maker.add(animation);
    }
}

}  // namespace rigcast
