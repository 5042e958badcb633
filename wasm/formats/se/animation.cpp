// Converts an SEAnim to a clip.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/code.hpp"
#include "core/order.hpp"
#include "formats/se/scene.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr Path paths[] = {Path::translation, Path::rotation, Path::scale};

class ClipBuilder {
public:
    ClipBuilder(const SeAnim& anim, const FileSpace& space, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : anim_(anim), space_(space), scene_(scene), arena_(arena), diagnostics_(diagnostics) {}

    void run() {
        clip_.name = scene_.asset.name;
        clip_.block = arena_.addBlock();
        clip_.loop = anim_.isLooped();
        frameRate_ = double{anim_.frameRate};
        if (!std::isfinite(frameRate_) || !(frameRate_ > 1e-20) || frameRate_ > 1e20) {
            diagnostics_.add(Code::FRAME_RATE, {.offset = anim_.header.offset + 8, .path = "header"});
            frameRate_ = 30;
        }
        clip_.frameRate = static_cast<float>(frameRate_);
        checkType(anim_.type, anim_.header.offset + 2, "header");
        lastFrame_ = anim_.frameCount > 0 ? anim_.frameCount - 1 : 0;
        addBones();
        for (const SeModifier& modifier : anim_.modifiers) addModifier(modifier);
        addNotes();
        // The clip is at least one frame long, as in importers.
        const std::uint32_t last = std::max(lastFrame_, 1u);
        clip_.duration = timeOf(last);
        clip_.frameCount = last < 0xFFFFFFFF ? last + 1 : last;
        if (anim_.type != seAbsolute) clip_.properties.push_back({"animType", std::uint32_t{anim_.type}});
        if (!anim_.custom.empty()) clip_.properties.push_back({"customBytes", static_cast<std::uint32_t>(anim_.custom.size())});
        if (clip_.tracks.empty() && clip_.events.empty()) diagnostics_.add(Code::NO_MOTION);
        scene_.clips.push_back(std::move(clip_));
    }

private:
    float timeOf(std::uint32_t frame) const { return static_cast<float>(frame / frameRate_); }

    void checkType(std::uint8_t type, std::uint64_t offset, std::string_view path) {
        if (type > seDelta) diagnostics_.add(Code::VALUE_UNKNOWN, {.offset = offset, .path = path}, {"animation type {}", {type}});
    }

    /// Returns the mode of a track as both public importers determine it (docs/formats/se.md
    /// section 3.4): only translations can be relative, and scale is always absolute.
    static Mode modeOf(std::uint8_t type, std::uint8_t kind) {
        if (kind == seScaling) return Mode::absolute;
        if (type == seAdditive) return Mode::additive;
        return kind == seTranslation && (type == seRelative || type == seDelta) ? Mode::relative : Mode::absolute;
    }

    void addBones() {
        StringTable names;
        for (std::size_t i = 0; i < anim_.bones.size() && !arena_.exhausted(); ++i) {
            const SeAnimBone& bone = anim_.bones[i];
            if (!(bone.counts[0] || bone.counts[1] || bone.counts[2])) continue;
            const std::string name = nameOf(i);
            if (!names.add(name)) diagnostics_.add(Code::BONE_NAME_DUPLICATE, {.offset = anim_.names[i].offset, .path = "bones"}, name);
            for (std::uint8_t kind = 0; kind < 3; ++kind)
                if (bone.counts[kind]) addTrack(anim_.keys(bone, kind), kind, scene_.strings.intern(name));
        }
    }

    /// Returns the name of a bone. In a delta animation, the first bone moves the entire model, and
    /// its name can be missing.
    std::string nameOf(std::size_t bone) {
        const SeText& name = anim_.names[bone];
        return name.bytes.empty() && bone == 0 && anim_.type == seDelta ? "tag_origin" : seName(name, "bones", diagnostics_);
    }

    void addTrack(const Records& keys, std::uint8_t kind, StringId target) {
        Track track;
        track.target = target;
        track.path = paths[kind];
        track.interpolation = kind == seRotation ? Interpolation::slerp : Interpolation::linear;
        track.mode = modeOf(anim_.type, kind);
        Vector<std::uint32_t> order;
        if (!findOrder(keys, order) || !setTimes(keys, order, track.times)) return;
        const std::size_t width = kind == seRotation ? 4 : 3;
        auto made = arena_.allocate<float>(clip_.block, std::uint64_t{track.times.count} * width);
        if (!made) return;
        for (std::size_t i = 0; i < track.times.count; ++i) setValue(keys, order.empty() ? i : order[i], kind, &made.values[i * width]);
        track.values = made.column;
        clip_.tracks.push_back(track);
    }

    std::uint32_t frameAt(const Records& keys, std::size_t i) const {
        return seInteger(keys.bytes(i, 0, anim_.frameWidth).data(), anim_.frameWidth);
    }

    /// Sets `order` if keys are not sorted by frame. If several keys have the same frame, keeps the
    /// last one.
    bool findOrder(const Records& keys, Vector<std::uint32_t>& order) {
        std::uint64_t misplaced = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            lastFrame_ = std::max(lastFrame_, frameAt(keys, i));
            misplaced += i > 0 && frameAt(keys, i) <= frameAt(keys, i - 1);
        }
        if (misplaced == 0) return true;
        diagnostics_.add(Code::KEY_ORDER, {.offset = keys.offsetOf(0), .path = "bones"}, noDetail, misplaced);
        if (!Budget::affords(keys.size() * 20)) return false;
        Vector<std::uint64_t> frames;
        frames.reserve(keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) frames.push_back(frameAt(keys, i));
        order = ascendingOrder(std::span<const std::uint64_t>(frames));
        std::size_t kept = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            if (i + 1 == order.size() || frames[order[i + 1]] != frames[order[i]]) order[kept++] = order[i];
        order.resize(kept);
        return true;
    }

