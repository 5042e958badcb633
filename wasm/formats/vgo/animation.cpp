// Converts animation clips. Curves contain no path to a node: they animate the node whose animation
// component uses the clip (vgo.md sections 5.10 and 11). Curves are left-handed in every file.
#include <algorithm>
#include <cmath>

#include "core/code.hpp"
#include "core/order.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/vgo/build.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

namespace {

constexpr double secondsPerDay = 86400;
constexpr double eulerRate = 60;           // minimum number of samples per second
constexpr double eulerStep = 10;           // maximum rotation between samples in degrees
constexpr std::size_t mostSamples = 1000;  // maximum number of samples per segment
constexpr std::uint64_t eulerSteps = 32;   // steps of the work budget per sample

/// Converts Euler angles in Unity's order (z first, then x, then y) to a quaternion.
Quat fromEuler(const PlayCurve* euler, double t, bool leftLimit) {
    const auto axisRotation = [&](int axis) { return rotationAbout(axis, evaluate(euler[axis], t, leftLimit)); };
    return axisRotation(1) * axisRotation(0) * axisRotation(2);
}

class ClipBuilder {
public:
    explicit ClipBuilder(VgoBuild& build)
        : build_(build), rendererOf_(build.scene.nodes.size(), none), wraps_(build.clips.size(), std::nan("")) {
        for (std::uint32_t i = 0; i < build.scene.renderers.size(); ++i) rendererOf_[build.scene.renderers[i].node] = i;
    }

    void run() {
        Vector<std::uint32_t> isUsed(build_.clips.size());
        for (std::uint32_t i = 0; i < build_.nodes.size(); ++i) {
            const Value* animation = vgoMember(build_.node(i), "animation");
            if (!animation) continue;
            const std::uint32_t index =
                build_.index(vgoMember(animation, "clipIndex"), build_.clips.size(), Severity::warning, "nodes", i, "clipIndex");
            const Value* source = index == none ? nullptr : &build_.clips[index];
            double wrap = vgoNumber(animation, "wrapMode", 0);
            if (wrap == 0 && source) wrap = wrapOf(index);
            const std::size_t row = build_.scene.clips.size();
            if (source && Budget::affords(0)) {
                isUsed[index] = true;
                addFor(*animation, *source, index, i, wrap);
            }
            const bool isAdded = build_.scene.clips.size() > row;
            addFeature(*animation, i, isAdded ? static_cast<double>(row) : -1, wrap);
        }
        for (std::uint32_t i = 0; i < build_.clips.size(); ++i)
            if (!isUsed[i]) addClip(build_.clips[i], i, none, wrapOf(i), false);
    }

private:
    /// Adds a clip for a node. Nodes with the same clip share its curves, because their tracks
    /// differ only in the target node, and in whether this node has a renderer.
    void addFor(const Value& animation, const Value& source, std::uint32_t index, std::uint32_t node, double wrap) {
        const bool isPlayed = vgoFlag(&animation, "playAutomatically", false);
        const std::uint32_t row = build_.rows[node];
        const std::uint32_t key[] = {index, rendererOf_[row] != none};
        std::uint32_t& made = clips_[key];
        if (made != none) return addAgain(made, index, row, wrap, isPlayed);
        const std::size_t next = build_.scene.clips.size();
        addClip(source, index, row, wrap, isPlayed);
        if (build_.scene.clips.size() > next) made = static_cast<std::uint32_t>(next);
    }

    double wrapOf(std::uint32_t clip) {
        double& wrap = wraps_[clip];
        if (std::isnan(wrap)) wrap = vgoNumber(&build_.clips[clip], "wrapMode", 0);
        if (std::isnan(wrap)) wrap = 0;
        return wrap;
    }

    void addFeature(const Value& animation, std::uint32_t node, double clip, double wrap) {
        Feature feature;
        feature.kind = "animation";
        feature.name = vgoText(&animation, "name");
        feature.node = build_.rows[node];
        for (const char* name : {"enabled", "playAutomatically", "animatePhysics"})
            vgoPut(feature.properties, name, vgoFlag(&animation, name, *name == 'e'));
        vgoPut(feature.properties, "clip", clip);
        vgoPut(feature.properties, "cullingType", vgoNumber(&animation, "cullingType", 0));
        vgoPut(feature.properties, "wrapMode", wrap);
        addBounds(feature.properties, animation);
        build_.scene.features.push_back(std::move(feature));
    }

    void addBounds(Properties& to, const Value& source) const {
        const Value* bounds = vgoMember(&source, "localBounds");
        if (!bounds) return;
        float center[3] = {0, 0, 0}, size[3] = {0, 0, 0};
        vgoFloats(vgoMember(bounds, "center"), center, 3);
        vgoFloats(vgoMember(bounds, "size"), size, 3);
        if (build_.document.leftHanded) center[2] = -center[2];
        Properties box;
        vgoPut(box, "center", vgoNumbers(center));
        vgoPut(box, "size", vgoNumbers(size));
        vgoPut(to, "localBounds", std::move(box));
    }

