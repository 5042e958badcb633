#include "formats/ueformat/pose.hpp"

#include <cmath>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/ueformat/outline.hpp"
#include "formats/ueformat/space.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::string_view poseNames[] = {"POSES", "CURVES"};
constexpr std::size_t influenceSize = 8;
/// Size of a key whose bone has an empty name.
constexpr std::size_t smallestKey = 44;
/// Estimated memory for the outline node of a pose with its fields, in bytes.
constexpr std::uint64_t nodeBytes = 1200;

/// The difference between a bone in a pose and its bind pose.
struct PoseKey {
    std::string_view bone;
    Vec3 position;
    Quat rotation;
    Vec3 scale;
    std::uint64_t offset = 0;
};

struct Pose {
    std::string_view name;
    std::uint64_t keysOffset = 0, keysSize = 0;
    Vector<PoseKey> keys;
    Records influences;
};

/// Reads the next pose. Returns false if there is none, or if it is damaged.
bool readPose(Items& items, Pose& pose) {
    if (!items.next()) return false;
    pose.keys.clear();
    pose.name = items.text();
    const std::size_t count = items.count(smallestKey);
    if (!Budget::affords(count * sizeof(PoseKey))) return false;
    pose.keys.reserve(count);
    pose.keysOffset = items.offset();
    for (std::size_t i = 0; i < count && !items.failed(); ++i) {
        PoseKey key;
        key.offset = items.offset();
        key.bone = items.text();
        key.position = items.vec3();
        key.rotation = items.quat();
        key.scale = items.vec3();
        pose.keys.push_back(key);
    }
    pose.keysSize = items.offset() - pose.keysOffset;
    pose.influences = items.records(influenceSize);
    return items.isComplete();
}

class PoseBuilder {
public:
    PoseBuilder(const Document& document, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : document_(document), space_(document), scene_(scene), arena_(arena), diagnostics_(diagnostics) {}

    void run(const Vector<Part>& parts) {
        if (const Part* part = find(parts, "CURVES"))
            for (Items items(*part, document_, diagnostics_); items.next();) {
                const std::string_view name = items.text();
                if (!items.isComplete()) break;
                curves_.push_back(scene_.strings.intern(nameOf(name, items.location(), diagnostics_)));
            }
        Pose pose;
        if (const Part* part = find(parts, "POSES"))
            for (Items items(*part, document_, diagnostics_); readPose(items, pose) && !arena_.exhausted();)
                addClip(pose, items.location());
        if (scene_.clips.empty()) diagnostics_.add(Code::NO_MOTION);
    }

private:
    void addClip(const Pose& pose, const Location& where) {
        if (!Budget::affords(sizeof(Clip) + (pose.keys.size() * 3 + pose.influences.size()) * sizeof(Track) + 256)) return;
        Clip clip;
        clip.name = nameOf(pose.name, where, diagnostics_);
        clip.frameCount = 1;
        clip.addsToRest = true;
        clip.block = arena_.addBlock();
        const auto times = arena_.allocate<float>(clip.block, 1);
        if (!times) return;
        times.values[0] = 0;
        times_ = times.column;
        addKeys(pose, where.path, clip);
        addInfluences(pose, where, clip);
        scene_.clips.push_back(std::move(clip));
    }

    /// Adds tracks for the channels that the pose changes.
    void addKeys(const Pose& pose, std::string_view path, Clip& clip) {
        StringTable different;  // lower-case names, because Unreal names ignore case
        Vector<std::uint32_t> occurrences;
        for (const PoseKey& key : pose.keys) {
            const Location where{.offset = key.offset, .path = path};
            const std::string bone = nameOf(key.bone, where, diagnostics_);
            const StringId id = different.intern(lowerAscii(bone));
            occurrences.resize(different.size());
            if (occurrences[id]) diagnostics_.add(Code::BONE_NAME_DUPLICATE, where, bone);
            Track track;
            track.target = scene_.strings.intern(bone);
            track.occurrence = occurrences[id]++;
            const Vec3 move = space_.position(repaired(key.position, {}, where, diagnostics_));
            const Quat turn = rotationToScene(space_, key.rotation, where, diagnostics_);
            const Vec3 growth = scaleToScene(repaired(key.scale, {}, where, diagnostics_));
            track.path = Path::translation;
            if (length(move) > 0) addTrack(clip, track, {move.x, move.y, move.z});
            track.path = Path::rotation;
            if (std::fabs(turn.w) < 1) addTrack(clip, track, {turn.x, turn.y, turn.z, turn.w});
            track.path = Path::scale;
            track.mode = Mode::additive;
            if (length(growth) > 0) addTrack(clip, track, {1 + growth.x, 1 + growth.y, 1 + growth.z});
        }
    }

    void addInfluences(const Pose& pose, const Location& where, Clip& clip) {
        for (std::size_t i = 0; i < pose.influences.size(); ++i) {
            const auto curve = pose.influences.get<std::int32_t>(i, 0);
            const float weight = pose.influences.get<float>(i, 4);
            const Location own{.offset = pose.influences.offsetOf(i), .path = where.path};
            if (curve < 0 || static_cast<std::size_t>(curve) >= curves_.size()) {
                diagnostics_.add(Code::INDEX_RANGE, own, {"{}: curve {}", {clip.name, curve}});
                continue;
            }
            Track track;
            track.property = curves_[static_cast<std::size_t>(curve)];
            track.path = Path::weight;
            track.mode = Mode::additive;
            addTrack(clip, track, {repaired({weight, 0, 0}, {}, own, diagnostics_).x});
        }
    }

    void addTrack(Clip& clip, Track track, std::initializer_list<double> values) {
        auto made = arena_.allocate<float>(clip.block, values.size());
        if (!made) return;
        float* to = made.values.data();
        for (const double value : values) *to++ = static_cast<float>(value);
        track.times = times_;
        track.values = made.column;
        track.interpolation = Interpolation::step;
        clip.tracks.push_back(track);
    }

    const Document& document_;
    Space space_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    Vector<StringId> curves_;
    Column<float> times_;  // of the current clip
};

}  // namespace

Vector<Part> readPoseParts(const Document& document, Diagnostics& diagnostics) {
    Cursor cursor = document.root();
    return readParts(cursor, document, poseNames, {}, diagnostics);
}

void addPoses(const Document& document, const Vector<Part>& parts, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    PoseBuilder(document, scene, arena, diagnostics).run(parts);
}

void outlinePoses(const Document& document, const Vector<Part>& parts, Outline& outline, Diagnostics& diagnostics) {
    const std::size_t first = outline.size();
    outlineParts(document, parts, outline);
    Pose pose;
    for (std::size_t i = 0; i < parts.size() && first + i < outline.size(); ++i) {
        if (!parts[i].isKnown || parts[i].name != "POSES") continue;
        for (Items items(parts[i], document, diagnostics); readPose(items, pose);) {
            if (!Budget::affords(nodeBytes + pose.name.size() + pose.keysSize)) return;
            OutlineNode node;
            node.kind = "pose";
            node.name = repairUtf8(pose.name);
            node.isNamed = true;
            node.offset = *items.location().offset;
            node.size = items.offset() - node.offset;
            addField(document, "keys", "poseKey", {parts[i].payload.subspan(pose.keysOffset - parts[i].payloadOffset, pose.keysSize)},
                     pose.keysOffset, pose.keys.size(), node);
            addField(document, "influences", "influence", pose.influences.bytes(), pose.influences.offsetOf(0), pose.influences.size(),
                     node);
            outline[first + i].children.push_back(std::move(node));
        }
    }
}

}  // namespace rigcast::ueformat
