#include "support/unrealFixtures.hpp"

#include <string_view>

#include "core/vector.hpp"
#include "support/unreal.hpp"

namespace rigcast::test {

namespace {

Vector<std::uint8_t> bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

/// Returns the animation "Bend" with removed keys of Upper, as UE Viewer exports them: zero
/// translation and identity rotation in all frames.
unreal::PsaDocument strippedAnimations() {
    unreal::PsaDocument animations = armAnimations();
    for (std::size_t key = 0; key < animations.keys.size(); ++key)
        if (key % 3 == 1) animations.keys[key] = {};
    return animations;
}

/// Returns a static mesh as extractors write it: the tube of the arm without bones and weights.
unreal::PskDocument staticArm() {
    unreal::PskDocument arm = plainArmDocument();
    arm.bones.clear();
    arm.influences.clear();
    return arm;
}

/// Returns an arm as newer extractors write it: with normals and a second UV set, and without
/// anything to repair.
unreal::PskDocument soundArm() {
    unreal::PskDocument arm = armDocument();
    arm.colors.clear();
    arm.extraUvs.resize(1);
    arm.morphInfos.clear();
    arm.morphDeltas.clear();
    return arm;
}

/// Returns the animations as additive animations, with zero translations and the original
/// rotations.
unreal::PsaDocument additiveAnimations() {
    unreal::PsaDocument animations = armAnimations();
    for (std::size_t key = 0; key < animations.keys.size(); ++key)
        if (key % 3 != 0) animations.keys[key].position[0] = 0;
    return animations;
}

}  // namespace

Vector<std::pair<std::string, Vector<std::uint8_t>>> unrealFixtures() {
    Vector<std::uint8_t> cut = write(armDocument());
    cut.resize(cut.size() - 100);  // inside the last chunk
    return {
        {"arm.psk", write(armDocument())},
        {"arm-plain.psk", write(plainArmDocument())},
        {"arm-sound.psk", write(soundArm())},
        {"arm-static.pskx", write(staticArm())},
        {"arm-truncated.psk", std::move(cut)},
        {"arm-motions.psa", write(armAnimations())},
        {"arm-additive.psa", write(additiveAnimations())},
        {"arm-stripped.psa", write(strippedAnimations())},
        {"arm-stripped.config", bytesOf("\r\n[RemoveTracks]\r\nBend.1=all\r\nWalk Fwd.1=all\r\nPose.1=all\r\n")},
        {"arm-rotation-only.config",
         bytesOf("[AnimSet]\nbAnimRotationOnly=1\n\n[UseTranslationBoneNames]\nLower\n\n[ForceMeshTranslationBoneNames]\nRoot\n")},
    };
}

}  // namespace rigcast::test