    void addClip(const Value& source, std::uint32_t index, std::uint32_t node, double wrap, bool isPlayed) {
        Clip clip;
        clip.name = vgoText(&source, "name");
        clip.block = build_.arena.addBlock();
        clip.loop = wrap == 2 || wrap == 4;
        vgoPut(clip.properties, "legacy", vgoFlag(&source, "legacy", true));
        vgoPut(clip.properties, "wrapMode", wrap);
        vgoPut(clip.properties, "playAutomatically", isPlayed);
        addBounds(clip.properties, source);
        TrackWriter writer(build_.scene, build_.arena, clip);
        PlayCurve euler[3];
        notPlayed_ = 0;
        notPlayedPaths_.clear();
        double first = 0, last = 0;
        for (const Value& binding : vgoList(&source, "curveBindings")) {
            PlayCurve curve = curveOf(vgoMember(&binding, "animationCurve"), index);
            if (build_.arena.exhausted()) return;
            if (curve.empty()) continue;
            first = std::min(first, std::max(curve.time.front(), -secondsPerDay));
            for (const double time : curve.time)
                if (time <= secondsPerDay) last = std::max(last, time);
            addTrack(binding, node, curve, clip, writer, euler);
        }
        if (notPlayed_) build_.add(Code::CURVE_NOT_PLAYED, Severity::info, "animationClips", index, notPlayedPaths_, notPlayed_);
        if (!(euler[0].empty() && euler[1].empty() && euler[2].empty())) addEuler(index, node, euler, std::min(first, 0.0), last, writer);
        clip.start = static_cast<float>(first);
        clip.duration = static_cast<float>(last);
        build_.scene.clips.push_back(std::move(clip));
    }

    void addAgain(std::uint32_t made, std::uint32_t index, std::uint32_t node, double wrap, bool isPlayed) {
        const Clip& first = build_.scene.clips[made];
        if (!build_.spend(first.tracks.size() * sizeof(Track) + first.name.size(), "animationClips", index)) return;
        Clip clip = first;
        clip.loop = wrap == 2 || wrap == 4;
        for (auto& [name, value] : clip.properties) {
            if (name == "wrapMode") value = wrap;
            if (name == "playAutomatically") value = isPlayed;
        }
        const std::uint32_t renderer = rendererOf_[node];
        for (Track& track : clip.tracks) {
            const bool isOfMesh = track.path == Path::weight || track.path == Path::shown || track.path == Path::material;
            track.node = node;
            track.target = isOfMesh && renderer != none ? build_.scene.strings.intern(build_.scene.renderers[renderer].name)
                                                        : build_.scene.nodes[node].name;
        }
        build_.scene.clips.push_back(std::move(clip));
    }

    PlayCurve curveOf(const Value* source, std::uint32_t clip) {
        const Values list = vgoList(source, "keys");
        if (!build_.spend(list.size() * 80, "animationClips", clip)) return {};
        Vector<UnityKey> keys(list.size());
        constexpr const char* members[] = {"time", "value", "inTangent", "outTangent", "inWeight", "outWeight"};
        for (std::size_t k = 0; k < keys.size(); ++k) {
            float* const numbers[] = {&keys[k].time,       &keys[k].value,    &keys[k].inTangent,
                                      &keys[k].outTangent, &keys[k].inWeight, &keys[k].outWeight};
            for (std::size_t i = 0; i < 6; ++i) *numbers[i] = static_cast<float>(vgoNumber(&list[k], members[i], 0));
            const double mode = vgoNumber(&list[k], "weightedMode", 0);
            keys[k].weightedMode = mode > 0 && mode < 4 ? static_cast<std::int32_t>(mode) : 0;
        }
        const std::string path = formatted("animationClips[{}]", {clip});
        PlayCurve curve = playable(keys, UnityKeys::full, {path}, build_.diagnostics);
        curve.before = extrapolationOf(source, "preWrapMode");
        curve.after = extrapolationOf(source, "postWrapMode");
        return curve;
    }

    static Extrapolation extrapolationOf(const Value* curve, const char* name) {
        const double mode = vgoNumber(curve, name, 0);
        return mode == 2 ? Extrapolation::loop : mode == 4 ? Extrapolation::pingPong : Extrapolation::hold;
    }

