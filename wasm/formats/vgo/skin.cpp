#include <cmath>

#include "core/code.hpp"
#include "formats/vgo/build.hpp"

#include "core/vector.hpp"

namespace rigcast {

std::uint32_t VgoSkins::row(std::uint32_t index, std::uint32_t node) {
    const Value* source = &build_.skins[index];
    const Values list = joints_[index];
    std::uint32_t& storedRow = storedRows_[index];
    if (storedRow < derived) return storedRow;
    Vector<float> matrices;
    if (storedRow == none) {
        const VgoAccessor* stored =
            build_.accessor(vgoMember(source, "inverseBindMatrices"), Severity::error, "skins", index, "inverseBindMatrices");
        if (stored && build_.spend(stored->denseLength(), "skins", index)) readFloats(*stored, 16, matrices);
        const bool isDerived = matrices.size() < list.size() * 16;
        if (isDerived && stored) build_.add(Code::ATTRIBUTE_COUNT, Severity::error, "skins", index, "inverseBindMatrices");
        storedRow = isDerived ? derived : static_cast<std::uint32_t>(build_.scene.skins.size());
    }
    const bool isDerived = storedRow == derived;
    if (isDerived) {
        // Nodes with equal rest matrices share a skin, because derived bind matrices depend only on
        // these.
        const struct {
            std::uint64_t index;
            Mat4 rest;
        } key{index, build_.restOfNodes()[node]};
        std::uint32_t& row = derivedRows_[key];
        if (row != none) return row;
        if (!build_.spend(list.size() * sizeof(Mat4), "skins", index)) return none;
        row = static_cast<std::uint32_t>(build_.scene.skins.size());
    }

    Skin skin;
    skin.block = build_.arena.addBlock();
    skin.skeletonRoot = build_.row(vgoMember(source, "skeleton"), "skins", index, "skeleton");
    Vector<std::uint32_t> joints;
    for (const Value& entry : list) {
        const std::uint32_t joint = build_.row(&entry, "skins", index, "joints");
        if (joint == none && vgoNumber(entry, -1) == -1) build_.warn(Code::INDEX_RANGE, "skins", index, "joints");
        joints.push_back(joint == none ? 0 : joint);  // missing joints are replaced by the root, which does not move
    }
    matrices.resize(joints.size() * 16);
    for (std::size_t j = 0; j < joints.size(); ++j) {
        float* matrix = &matrices[j * 16];
        bool isGood = true;
        if (isDerived) {
            Mat4 inverse;
            isGood = invertAffine(build_.restOfNodes()[joints[j]], inverse);
            inverse = inverse * build_.restOfNodes()[node];
            for (std::size_t k = 0; k < 16; ++k) {
                isGood &= std::fabs(inverse.m[k]) < 3e38;
                matrix[k] = isGood ? static_cast<float>(inverse.m[k]) : 0;
            }
        }
        for (std::size_t k = 0; k < 16; ++k) isGood &= std::isfinite(matrix[k]);
        if (isGood) continue;
        build_.warn(Code::SINGULAR_BIND, "skins", index, "inverseBindMatrices");
        for (std::size_t k = 0; k < 16; ++k) matrix[k] = k % 5 == 0 ? 1.f : 0.f;
    }
    skin.joints = build_.arena.copy(skin.block, std::span<const std::uint32_t>(joints));
    skin.inverseBindMatrices = build_.arena.copy(skin.block, std::span<const float>(matrices));
    build_.scene.skins.push_back(std::move(skin));
    return static_cast<std::uint32_t>(build_.scene.skins.size() - 1);
}

}  // namespace rigcast
