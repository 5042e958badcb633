#include "formats/unreal/psaScene.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/vector.hpp"
#include "formats/unreal/config.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/props.hpp"
#include "formats/unreal/psaKeys.hpp"
#include "formats/unreal/pskScene.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/skeleton.hpp"

namespace rigcast::unreal {

namespace {

struct Target {
    StringId name = 0;
    std::uint32_t occurrence = 0;
};

class ClipBuilder {
public:
    /// `config` may be null. `knowsRemoved`: true if the config lists the removed tracks, so that
    /// they need not be detected.
    ClipBuilder(const Psa& psa, const Input& input, const Options& options, const Config* config, bool knowsRemoved, Scene& scene,
                Arena& arena, Diagnostics& diagnostics)
        : psa_(psa),
          options_(options),
          config_(config),
          knowsRemoved_(knowsRemoved),
          file_(input.bytes),
          source_(input.source),
          areKeysRead_(input.clip != noClip),
          scene_(scene),
          arena_(arena),
          diagnostics_(diagnostics) {
        StringTable different;  // lower-case names, because matching ignores case (section 7.1)
        Vector<std::uint32_t> occurrences;
        std::size_t duplicates = 0, firstDuplicate = 0;
        for (std::size_t i = 0; i < psa.tracks.size(); ++i) {
            const std::string name = boneNameAt(psa.tracks, i, "BONENAMES", diagnostics);
            names_.push_back(matchingName(name));
            const StringId id = different.intern(names_.back());
            occurrences.resize(different.size());
            const std::uint32_t occurrence = occurrences[id]++;
            targets_.push_back({scene.strings.intern(name), occurrence});
            if (occurrence && duplicates++ == 0) firstDuplicate = i;
        }
        if (duplicates)  // the k-th track with a name animates the k-th bone with that name
            diagnostics.add(Code::BONE_NAME_DUPLICATE, Severity::info, {.offset = psa.tracks.offsetOf(firstDuplicate), .path = "BONENAMES"},
                            {"{} of {} tracks, the first is {}: {}",
                             {duplicates, psa.tracks.size(), firstDuplicate, scene.strings[targets_[firstDuplicate].name]}});
    }

    /// Adds the skeleton in the PSA, so that the animations can be shown without a model. Does
    /// nothing if the PSA does not contain the bone hierarchy. Returns false if the budget is
    /// exceeded.
    bool addBones() {
        const Records& tracks = psa_.tracks;
        if (!hasHierarchy(tracks)) return true;
        if (!Budget::affords(tracks.size() * sizeof(Node))) return false;
        for (std::size_t i = 0; i < tracks.size(); ++i) {
            Node node;
            node.name = targets_[i].name;
            node.parent = i ? 1 + static_cast<std::uint32_t>(tracks.get<std::int32_t>(i, boneField::parent)) : 0;
            node.local = readRest(tracks, i, options_, "BONENAMES", diagnostics_);
            node.bone = static_cast<std::int32_t>(i);
            scene_.nodes.push_back(std::move(node));
        }
        scene_.scaleInheritance = ScaleInheritance::axes;
        return true;
    }

    bool add(const Sequence& sequence) {
        sequence_ = &sequence;
        Clip clip;
        clip.name = sequence.name;
        clip.block = arena_.addBlock();
        clip.frameRate = static_cast<float>(sequence.rate);
        clip.frameCount = sequence.frames;
        clip.duration = sequence.frames ? timeOf(sequence.frames - 1) : 0;
        clip.undeclaredModes = true;
        clip.scaledTranslations = true;
        setProperties(clip);
        removals_ = removalsOf(sequence);
        planBones();
        clip.keysUnread = !areKeysRead_ && trackCount_ > 0;
        if (!(clip.keysUnread ? addUnreadTracks(clip) : addTracks(clip))) return false;
        if (!clip.keysUnread) reportUndeclaredForms();
        scene_.clips.push_back(std::move(clip));
        return true;
    }

