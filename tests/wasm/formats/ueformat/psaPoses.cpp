// Compares animations of UEFormat with PSA files of the same content.
#include <gtest/gtest.h>

#include "support/open.hpp"
#include "support/ueformat.hpp"
#include "support/writers/unreal.hpp"
#include "wasm/formats/ueformat/sampled.hpp"

namespace rigcast::test {
namespace {

/// Returns the last key at or before a frame.
template <class Key>
auto heldValue(const Vector<Key>& keys, std::int32_t frame) {
    auto value = keys.front().value;
    for (const Key& key : keys)
        if (key.frame <= frame) value = key.value;
    return value;
}

/// Returns a PSA file with a key at every frame, in the space of PSA: mirrored in Y, and with
/// conjugated rotations except for the root.
Vector<std::uint8_t> psaOf(const UeAnimSpec& spec) {
    unreal::PsaDocument psa;
    for (std::size_t i = 0; i < spec.tracks.size(); ++i) {
        unreal::Bone bone;
        bone.name = std::string_view(spec.tracks[i].bone);
        bone.parent = i ? static_cast<std::int32_t>(i) - 1 : 0;
        psa.tracks.push_back(bone);
    }
    Vector<unreal::PsaDocument::Key> keys;
    for (std::int32_t frame = 0; frame < spec.frames; ++frame)
        for (std::size_t i = 0; i < spec.tracks.size(); ++i) {
            const UeTrackSpec& track = spec.tracks[i];
            const Vec3 p = heldValue(track.position, frame);
            const Quat q = heldValue(track.rotation, frame);
            const float side = i == 0 ? 1.f : -1.f;
            unreal::PsaDocument::Key key;
            key.position[0] = static_cast<float>(p.x);
            key.position[1] = static_cast<float>(-p.y);
            key.position[2] = static_cast<float>(p.z);
            key.orientation[0] = side * static_cast<float>(-q.x);
            key.orientation[1] = side * static_cast<float>(q.y);
            key.orientation[2] = side * static_cast<float>(-q.z);
            key.orientation[3] = static_cast<float>(q.w);
            keys.push_back(key);
        }
    psa.addSequence("Fixture", spec.rate, keys).scaleInclude = 1;
    for (std::int32_t frame = 0; frame < spec.frames; ++frame)
        for (const UeTrackSpec& track : spec.tracks) {
            const Vec3 s = heldValue(track.scale, frame);
            psa.scaleKeys.push_back({{static_cast<float>(s.x), static_cast<float>(s.y), static_cast<float>(s.z)}, 1});
        }
    return unreal::write(psa);
}

TEST(UeAnim, EqualsAPsaOfTheSameContentAtAndBetweenFrames) {
    const UeAnimSpec spec = ueArmAnim();
    const auto psa = readBytes("psa", psaOf(spec));
    ASSERT_TRUE(psa->result.hasScene);
    const Clip& expected = psa->scene.clips.at(0);
    for (const int version : {5, 10}) {
        const auto opened = readBytes("ueanim", makeUeAnim(spec, version));
        const Clip& clip = opened->scene.clips.at(0);
        EXPECT_FLOAT_EQ(clip.duration, expected.duration);
        EXPECT_EQ(clip.frameCount, expected.frameCount);
        for (const UeTrackSpec& bone : spec.tracks)
            for (const Path path : {Path::translation, Path::rotation, Path::scale}) {
                const Track *track = findTrack(opened->scene, clip, bone.bone, path),
                            *other = findTrack(psa->scene, expected, bone.bone, path);
                ASSERT_TRUE(track && other) << bone.bone;
                for (double frame = 0; frame <= spec.frames; frame += 0.25) {
                    SCOPED_TRACE(bone.bone + " at frame " + std::to_string(frame));
                    const double time = frame / double{spec.rate};
                    expectSameValue(sampled(*track, opened->arena, time), sampled(*other, psa->arena, time), path);
                }
            }
    }
}

}  // namespace
}  // namespace rigcast::test