    void addTrack(const Value& binding, std::uint32_t node, PlayCurve& curve, Clip& clip, TrackWriter& writer, PlayCurve* euler) {
        // Accepts short names, because exporters omit the namespace of Transform and MeshRenderer
        // and the prefix m_ of node properties.
        const std::string fullType = vgoText(&binding, "type"), property = vgoText(&binding, "propertyName");
        const std::string_view type = without("UnityEngine.", fullType), name = without("m_", property);
        const bool isRenderer = type == "MeshRenderer" || type == "SkinnedMeshRenderer";
        if (type == "Transform") {
            const std::size_t dot = name.find('.');
            const std::size_t component =
                dot != std::string_view::npos && dot + 2 == name.size() ? std::string_view("xyzw").find(name.back()) : 9;
            const std::string value = lowerAscii(name.substr(0, dot));
            const bool isRotation = value == "localrotation";
            if (component < (isRotation ? 4 : 3)) {
                const auto at = static_cast<std::uint8_t>(component);
                if (isRotation) return writer.component(node, Path::rotation, at, curve);
                if (value == "localposition") return writer.component(node, Path::translation, at, curve);
                if (value == "localscale") return writer.component(node, Path::scale, at, curve);
                if (value.substr(0, 16) == "localeulerangles") {
                    euler[component] = std::move(curve);
                    return;
                }
            }
        }
        const std::uint32_t renderer = node == none ? none : rendererOf_[node];
        const auto onMesh = [&](Path path, std::string_view what) {
            writer.component(node, path, allComponents, curve, what);
            if (renderer != none) clip.tracks.back().target = build_.scene.strings.intern(build_.scene.renderers[renderer].name);
        };
        if (isRenderer && (renderer != none || node == none)) {
            if (const std::string_view shape = without("blendShape.", name); shape != name) {
                curve.scale(0.01);
                return onMesh(Path::weight, shape);
            }
            if (const std::string_view value = without("material.", name); value != name) return onMesh(Path::material, value);
            if (lowerAscii(name) == "enabled") return onMesh(Path::shown, {});
        }
        if (type == "GameObject" && lowerAscii(name) == "isactive") return writer.component(node, Path::visible, allComponents, curve);
        std::string path(type);
        path += '.';
        path += name;
        if (notPlayed_++ < 5) notPlayedPaths_ += (notPlayed_ > 1 ? ", " : "") + path;
        writer.component(node, Path::property, allComponents, curve, path);
    }

    static std::string_view without(std::string_view prefix, std::string_view text) {
        return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
    }

    /// Adds a rotation track from three Euler curves. An empty curve means an angle of 0. Samples
    /// the curves so densely that slerp between samples approximates the angles.
    void addEuler(std::size_t clip, std::uint32_t node, const PlayCurve* euler, double first, double last, TrackWriter& writer) {
        Vector<double> keys = mergedTimes({&euler[0], &euler[1], &euler[2]});
        bool repeats = false;
        for (int axis = 0; axis < 3; ++axis)
            repeats |= euler[axis].before != Extrapolation::hold || euler[axis].after != Extrapolation::hold;
        if (repeats) {  // a curve continues before its first or after its last key
            keys.push_back(first);
            keys.push_back(last);
            sortBy(keys, [](double key) { return key; });
        }
        Vector<double> times, values;
        bool isCoarse = false;
        const auto push = [&](double t, bool leftLimit) {
            const Quat q = normalized(fromEuler(euler, t, leftLimit));
            times.push_back(t);
            values.insert(values.end(), {q.x, q.y, q.z, q.w});
        };
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const bool jumps = i + 1 < keys.size() && keys[i + 1] == keys[i];
            push(keys[i], jumps);
            if (i + 1 == keys.size() || jumps) continue;
            const double span = keys[i + 1] - keys[i];
            double largestAngle = 0;
            for (int axis = 0; axis < 3; ++axis)
                largestAngle = std::max(largestAngle, std::fabs(evaluate(euler[axis], keys[i + 1], true) - evaluate(euler[axis], keys[i])));
            const double wanted = std::max(span * eulerRate, largestAngle / eulerStep);
            auto count = static_cast<std::size_t>(std::clamp(std::ceil(wanted), 1.0, static_cast<double>(mostSamples)));
            if (count > 1 && !Budget::spend(count * eulerSteps)) {
                isCoarse = true;
                count = 1;
            }
            for (std::size_t k = 1; k < count; ++k) push(keys[i] + span * static_cast<double>(k) / static_cast<double>(count), false);
        }
        if (isCoarse) build_.warn(Code::WORK_LIMIT, "animationClips", clip, "rotations between distant keys are interpolated linearly");
        writer.whole(node, Path::rotation, Interpolation::slerp, times, values);
    }

    VgoBuild& build_;
    Vector<std::uint32_t> rendererOf_;  // index into scene.renderers, by scene node
    Vector<double> wraps_;              // wrap mode, by clip index in the layout; NaN: not read yet
    // Index of a scene clip, by clip index in the layout and by whether the target node has a
    // renderer.
    VgoCache clips_;
    std::uint64_t notPlayed_ = 0;  // number of curves of the current clip that are not played
    std::string notPlayedPaths_;   // paths of the first five of these curves
};

}  // namespace

void addVgoClips(VgoBuild& build) { ClipBuilder(build).run(); }

}  // namespace rigcast