    /// Reports how many tracks were removed because of a companion file. `name`: name of the file,
    /// which is a `.props.txt` if `isProps` is true, otherwise a `.config`.
    void reportRemoved(std::string_view name, bool isProps) const {
        if (!isProps)
            diagnostics_.add(Code::CONFIG_APPLIED, {.path = name},
                             {"{} translations and {} rotations keep the pose of the model", {removedTranslations_, removedRotations_}});
        else if (removedTranslations_)
            diagnostics_.add(Code::PROPS_APPLIED, {.path = name}, {"{} translations keep the pose of the model", {removedTranslations_}});
    }

    void reportDamage() const {
        const auto report = [&](Code code, const Records& records, std::string_view path, std::uint64_t count, std::size_t first) {
            if (count) diagnostics_.add(code, {.offset = records.offsetOf(first), .path = path}, {"key {}", {first}}, count);
        };
        report(Code::NON_FINITE, psa_.keys, "ANIMKEYS", keyDamage_.nonFinite, keyDamage_.firstNonFinite);
        report(Code::QUATERNION_NOT_UNIT, psa_.keys, "ANIMKEYS", keyDamage_.zeroLength, keyDamage_.firstZeroLength);
        report(Code::NON_FINITE, psa_.scaleKeys, "SCALEKEYS", scaleDamage_.nonFinite, scaleDamage_.firstNonFinite);
        report(Code::SCALE_ZERO, psa_.scaleKeys, "SCALEKEYS", scaleDamage_.zeroScale, scaleDamage_.firstZeroScale);
    }

private:
    /// Returns true if the bones have a usable hierarchy. Tools that have only bone names make all
    /// bones children of the first one (section 3).
    static bool hasHierarchy(const Records& tracks) {
        bool isDeep = false;
        for (std::size_t i = 1; i < tracks.size(); ++i) {
            const auto parent = tracks.get<std::int32_t>(i, boneField::parent);
            if (parent < 0 || static_cast<std::size_t>(parent) >= i) return false;
            isDeep = isDeep || parent > 0;
        }
        return isDeep;
    }

    float timeOf(std::uint32_t frame) const { return static_cast<float>(frame / sequence_->rate); }

    /// Stores fields of the sequence that are not needed for playback as properties of the clip.
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

    Vector<Removal> removalsOf(const Sequence& sequence) {
        if (sequence.frames == 0) return {};
        Vector<Removal> removals(names_.size());
        if (config_ && options_.tracks != PlayedTracks::everything) {
            if (common_.empty()) common_ = config_->commonRemovals(names_);
            removals = common_;
            config_->addRemovals(sequence.name, removals);
            for (const Removal& removal : removals) {
                removedTranslations_ += removal.translation;
                removedRotations_ += removal.rotation;
            }
        }
        if (options_.tracks == PlayedTracks::rotationOnly)
            for (std::size_t i = 1; i < removals.size(); ++i) removals[i].translation = true;
        return removals;
    }

    void planBones() {
        const std::uint32_t frames = sequence_->frames;
        bones_.clear();
        valueCount_ = trackCount_ = 0;
        isSound_ = false;
        if (frames == 0) return;
        bones_.assign(sequence_->tracksPerFrame, {});
        if (bones_.empty()) return;
        for (std::uint32_t b = 0; b < bones_.size(); ++b) {
            BoneKeys& bone = bones_[b];
            const Removal removal = removals_[b];
            if (!removal.translation) bone.translation = Keys::first;
            if (!removal.rotation) bone.rotation = Keys::first;
            const bool isGone = removal.translation && removal.rotation;
            if (sequence_->hasScale && !isGone) bone.scale = Keys::first;
            bone.conjugated = b != 0 || options_.conjugateRoot;
        }
        if (areKeysRead_) {
            keys().announce();
            isSound_ = keys().examine(bones_, source_ != nullptr, unitScale());
        }
        for (BoneKeys& bone : bones_) {
            bone.at = static_cast<std::uint32_t>(valueCount_);
            valueCount_ += std::uint64_t{3} * lengthOf(bone.translation, frames) + std::uint64_t{4} * lengthOf(bone.rotation, frames) +
                           std::uint64_t{3} * lengthOf(bone.scale, frames);
            trackCount_ += (bone.translation != Keys::none) + (bone.rotation != Keys::none) + (bone.scale != Keys::none);
        }
    }

