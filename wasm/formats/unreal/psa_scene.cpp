#include "formats/unreal/psa_scene.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "formats/unreal/config.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/psa.hpp"
#include "formats/unreal/psk_scene.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

/// What became of a component (translation, rotation, scale) of a track.
enum class Keys : std::uint8_t { left, one, all };  // left out; constant: its first key says it all; one a frame

struct Target {
    StringId name = 0;
    std::uint32_t occurrence = 0;
};

/// How the keys of one bone in one sequence are laid out, and where they go.
struct BoneKeys {
    Keys translation = Keys::left, rotation = Keys::left, scale = Keys::left;
    std::uint32_t at = 0;  // in the clip's values: translations, then rotations, then scales
    bool conjugated = true;
};

std::uint32_t lengthOf(Keys keys, std::uint32_t frames) { return keys == Keys::left ? 0 : keys == Keys::one ? 1 : frames; }

/// How many bones are transposed at a time: their input of a frame and their output streams fit the first cache.
constexpr std::uint32_t tileSize = 32;

struct Damage {
    std::uint64_t nonFinite = 0, zeroLength = 0, zeroScale = 0;
    std::size_t firstNonFinite = 0, firstZeroLength = 0, firstZeroScale = 0;
    static void add(std::uint64_t& count, std::size_t& first, std::size_t record) {
        if (count++ == 0) first = record;
    }
};

