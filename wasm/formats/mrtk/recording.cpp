#include "formats/mrtk/recording.hpp"

#include <algorithm>
#include <cmath>

#include "core/code.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/mrtk/gaze.hpp"
#include "formats/mrtk/joints.hpp"
#include "formats/mrtk/pose.hpp"

namespace rigcast {

namespace {

constexpr double longestBone = 0.15;  // maximum plausible length of a bone in metres
constexpr double lostTailSeconds = 0.1;
constexpr double jumpSeconds = 0.25;

/// Field of view of the HoloLens 2 display, about 43 x 29 degrees. It replaces the camera's field
/// of view, which recordings do not contain (section 5).
constexpr float nominalVerticalFov = 29 * static_cast<float>(3.14159265358979323846 / 180), nominalAspect = 43.f / 29.f;

/// Joint radii of a relaxed adult hand in WebXR runtimes, in metres. Recordings do not contain
/// radii.
constexpr float jointRadii[jointCount] = {0.008f, 0.021f, 0.024f, 0.019f, 0.013f, 0.011f, 0.009f, 0.018f, 0.011f,
                                          0.009f, 0.008f, 0.007f, 0.018f, 0.011f, 0.009f, 0.008f, 0.007f, 0.018f,
                                          0.010f, 0.009f, 0.008f, 0.007f, 0.018f, 0.009f, 0.008f, 0.007f, 0.006f};

constexpr std::string_view handNames[] = {"hand.left", "hand.right"};
constexpr std::string_view sides[] = {"left", "right"};

std::uint32_t addNode(Scene& scene, std::string_view name, std::uint32_t parent) {
    Node node;
    node.name = scene.strings.intern(name);
    node.parent = parent;
    scene.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(scene.nodes.size() - 1);
}

class Recording {
public:
    Recording(const MrtkDocument& document, const RecordingOptions& options, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : document_(document), options_(options), scene_(scene), diagnostics_(diagnostics), writer_(scene, arena, clip_) {
        clip_.block = arena.addBlock();
    }

    void build() {
        addNode(scene_, scene_.asset.name, none);
        scene_.asset.generator = "MRTK";
        clip_.name = scene_.asset.name.empty() ? "recording" : scene_.asset.name;
        clip_.loop = false;  // playback in the toolkit stops at the end (section 9)
        if (document_.camera) addCamera();
        if (document_.gaze) readGaze();
        if (document_.hands)
            for (int hand = 0; hand < 2; ++hand) addHand(hand);
        if (document_.gaze) addGaze();
        for (const MrtkMarker& marker : document_.markers) {
            if (!std::isfinite(marker.time)) continue;
            clip_.events.push_back({marker.time, scene_.strings.intern(repairUtf8(asText(marker.name)))});
        }
        sortEvents(clip_.events);
        clip_.start = static_cast<float>(std::min(firstTime_, 0.0));
        clip_.duration = static_cast<float>(std::max(lastTime_, 0.0));
        if (firstTime_ < 0) diagnostics_.add(Code::NEGATIVE_TIME, {}, {"{} s before the start", {-firstTime_}});
        if (stateEnd_ > poseEnd_ + lostTailSeconds && poseEnd_ > 0) diagnostics_.add(Code::TAIL_LOST, {}, {"{} s", {stateEnd_ - poseEnd_}});
        if (empty_) diagnostics_.add(Code::NOTHING_RECORDED);
        scene_.clips.push_back(std::move(clip_));
    }

private:
    PlayCurve read(std::size_t index, bool isState = false) {
        PlayCurve curve = playable(document_, index, diagnostics_);
        if (curve.empty()) return curve;
        empty_ = false;
        firstTime_ = std::min(firstTime_, std::max(curve.time.front(), -double{secondsPerDay}));
        const auto found = std::find_if(curve.time.rbegin(), curve.time.rend(), [](double time) { return time <= secondsPerDay; });
        const double last = found == curve.time.rend() ? 0 : std::max(*found, 0.0);
        lastTime_ = std::max(lastTime_, last);
        double& end = isState ? stateEnd_ : poseEnd_;
        end = std::max(end, last);
        return curve;
    }

    PoseCurves readPose(std::size_t first) {
        PoseCurves pose;
        for (std::size_t i = 0; i < 3; ++i) pose.position[i] = read(first + i);
        for (std::size_t i = 0; i < 4; ++i) pose.rotation[i] = read(first + 3 + i);
        return pose;
    }

    std::string targetName(std::size_t first) const {
        const std::string name = document_.curveName(first);
        return name.substr(0, name.rfind('.'));
    }

    /// Returns the path for a finding about all joints of a hand. The finding names the first
    /// affected joint in its detail.
    std::string groupPath(std::size_t first) const {
        const std::string name = targetName(first);
        return name == "camera" ? name : "hand." + name.substr(0, name.find('.'));
    }

    void reportLengths(const IrregularLengths& odd, std::size_t first, bool zeroIsUsual) {
        const std::string path = groupPath(first), example = targetName(first);
        diagnostics_.add(Code::QUATERNION_NOT_UNIT, {.path = path}, {"rotation keys of {}", {example}}, odd.off);
        diagnostics_.add(Code::QUATERNION_NOT_UNIT, zeroIsUsual ? Severity::info : Severity::warning, {.path = path},
                         {"zero rotations of {}", {example}}, odd.zero);
    }

    /// Reports rotations of irregular length and aligns the signs of adjacent rotations.
    void repairRotation(PoseCurves& pose, std::size_t first, bool zeroIsUsual) {
        const std::string path = groupPath(first), example = targetName(first);
        if (haveSameTimes(pose.rotation))
            reportLengths(irregularLengths(pose), first, zeroIsUsual);
        else
            diagnostics_.add(Code::COMPONENT_TIMES, {.path = path}, {"rotation of {}", {example}});
        if (options_.alignSigns) {
            const std::size_t flips = alignSigns(pose);
            diagnostics_.add(Code::SIGN_FLIPS, {.path = path}, {"first in {}", {example}}, flips);
        }
    }

    void writePosition(std::uint32_t node, std::array<PlayCurve, 3> position) {
        position[2].negate();
        const auto& [x, y, z] = position;
        scene_.nodes[node].local.translation = {evaluate(x, 0), evaluate(y, 0), evaluate(z, 0)};
        if (!(x.isPolyline() && y.isPolyline() && z.isPolyline())) {
            for (std::uint8_t i = 0; i < 3; ++i) writer_.component(node, Path::translation, i, position[i]);
            return;
        }
        const Vector<double> times = mergedTimes({&x, &y, &z});
        writer_.whole(node, Path::translation, Interpolation::linear, times, valuesAt({&x, &y, &z}, times));
    }

    /// Writes a linear rotation track, which is interpolated per component and then normalized, as
    /// in Unity. If components have keys at different times, writes one track per component,
    /// because the length of quaternions between keys then affects the result.
    void writeRotation(std::uint32_t node, PoseCurves& pose, std::size_t first, bool zeroIsUsual) {
        if (!pose.hasRotation()) return;
        auto& rotation = pose.rotation;
        scene_.nodes[node].local.rotation = normalized(mirrored(pose.rotationAt(0)));
        if (std::all_of(rotation.begin(), rotation.end(), [](const PlayCurve& curve) { return curve.isPolyline(); })) {
            const Vector<double> times = mergedTimes({&rotation[0], &rotation[1], &rotation[2], &rotation[3]});
            Vector<double> values = rotationsAt(pose, times);
            const bool isShared = haveSameTimes(rotation);
            const IrregularLengths odd = isShared ? IrregularLengths{} : irregularLengths(values);
            if (odd.notUnit == 0 || odd.zero > 0) {
                reportLengths(odd, first, zeroIsUsual);
                mirrorUnit(values);
                writer_.whole(node, Path::rotation, Interpolation::linear, times, values);
                return;
            }
        }
        rotation[0].negate();
        rotation[1].negate();
        for (std::uint8_t i = 0; i < 4; ++i) {
            PlayCurve& curve = rotation[i];
            if (curve.empty()) curve = constantZero();  // in Unity, a curve without keys has the value 0
            writer_.component(node, Path::rotation, i, curve);
        }
    }

    static PlayCurve constantZero() {
        PlayCurve curve;
        curve.time = curve.value = {0};
        curve.kind = {Interpolation::linear};
        return curve;
    }

    void mendW(PoseCurves& pose, std::size_t first, const PoseCurves* along, const PoseCurves* finger) {
        if (!lostW(pose)) return;
        const std::string path = groupPath(first);
        if (!options_.rebuildW) {
            diagnostics_.add(Code::ROTATION_W_LOST, {.path = path}, "not rebuilt (option rebuildW)");
            return;
        }
        diagnostics_.add(Code::ROTATION_W_LOST, {.path = path}, {"rotation keys, first in {}", {targetName(first)}},
                         pose.rotation[0].size());
        rebuildW(pose, along, finger);
    }

    void addCamera() {
        const std::uint32_t node = addNode(scene_, "camera", 0);
        PoseCurves pose = readPose(document_.cameraStart());
        mendW(pose, document_.cameraStart(), nullptr, nullptr);
        repairRotation(pose, document_.cameraStart(), true);
        writePosition(node, pose.position);
        writeRotation(node, pose, document_.cameraStart(), true);
        Camera camera;
        camera.name = "camera";
        camera.node = node;
        camera.verticalFov = nominalVerticalFov;
        camera.aspect = nominalAspect;
        camera.near = 0.1f;
        camera.far = 2;
        scene_.cameras.push_back(std::move(camera));
    }

    void addState(std::uint32_t node, const PlayCurve& curve, std::string_view name) {
        writer_.component(node, Path::property, allComponents, curve, name);
    }

    void addHand(int hand) {
        const std::uint32_t node = addNode(scene_, handNames[hand], 0);
        const std::size_t state = document_.stateStart() + static_cast<std::size_t>(hand);
        const PlayCurve tracked = read(state, true), pinching = read(state + 2, true);
        const std::string side(sides[hand]);
        scene_.nodes[node].visible = evaluate(tracked, 0) > 0.5;
        writer_.component(node, Path::visible, allComponents, tracked);
        addState(node, tracked, side + ".tracked");
        addState(node, pinching, side + ".pinch");

        const int missing = jointCount - document_.layout.joints;  // 1 if the writer omits the joint None
        Vector<PoseCurves> poses(jointCount);
        for (int joint = missing; joint < jointCount; ++joint)
            poses[static_cast<std::size_t>(joint)] = readPose(document_.jointStart(hand, joint - missing));
        const auto first = [&](int joint) { return document_.jointStart(hand, joint - missing); };
        const auto poseOf = [&](int joint) { return joint < 0 ? nullptr : &poses[static_cast<std::size_t>(joint)]; };
        for (int joint = 1; joint < jointCount; ++joint) {
            const JointInfo& info = joints[static_cast<std::size_t>(joint)];
            PoseCurves& pose = poses[static_cast<std::size_t>(joint)];
            mendW(pose, first(joint), poseOf(info.along), info.along < 0 ? poseOf(info.parent) : nullptr);
        }
        Vector<Value> nodes, radii;
        const std::size_t firstTrack = clip_.tracks.size();
        for (int joint = 1; joint < jointCount; ++joint) {
            const JointInfo& info = joints[static_cast<std::size_t>(joint)];
            PoseCurves& pose = poses[static_cast<std::size_t>(joint)];
            const std::uint32_t jointNode = addNode(scene_, info.webxr, node);
            nodes.push_back(jointNode);
            radii.push_back(jointRadii[joint]);
            scene_.nodes[jointNode].visible = !pose.absent();
            if (pose.absent()) continue;
            if (info.parent > 0) checkBone(poses, joint, first(joint));
            checkGaps(pose, tracked, first(joint));
            repairRotation(pose, first(joint), false);
            writePosition(jointNode, pose.position);
            writeRotation(jointNode, pose, first(joint), false);
        }
        // The joints of both hands have the same names, and those of the left hand come first, also
        // if they were not recorded.
        for (std::size_t i = firstTrack; i < clip_.tracks.size(); ++i) clip_.tracks[i].occurrence = static_cast<std::uint32_t>(hand);
        scene_.features.push_back({"hand", std::string(sides[hand]), node, {{"joints", std::move(nodes)}, {"radii", std::move(radii)}}});
    }

    void checkBone(const Vector<PoseCurves>& poses, int joint, std::size_t first) {
        const PoseCurves& pose = poses[static_cast<std::size_t>(joint)];
        const PoseCurves& parent = poses[static_cast<std::size_t>(joints[static_cast<std::size_t>(joint)].parent)];
        if (!pose.hasPosition() || !parent.hasPosition()) return;
        double least = 1e30, most = 0;
        for (const double time : pose.position[0].time) {
            const double bone = length(pose.positionAt(time) - parent.positionAt(time));
            least = std::min(least, bone);
            most = std::max(most, bone);
        }
        const bool varies = most > 0.005 && most > 1.3 * least;
        if (most > longestBone || varies)
            diagnostics_.add(Code::BONE_LENGTH, {.path = groupPath(first)}, {"{}: {} to {} m", {targetName(first), least, most}});
    }

    void checkGaps(const PoseCurves& pose, const PlayCurve& tracked, std::size_t first) {
        const auto& times = pose.position[0].time;
        std::size_t gaps = 0;
        for (std::size_t i = 1; i < times.size(); ++i) {
            if (times[i] - times[i - 1] <= jumpSeconds) continue;
            gaps += evaluate(tracked, times[i - 1]) > 0.5 && evaluate(tracked, (times[i - 1] + times[i]) / 2) > 0.5 && document_.fullKeys();
        }
        diagnostics_.add(Code::TIME_JUMP, {.path = groupPath(first)}, {"first in {}", {targetName(first)}}, gaps);
    }

    void readGaze() {
        for (std::size_t i = 0; i < 3; ++i) gazeOrigin_[i] = read(document_.gazeStart() + i);
        for (std::size_t i = 0; i < 3; ++i) gazeDirection_[i] = read(document_.gazeStart() + 3 + i);
    }

    void addGaze() {
        const std::uint32_t node = addNode(scene_, "gaze", 0);
        writePosition(node, gazeOrigin_);
        const GazeKeys keys = gazeKeys(gazeDirection_, std::min(firstTime_, 0.0), std::max(lastTime_, 0.0));
        if (!keys.times.empty()) {
            scene_.nodes[node].local.rotation = keys.rest;
            writer_.whole(node, Path::rotation, Interpolation::slerp, keys.times, keys.values);
        }
        if (keys.isCoarse) diagnostics_.add(Code::GAZE_COARSE, {.path = "gaze"});
        scene_.features.push_back({"gaze", "gaze", node, {}});
    }

    const MrtkDocument& document_;
    const RecordingOptions& options_;
    Scene& scene_;
    Diagnostics& diagnostics_;
    Clip clip_;
    TrackWriter writer_;
    std::array<PlayCurve, 3> gazeOrigin_, gazeDirection_;
    double firstTime_ = 0, lastTime_ = 0, stateEnd_ = 0, poseEnd_ = 0;
    bool empty_ = true;
};

}  // namespace

void checkDocument(const MrtkDocument& document, Diagnostics& diagnostics) {
    constexpr std::string_view flagNames[] = {"camera", "hands", "gaze"};
    for (std::size_t i = 0; i < 3; ++i)
        if (document.flagBytes[i] > 1)
            diagnostics.add(Code::FLAG_NOT_CANONICAL, {.offset = 16 + i, .path = flagNames[i]}, {"{}", {document.flagBytes[i]}});
    if (document.complete && !document.hasMarkerList) diagnostics.add(Code::MARKERS_MISSING, {.offset = document.end});
    if (!document.trailing.empty())
        diagnostics.add(Code::TRAILING_BYTES, {.offset = document.end}, {"{} bytes", {document.trailing.size()}});
    for (const MrtkMarker& marker : document.markers) {
        const Location location{.offset = marker.offset, .path = "markers"};
        if (!std::isfinite(marker.time))
            diagnostics.add(Code::NON_FINITE, Severity::warning, location, "a marker without a time was left out");
        if (!isValidUtf8(asText(marker.name))) diagnostics.add(Code::NAME_DAMAGED, location);
        std::uint8_t needed = 1;
        for (std::size_t rest = marker.name.size() >> 7; rest; rest >>= 7) ++needed;
        if (marker.lengthBytes > needed) diagnostics.add(Code::LENGTH_NOT_MINIMAL, location);
    }
}

bool buildRecording(const MrtkDocument& document, const RecordingOptions& options, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    // Checks that the memory suffices for the curves, whose slopes and weights are doubles during
    // the conversion.
    std::uint64_t keys = 0;
    for (const MrtkCurve& curve : document.curves) keys += curve.keys.size();
    if (!Budget::affords(keys * 48)) return false;
    Recording(document, options, scene, arena, diagnostics).build();
    return !arena.exhausted();
}

}  // namespace rigcast