    SequenceKeys keys() const {
        const Sequence& of = *sequence_;
        return {{psa_.keys, of.firstKey, of.tracksPerFrame, of.frames},
                {psa_.scaleKeys, of.firstScale, of.tracksPerFrame, of.hasScale ? of.frames : 0},
                file_,
                source_};
    }
    float unitScale() const { return static_cast<float>(options_.unitScale); }
    std::uint32_t curveCount() const { return sequence_->curves ? sequence_->curves->count : 0; }

    /// Calls `put` with the translation, rotation and scale track of a bone, its keys, and the number
    /// of floats per key.
    template <typename Put>
    void eachTrack(std::size_t b, Put put) const {
        Track track;
        track.target = targets_[b].name;
        track.occurrence = targets_[b].occurrence;
        track.path = Path::translation;
        put(track, bones_[b].translation, 3);
        track.path = Path::rotation;
        track.interpolation = Interpolation::slerp;
        put(track, bones_[b].rotation, 4);
        track.path = Path::scale;
        track.interpolation = Interpolation::linear;
        put(track, bones_[b].scale, 3);
    }

    /// Adds the tracks of bones without keys. Returns false if the budget is exceeded.
    bool addUnreadTracks(Clip& clip) {
        if (!Budget::affords(trackCount_ * sizeof(Track))) return false;
        clip.tracks.reserve(static_cast<std::size_t>(trackCount_));
        for (std::size_t b = 0; b < bones_.size(); ++b)
            eachTrack(b, [&](const Track& track, Keys keys, std::uint32_t) {
                if (keys != Keys::none) clip.tracks.push_back(track);
            });
        return true;
    }

    bool addTracks(Clip& clip) {
        const std::uint32_t frames = sequence_->frames, curves = curveCount();
        if (frames == 0 || (trackCount_ == 0 && curves == 0)) return true;
        const std::uint64_t boneValues = valueCount_;
        const auto times = arena_.allocate<float>(clip.block, frames);
        const bool isLater = isSound_ && curves == 0;
        Allocation<float> values;
        if (isLater)
            values.column = arena_.defer(clip.block, boneValues, keys().decodeParameters(bones_, unitScale()));
        else
            values = arena_.allocate<float>(clip.block, boneValues + std::uint64_t{curves} * frames);
        if (!times || !values.column.present() || !Budget::affords((trackCount_ + curves) * sizeof(Track))) return false;
        for (std::uint32_t frame = 0; frame < frames; ++frame) times.values[frame] = timeOf(frame);
        if (!isLater && !bones_.empty()) keys().transpose(bones_, unitScale(), values.values, keyDamage_, scaleDamage_);

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
            eachTrack(b, [&](const Track& track, Keys keys, std::uint32_t width) { put(track, keys, at, width); });
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

    /// Reads a blend curve of ActorX for Maya, which contains the weight of a morph target for each
    /// frame.
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
        return isConstant ? Keys::first : Keys::all;
    }

