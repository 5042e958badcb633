// Converts the influences of a mesh.
#include "formats/cast/mesh.hpp"

#include <cmath>
#include <cstring>

namespace rigcast {

bool CastMeshReader::writeWeights() {
    const std::string method = context_.values.text(node_, "sm", "linear");
    if (method == "quaternion")
        mesh_.skinning = SkinningMethod::dualQuaternion;
    else if (method != "linear" && !method.empty())
        context_.warn(Code::VALUE_UNKNOWN, node_, method, "sm");
    if (arrays_.influences == 0) {
        if (arrays_.bones.count) context_.warn(Code::ATTRIBUTE_COUNT, node_, "weights without a number of influences", "mi");
        return true;
    }
    const std::uint64_t wanted = std::uint64_t{arrays_.influences} * vertices();
    if (arrays_.bones.count != wanted || (!isRigid() && arrays_.weights.count != wanted)) {
        context_.warn(Code::ATTRIBUTE_COUNT, node_,
                      {"{} bones and {} weights instead of {}", {arrays_.bones.count, arrays_.weights.count, wanted}}, "wb");
        return true;
    }
    const std::size_t boneCount = model_.skeleton.bones.size();
    if (boneCount == 0) {
        context_.warn(Code::INFLUENCE_BONE_RANGE, node_, "the model has no bones", "wb", wanted);
        return true;
    }
    if (boneCount > 65535) {
        context_.add(Code::TOO_MANY_BONES, Severity::error, node_, {"{}", {boneCount}});
        return true;
    }
    InfluenceSummary summary;
    if (!(arrays_.influences <= 4 ? writeFour(summary) : writeAll(summary))) return false;
    if (outsideBones_) context_.warn(Code::INFLUENCE_BONE_RANGE, node_, {"{} bones", {boneCount}}, "wb", outsideBones_);
    if (damagedWeights_) context_.warn(Code::NON_FINITE, node_, {}, "wv", damagedWeights_);
    if (summary.notNormalized) context_.warn(Code::INFLUENCE_SUM, node_, {}, "wv", summary.notNormalized);
    if (summary.unweighted) context_.warn(Code::INFLUENCE_MISSING, node_, {}, "wv", summary.unweighted);
    if (summary.duplicates) context_.warn(Code::INFLUENCE_DUPLICATE, node_, {}, "wb", summary.duplicates);
    if (summary.isFullListCut) context_.add(Code::WORK_LIMIT, Severity::error, node_, "all but the four strongest influences", "wb");
    return true;
}

/// Returns true if each vertex has one influence. The weight of this influence is 1, as in the
/// reference reader.
bool CastMeshReader::isRigid() const { return arrays_.influences == 1; }

/// Writes up to four influences per vertex.
bool CastMeshReader::writeFour(InfluenceSummary& summary) {
    const auto boneCount = static_cast<std::uint32_t>(model_.skeleton.bones.size());
    StreamingJoints joints(context_.arena, mesh_.block, vertices(), boneCount);
    StreamingColumn<float> weights = streamColumn<float>(4);
    if (!joints || !weights || (isStreamed_ && !makeBoxes())) return false;
    joints.assignTo(mesh_);
    mesh_.weights = weights.column();
    everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
        const std::size_t four = 4 * std::size_t{count};
        std::uint16_t* const toJoints = joints.next(four);
        float* const toWeights = weights.next(four);
        const CastIntegers bones = bonesOf(first, count);
        const Bytes shares = weightsOf(first, count);
        InfluenceSummary unlessDamaged = summary;
        if (copyInfluences(bones, shares.data(), arrays_.influences, boneCount, count, toJoints, toWeights, unlessDamaged))
            summary = unlessDamaged;
        else
            cleanInfluences(usableInfluences(bones, shares, count), toJoints, toWeights, summary);
        if (isStreamed_) includeVertices(*model_.boxes, arrays_.points(first, count, window_).data(), toJoints, toWeights, count);
        joints.commit(four);
        weights.commit(four);
        return true;
    });
    mesh_.maxInfluences = summary.maximum;
    return true;
}

/// Writes any number of influences per vertex.
bool CastMeshReader::writeAll(InfluenceSummary& summary) {
    if (!Budget::affords((2 * std::uint64_t{arrays_.influences} + 1) * 4 * vertices())) return false;
    return setInfluences(context_.arena, mesh_, model_.skeleton.bones.size(),
                         usableInfluences(bonesOf(0, vertices()), weightsOf(0, vertices()), vertices()), {}, summary);
}

CastIntegers CastMeshReader::bonesOf(std::size_t first, std::size_t count) {
    return arrays_.integers(arrays_.bones, first * arrays_.influences, count * arrays_.influences, boneWindow_);
}

/// Returns the weights of `count` vertices starting at `first`, or an empty span if every weight is
/// 1.
Bytes CastMeshReader::weightsOf(std::size_t first, std::size_t count) {
    return isRigid() ? Bytes{} : arrays_.part(arrays_.weights, first * arrays_.influences, count * arrays_.influences, weightWindow_);
}

/// Returns the influences of `count` vertices. Counts invalid influences and sets their weight to
/// 0.
PointInfluences CastMeshReader::usableInfluences(const CastIntegers& bones, Bytes weights, std::uint32_t count) {
    const std::size_t boneCount = model_.skeleton.bones.size();
    PointInfluences points;
    points.offsets.resize(std::size_t{count} + 1);
    for (std::size_t i = 0; i <= count; ++i) points.offsets[i] = static_cast<std::uint32_t>(i * arrays_.influences);
    points.joints.resize(bones.size());
    points.weights.assign(bones.size(), 1.f);
    if (!weights.empty()) std::memcpy(points.weights.data(), weights.data(), weights.size());
    for (std::uint32_t i = 0; i < bones.size(); ++i) {
        const std::uint32_t bone = bones[i];
        float& weight = points.weights[i];
        points.joints[i] = bone < boneCount ? bone : 0;
        if (bone >= boneCount) {
            outsideBones_ += weight != 0;  // an influence with weight 0 is unused, so its bone can be any number
            weight = 0;
        } else if (!std::isfinite(weight)) {
            ++damagedWeights_;
            weight = 0;
        }
    }
    return points;
}

/// Creates the joint boxes that the streamed meshes of a model share.
bool CastMeshReader::makeBoxes() {
    if (model_.boxes) return true;
    const Vector<Mat4>& rest = model_.skeleton.rest;
    if (!Budget::affords(rest.size() * 256)) return false;
    Vector<float> inverses(16 * rest.size());
    Vector<std::uint32_t> singular;
    invertRest({rest.data(), rest.size()}, {inverses.data(), inverses.size()}, singular);
    model_.boxes.emplace(std::span<const float>(inverses.data(), inverses.size()), rest.size());
    return true;
}

}  // namespace rigcast