class ClipBuilder {
public:
    ClipBuilder(const Psa& psa, const Options& options, const Config* config, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : psa_(psa), options_(options), config_(config), scene_(scene), arena_(arena), diagnostics_(diagnostics) {
        StringTable different;  // matching ignores case (section 7.1), so counting does
        std::vector<std::uint32_t> occurrences;
        for (std::size_t i = 0; i < psa.tracks.size(); ++i) {
            const std::string name = boneNameAt(psa.tracks, i, "BONENAMES", diagnostics);
            names_.push_back(matchingName(name));
            const StringId id = different.intern(names_.back());
            occurrences.resize(different.size());
            const std::uint32_t occurrence = occurrences[id]++;
            targets_.push_back({scene.strings.intern(name), occurrence});
            if (occurrence)
                diagnostics.add(Code::BONE_NAME_DUPLICATE, {.offset = psa.tracks.offsetOf(i), .path = "BONENAMES"},
                                {"track {}: {}", {i, name}});
        }
    }

    bool add(const Sequence& sequence) {
        sequence_ = &sequence;
        Clip clip;
        clip.name = sequence.name;
        clip.block = arena_.addBlock();
        clip.frameRate = static_cast<float>(sequence.rate);
        clip.frameCount = sequence.frames;
        clip.duration = sequence.frames ? timeOf(sequence.frames - 1) : 0;
        setProperties(clip);
        removals_ = removalsOf(sequence);
        planBones();
        if (!addTracks(clip)) return false;
        reportLooks();
        scene_.clips.push_back(std::move(clip));
        return true;
    }

    void reportRemoved(std::string_view name) const {
        diagnostics_.add(Code::CONFIG_APPLIED, {.path = name},
                         {"{} translations and {} rotations stay as the model has them", {removedTranslations_, removedRotations_}});
    }

    void reportDamage() const {
        const auto tell = [&](Code code, const Records& records, std::string_view path, std::uint64_t count, std::size_t first) {
            if (count) diagnostics_.add(code, {.offset = records.offsetOf(first), .path = path}, {"key {}", {first}}, count);
        };
        tell(Code::NON_FINITE, psa_.keys, "ANIMKEYS", keyDamage_.nonFinite, keyDamage_.firstNonFinite);
        tell(Code::QUATERNION_NOT_UNIT, psa_.keys, "ANIMKEYS", keyDamage_.zeroLength, keyDamage_.firstZeroLength);
        tell(Code::NON_FINITE, psa_.scaleKeys, "SCALEKEYS", scaleDamage_.nonFinite, scaleDamage_.firstNonFinite);
        tell(Code::SCALE_ZERO, psa_.scaleKeys, "SCALEKEYS", scaleDamage_.zeroScale, scaleDamage_.firstZeroScale);
    }

private:
    float timeOf(std::uint32_t frame) const { return static_cast<float>(frame / sequence_->rate); }

    /// What the player does not need but the file says.
    void setProperties(Clip& clip) const {
        const auto whole = [&](std::string_view name, std::size_t field) {
            if (const auto value = psa_.sequences.get<std::int32_t>(sequence_->record, field))
                clip.properties.push_back({std::string(name), Value(value)});
        };
        if (!sequence_->group.empty() && sequence_->group != "None") clip.properties.push_back({"group", Value(sequence_->group)});
        whole("keyCompressionStyle", sequenceField::compression);
        whole("startBone", sequenceField::startBone);
        const auto reduction = psa_.sequences.get<float>(sequence_->record, sequenceField::reduction);
        if (reduction != 0 && std::isfinite(reduction)) clip.properties.push_back({"keyReduction", Value(reduction)});
    }

    std::vector<Removal> removalsOf(const Sequence& sequence) {
        std::vector<Removal> removals(names_.size());
        if (config_ && options_.motion != Motion::everything) {
            removals = config_->removals(sequence.name, names_);
            for (const Removal& removal : removals) {
                removedTranslations_ += removal.translation;
                removedRotations_ += removal.rotation;
            }
        }
        if (options_.motion == Motion::rotationOnly)
            for (std::size_t i = 1; i < removals.size(); ++i) removals[i].translation = true;
        return removals;
    }

    std::size_t keyOf(std::uint32_t frame, std::uint32_t bone) const {
        return static_cast<std::size_t>(sequence_->firstKey) + std::size_t{frame} * sequence_->tracksPerFrame + bone;
    }
    std::size_t scaleOf(std::uint32_t frame, std::uint32_t bone) const {
        return static_cast<std::size_t>(sequence_->firstScale) + std::size_t{frame} * sequence_->tracksPerFrame + bone;
    }

    /// Whether `N` floats at `field` are the same in all frames, as most translations are.
    template <std::size_t N, class RecordOf>
    Keys keysOf(const Records& records, std::size_t field, RecordOf recordOf) const {
        const std::size_t first = recordOf(0);
        for (std::uint32_t frame = 1; frame < sequence_->frames; ++frame) {
            const std::size_t other = recordOf(frame);
            for (std::size_t i = 0; i < N; ++i)
                if (records.get<float>(other, field + 4 * i) != records.get<float>(first, field + 4 * i)) return Keys::all;
        }
        return Keys::one;
    }

    void planBones() {
        bones_.assign(sequence_->tracksPerFrame, {});
        valueCount_ = trackCount_ = 0;
        for (std::uint32_t b = 0; b < bones_.size() && sequence_->frames; ++b) {
            BoneKeys& bone = bones_[b];
            const Removal removal = removals_[b];
            const auto key = [&](std::uint32_t frame) { return keyOf(frame, b); };
            const auto scale = [&](std::uint32_t frame) { return scaleOf(frame, b); };
            if (!removal.translation) bone.translation = keysOf<3>(psa_.keys, keyField::position, key);
            if (!removal.rotation) bone.rotation = keysOf<4>(psa_.keys, keyField::orientation, key);
            const bool isGone = removal.translation && removal.rotation;
            if (sequence_->hasScale && !isGone) bone.scale = keysOf<3>(psa_.scaleKeys, scaleKeyField::scale, scale);
            bone.conjugated = b != 0 || options_.conjugateRoot;
            bone.at = static_cast<std::uint32_t>(valueCount_);
            const std::uint32_t frames = sequence_->frames;
            valueCount_ += std::uint64_t{3} * lengthOf(bone.translation, frames) + std::uint64_t{4} * lengthOf(bone.rotation, frames) +
                           std::uint64_t{3} * lengthOf(bone.scale, frames);
            trackCount_ += (bone.translation != Keys::left) + (bone.rotation != Keys::left) + (bone.scale != Keys::left);
        }
    }

    std::uint32_t curveCount() const { return sequence_->curves ? sequence_->curves->count : 0; }

    bool addTracks(Clip& clip) {
        const std::uint32_t frames = sequence_->frames, curves = curveCount();
        if (frames == 0 || (trackCount_ == 0 && curves == 0)) return true;
        const std::uint64_t boneValues = valueCount_;
        const auto times = arena_.allocate<float>(clip.block, frames);
        const auto values = arena_.allocate<float>(clip.block, boneValues + std::uint64_t{curves} * frames);
        if (!times || !values || !arena_.affords((trackCount_ + curves) * sizeof(Track))) return false;
        for (std::uint32_t frame = 0; frame < frames; ++frame) times.values[frame] = timeOf(frame);
        for (std::uint32_t first = 0; first < bones_.size(); first += tileSize)
            transpose(first, std::min<std::uint32_t>(first + tileSize, static_cast<std::uint32_t>(bones_.size())), values.values);

        clip.tracks.reserve(static_cast<std::size_t>(trackCount_) + curves);
        const auto put = [&](Track track, Keys keys, std::uint32_t& at, std::uint32_t width) {
            const std::uint32_t length = lengthOf(keys, frames);
            if (length == 0) return;
            track.times = times.column.slice(0, length);
            track.values = values.column.slice(at, length * width);
            at += length * width;
            clip.tracks.push_back(track);
        };
        for (std::size_t b = 0; b < bones_.size(); ++b) {
            std::uint32_t at = bones_[b].at;
            Track track;
            track.target = targets_[b].name;
            track.occurrence = targets_[b].occurrence;
            track.path = Path::translation;
            put(track, bones_[b].translation, at, 3);
            track.path = Path::rotation;
            track.interpolation = Interpolation::slerp;
            put(track, bones_[b].rotation, at, 4);
            track.path = Path::scale;
            track.interpolation = Interpolation::linear;
            put(track, bones_[b].scale, at, 3);
        }
        std::uint32_t at = static_cast<std::uint32_t>(boneValues);
        for (std::uint32_t curve = 0; curve < curves; ++curve) {
            Track track;
            track.path = Path::weight;
            const Keys keys = readCurve(curve, values.values.subspan(at, frames), track);
            put(track, keys, at, 1);
        }
        return true;
    }

    /// Frame-major keys to bone-major columns, for the bones of one tile.
    void transpose(std::uint32_t first, std::uint32_t end, std::span<float> values) {
        const std::uint32_t frames = sequence_->frames;
        for (std::uint32_t frame = 0; frame < frames; ++frame) {
            for (std::uint32_t b = first; b < end; ++b) {
                const BoneKeys& bone = bones_[b];
                std::uint32_t at = bone.at;
                if (frame < lengthOf(bone.translation, frames)) writeTranslation(keyOf(frame, b), &values[at + std::size_t{3} * frame]);
                at += 3 * lengthOf(bone.translation, frames);
                if (frame < lengthOf(bone.rotation, frames))
                    writeRotation(keyOf(frame, b), bone.conjugated, frame, &values[at + std::size_t{4} * frame]);
                at += 4 * lengthOf(bone.rotation, frames);
                if (frame < lengthOf(bone.scale, frames)) writeScale(scaleOf(frame, b), &values[at + std::size_t{3} * frame]);
            }
        }
    }

    void writeTranslation(std::size_t key, float* to) {
        if (!writePoint(psa_.keys, key, keyField::position, static_cast<float>(options_.unitScale), to))
            Damage::add(keyDamage_.nonFinite, keyDamage_.firstNonFinite, key);
    }

    void writeRotation(std::size_t key, bool conjugated, std::uint32_t frame, float* to) {
        constexpr std::size_t field = keyField::orientation;
        float x = psa_.keys.get<float>(key, field), y = psa_.keys.get<float>(key, field + 4), z = psa_.keys.get<float>(key, field + 8),
              w = psa_.keys.get<float>(key, field + 12);
        const float squared = x * x + y * y + z * z + w * w;
        if (!(std::abs(squared - 1) < 1e-6f)) {  // a unit quaternion stays as it is, to the bit
            const Quat quat{x, y, z, w};
            if (!isFinite(quat))
                Damage::add(keyDamage_.nonFinite, keyDamage_.firstNonFinite, key);
            else if (lengthSquared(quat) <= 1e-24)
                Damage::add(keyDamage_.zeroLength, keyDamage_.firstZeroLength, key);
            const Quat unit = normalized(quat);
            x = static_cast<float>(unit.x);
            y = static_cast<float>(unit.y);
            z = static_cast<float>(unit.z);
            w = static_cast<float>(unit.w);
        }
        float sign = conjugated ? -1.0f : 1.0f;
        float out[4] = {x * sign, z * sign, -y * sign, w};
        if (frame) {  // neighbours on one hemisphere
            const float* before = to - 4;
            if (out[0] * before[0] + out[1] * before[1] + out[2] * before[2] + out[3] * before[3] < 0)
                for (float& value : out) value = -value;
        }
        std::copy(out, out + 4, to);
    }

    void writeScale(std::size_t key, float* to) {
        const float x = psa_.scaleKeys.get<float>(key, scaleKeyField::scale), y = psa_.scaleKeys.get<float>(key, scaleKeyField::scale + 4),
                    z = psa_.scaleKeys.get<float>(key, scaleKeyField::scale + 8);
        if (allFinite(x, y, z)) {
            to[0] = x;
            to[1] = z;
            to[2] = y;
            if (x == 0 || y == 0 || z == 0) Damage::add(scaleDamage_.zeroScale, scaleDamage_.firstZeroScale, key);
        } else {
            to[0] = to[1] = to[2] = 1;
            Damage::add(scaleDamage_.nonFinite, scaleDamage_.firstNonFinite, key);
        }
    }

    /// A blend curve of ActorX for Maya: the weights of one morph target, one a frame.
    Keys readCurve(std::uint32_t curve, std::span<float> to, Track& track) {
        const Records records = sequence_->curves->records();
        const std::string_view path = sequence_->curves->id;
        track.property = scene_.strings.intern(nameAt(records, curve, 0, path, diagnostics_, curveField::nameSize));
        bool isConstant = true;
        for (std::size_t frame = 0; frame < to.size(); ++frame) {
            float weight = records.get<float>(curve, curveField::values + 4 * frame);
            if (!std::isfinite(weight)) {
                diagnostics_.add(Code::NON_FINITE, {.offset = records.offsetOf(curve) + curveField::values + 4 * frame, .path = path});
                weight = 0;
            }
            to[frame] = weight;
            isConstant = isConstant && weight == to[0];
        }
        return isConstant ? Keys::one : Keys::all;
    }

    /// Files do not tell that they are additive or that tracks were removed; where BONENAMES holds a pose, the keys do (section 7.6, 7.5).
    /// (Where it holds none, only the model can tell: that is looked at when the clip is bound.)
    void reportLooks() {
        if (options_.motion != Motion::file || sequence_->frames == 0) return;
        std::size_t judged = 0, collapsed = 0, removed = 0;
        for (std::uint32_t b = 1; b < bones_.size(); ++b) {
            if (removals_[b].translation) continue;
            const double rest = length(vec3At(psa_.tracks, b, boneField::position));
            if (!(rest > 0.1 && rest < 1e6)) continue;
            ++judged;
            const std::size_t first = keyOf(0, b), last = keyOf(sequence_->frames - 1, b);
            const Vec3 translation = vec3At(psa_.keys, first, keyField::position);
            if (!(length(translation) < 1e-3 * rest && length(vec3At(psa_.keys, last, keyField::position)) < 1e-3 * rest)) continue;
            ++collapsed;
            const Quat rotation = quatAt(psa_.keys, first, keyField::orientation);
            const bool isNothing =
                translation.x == 0 && translation.y == 0 && translation.z == 0 && rotation.x == 0 && rotation.y == 0 && rotation.z == 0;
            removed += isNothing && bones_[b].translation == Keys::one && bones_[b].rotation == Keys::one;
        }
        const Place place{.offset = psa_.sequences.offsetOf(sequence_->record), .path = "ANIMINFO"};
        // Additive motions leave most translations alone but turn bones; removed tracks do nothing at all.
        if (judged >= 2 && collapsed > judged / 2 && removed < collapsed - collapsed / 4)
            diagnostics_.add(Code::LOOKS_ADDITIVE, place, {"{}: {} of {} tracks", {sequence_->name, collapsed, judged}});
        else if (removed && !config_)
            diagnostics_.add(Code::LOOKS_STRIPPED, place, {"{}: {} of {} tracks", {sequence_->name, removed, judged}});
    }

    const Psa& psa_;
    const Options& options_;
    const Config* config_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    std::vector<std::string> names_;  // of the tracks, lower case
    std::vector<Target> targets_;
    const Sequence* sequence_ = nullptr;
    std::vector<Removal> removals_;
    std::vector<BoneKeys> bones_;
    std::uint64_t valueCount_ = 0, trackCount_ = 0;
    std::uint64_t removedTranslations_ = 0, removedRotations_ = 0;
    Damage keyDamage_, scaleDamage_;
};

}  // namespace