    /// Sets `times`. If a recent track has the same frames, shares its times.
    bool setTimes(const Records& keys, const Vector<std::uint32_t>& order, Column<float>& times) {
        for (const Recent& recent : recent_) {
            if (!order.empty() || recent.keys.size() != keys.size()) continue;
            std::size_t same = 0;
            while (same < keys.size() && frameAt(keys, same) == frameAt(recent.keys, same)) ++same;
            if (same < keys.size()) continue;
            times = recent.times;
            return true;
        }
        auto made = arena_.allocate<float>(clip_.block, order.empty() ? keys.size() : order.size());
        if (!made) return false;
        for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] = timeOf(frameAt(keys, order.empty() ? i : order[i]));
        times = made.column;
        if (order.empty()) recent_[next_++ % std::size(recent_)] = {keys, times};
        return true;
    }

    void setValue(const Records& keys, std::size_t key, std::uint8_t kind, float* to) {
        const std::uint64_t offset = keys.offsetOf(key) + anim_.frameWidth;
        double value[4] = {};
        const int width = kind == seRotation ? 4 : 3;
        for (int i = 0; i < width; ++i) {
            const std::size_t at = anim_.frameWidth + static_cast<std::size_t>(i) * anim_.numberSize();
            value[i] = anim_.isDouble() ? keys.get<double>(key, at) : double{keys.get<float>(key, at)};
            if (std::fabs(value[i]) <= 3.4028234663852886e38) continue;
            diagnostics_.add(Code::NON_FINITE, {.offset = offset, .path = "bones"});
            value[i] = kind == seScaling;
        }
        if (kind == seRotation && std::fabs(std::sqrt(lengthSquared({value[0], value[1], value[2], value[3]})) - 1) > 1e-6) {
            const Quat unit = unitRotation({value[0], value[1], value[2], value[3]}, offset, "bones", diagnostics_);
            value[0] = unit.x;
            value[1] = unit.y;
            value[2] = unit.z;
            value[3] = unit.w;
        }
        std::transform(value, value + width, to, [](double number) { return static_cast<float>(number); });
    }

    void addModifier(const SeModifier& modifier) {
        if (modifier.bone >= anim_.bones.size())
            return diagnostics_.add(Code::INDEX_RANGE, {.offset = modifier.offset, .path = "modifiers"}, {"bone {}", {modifier.bone}});
        checkType(modifier.type, modifier.offset, "modifiers");
        for (const std::uint8_t kind : {seTranslation, seRotation}) {
            ModeOverride made;
            made.node = scene_.strings.intern(nameOf(modifier.bone));
            made.mode = modeOf(modifier.type, kind);
            made.translation = kind == seTranslation;
            made.rotation = kind == seRotation;
            made.includesNode = space_.overrideNamedBone;
            clip_.overrides.push_back(made);
        }
    }

    void addNotes() {
        clip_.events.reserve(anim_.notes.size());
        for (const SeNote& note : anim_.notes) {
            lastFrame_ = std::max(lastFrame_, note.frame);
            clip_.events.push_back({timeOf(note.frame), scene_.strings.intern(seName(anim_.name(note), "notes", diagnostics_))});
        }
        sortEvents(clip_.events);
    }

    struct Recent {
        Records keys;
        Column<float> times;
    };

    const SeAnim& anim_;
    const FileSpace& space_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    Clip clip_;
    double frameRate_ = 30;
    std::uint32_t lastFrame_ = 0;
    Recent recent_[3];  // the last tracks that did not share their times
    std::size_t next_ = 0;
};

}  // namespace

void addSeAnim(const SeAnim& anim, const FileSpace& space, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    ClipBuilder(anim, space, scene, arena, diagnostics).run();
}

}  // namespace rigcast