    /// Detects additive animations and removed tracks, which files do not declare. Compares keys
    /// with the pose in BONENAMES (sections 7.6 and 7.5). If BONENAMES does not contain a pose,
    /// they can be detected only when the clip is bound to a model.
    void reportUndeclaredForms() {
        if (options_.tracks != PlayedTracks::file || sequence_->frames == 0 || bones_.empty()) return;
        const SequenceKeys keys = this->keys();
        Vector<double> lastLengths;
        const Records last = keys.frame(sequence_->frames - 1);
        for (std::size_t b = 0; b < bones_.size(); ++b) lastLengths.push_back(length(vec3At(last, b, keyField::position)));
        const Records first = keys.frame(0);
        std::size_t judged = 0, collapsed = 0, removed = 0;
        for (std::uint32_t b = 1; b < bones_.size(); ++b) {
            if (removals_[b].translation) continue;
            const double rest = length(vec3At(psa_.tracks, b, boneField::position));
            if (!(rest > 0.1 && rest < 1e6)) continue;
            ++judged;
            const Vec3 translation = vec3At(first, b, keyField::position);
            if (!(length(translation) < 1e-3 * rest && lastLengths[b] < 1e-3 * rest)) continue;
            ++collapsed;
            const Quat rotation = quatAt(first, b, keyField::orientation);
            const bool isNothing =
                translation.x == 0 && translation.y == 0 && translation.z == 0 && rotation.x == 0 && rotation.y == 0 && rotation.z == 0;
            removed += isNothing && bones_[b].translation == Keys::first && bones_[b].rotation == Keys::first;
        }
        const Location location{.offset = psa_.sequences.offsetOf(sequence_->record), .path = "ANIMINFO"};
        // In an additive animation, most translations are 0, but bones rotate. In a removed track,
        // all values are 0.
        if (judged >= 2 && collapsed > judged / 2 && removed < collapsed - collapsed / 4)
            diagnostics_.add(Code::LOOKS_ADDITIVE, location, {"{}: {} of {} tracks", {sequence_->name, collapsed, judged}});
        else if (removed && !knowsRemoved_)
            diagnostics_.add(Code::LOOKS_STRIPPED, location, {"{}: {} of {} tracks", {sequence_->name, removed, judged}});
    }

    const Psa& psa_;
    const Options& options_;
    const Config* config_;
    bool knowsRemoved_;
    Bytes file_;
    Source* source_;
    bool areKeysRead_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    Vector<std::string> names_;  // lower-case track names
    Vector<Target> targets_;
    const Sequence* sequence_ = nullptr;
    Vector<Removal> common_, removals_;
    Vector<BoneKeys> bones_;
    std::uint64_t valueCount_ = 0, trackCount_ = 0;
    bool isSound_ = false;  // true: the sequence has no damaged key
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

    Reference configFile{.kind = "config", .name = scene.asset.name + ".config"};
    Reference propsFile{.kind = "props", .name = scene.asset.name + ".props.txt"};
    Config config;
    if (const Supplied* supplied = input.find(configFile.kind)) {
        config = parseConfig(supplied->bytes, diagnostics);
        configFile.supplied = true;
    }
    // Uses the .props.txt if the .config is empty, because UE Viewer writes an empty .config if the
    // animation set does not list bones.
    const bool isProps = config.isEmpty();
    if (const Supplied* supplied = input.find(propsFile.kind)) {
        if (isProps) config = parseProps(supplied->bytes).config;
        propsFile.supplied = true;
    }

    if (psa.tracks.empty() && !psa.sequences.empty())
        diagnostics.add(Code::MISSING_CHUNK, {.path = "BONENAMES"}, "BONENAMES is missing, empty or damaged");
    const Vector<Sequence> sequences = planSequences(psa, diagnostics);
    ClipBuilder builder(psa, input, options, config.isEmpty() ? nullptr : &config, !isProps, scene, arena, diagnostics);
    if (!builder.addBones()) return result;
    for (std::uint32_t i = 0; i < sequences.size(); ++i)
        if ((input.clip >= noClip || input.clip == i) && !builder.add(sequences[i])) return result;
    builder.reportDamage();
    if (!config.isEmpty() && options.tracks != PlayedTracks::everything)
        builder.reportRemoved(isProps ? propsFile.name : configFile.name, isProps);
    if (scene.clips.empty()) diagnostics.add(Code::NO_MOTION);
    scene.references.push_back(std::move(configFile));
    if (isProps) scene.references.push_back(std::move(propsFile));
    result.hasScene = true;
    return result;
}

}  // namespace rigcast::unreal