ReadResult readPsaScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    const Options options = readOptions(input, diagnostics);
    const Psa psa = readPsa(input.bytes, diagnostics);
    ReadResult result;
    result.version = versionOf(psa.directory);
    if (psa.directory.chunks.empty()) return result;
    addRoot(options, scene);

    Reference reference{.kind = "config", .name = scene.asset.name + ".config"};
    Config config;
    for (const Supplied& supplied : input.supplied) {
        if (supplied.kind != "config") continue;
        config = parseConfig(supplied.bytes, diagnostics);
        reference.supplied = true;
        break;
    }

    if (psa.tracks.empty() && !psa.sequences.empty())
        diagnostics.add(Code::MISSING_CHUNK, {.path = "BONENAMES"}, "BONENAMES is missing, empty or unusable");
    const std::vector<Sequence> sequences = planSequences(psa, diagnostics);
    ClipBuilder builder(psa, options, reference.supplied ? &config : nullptr, scene, arena, diagnostics);
    for (const Sequence& sequence : sequences)
        if (!builder.add(sequence)) return result;
    builder.reportDamage();
    if (reference.supplied && options.motion != Motion::everything) builder.reportRemoved(reference.name);
    if (scene.clips.empty()) diagnostics.add(Code::NO_MOTION);
    scene.references.push_back(std::move(reference));
    result.hasScene = true;
    return result;
}

}  // namespace rigcast::unreal
