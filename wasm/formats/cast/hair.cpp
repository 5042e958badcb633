// Converts hair to line strands.
#include <algorithm>

#include "formats/cast/scene.hpp"
#include "scene/lower.hpp"

namespace rigcast {

void addCastHair(CastContext& context, std::uint32_t hair, CastModel& model) {
    std::uint32_t count = 0;
    const Bytes particles = context.values.floats(hair, "pt", CastType::vec3, count);
    const CastIntegers segments = context.values.integers(hair, "se");
    Mesh mesh;
    mesh.topology = Topology::strands;
    mesh.block = context.arena.addBlock();
    mesh.name = context.name(hair, "");
    auto offsets = context.arena.allocate<std::uint32_t>(mesh.block, std::uint64_t{segments.size()} + 1);
    if (!offsets) return;
    // Strand k has se[k] + 1 particles. Strands with missing particles are omitted.
    std::uint32_t strands = 0;
    std::uint64_t used = 0, needed = 0;
    offsets.values[0] = 0;
    for (std::uint32_t i = 0; i < segments.size(); ++i) {
        needed += std::uint64_t{segments[i]} + 1;
        if (needed > count || strands < i) continue;
        used = needed;
        offsets.values[++strands] = static_cast<std::uint32_t>(used);
    }
    if (needed != count) context.warn(Code::HAIR_COUNT, hair, {"{} particles instead of {}", {count, needed}}, "pt");
    std::fill(offsets.values.begin() + strands + 1, offsets.values.end(), 0u);
    if (strands == 0) return;
    mesh.vertexCount = static_cast<std::uint32_t>(used);
    mesh.sourceVertexCount = mesh.vertexCount;
    mesh.strandOffsets = offsets.column.slice(0, strands + 1);
    std::uint64_t damaged = 0;
    if (!copyFinite(context.arena, mesh.block, particles.data(), used * 3, mesh.positions, damaged)) return;
    if (damaged) context.warn(Code::NON_FINITE, hair, {}, "pt", damaged);
    mesh.groups.push_back({0, mesh.vertexCount, castMaterialOf(context, hair, model)});
    mesh.properties = context.unknownProperties(hair);
    Renderer renderer;
    renderer.name = mesh.name;
    renderer.node = model.owner;
    renderer.mesh = static_cast<std::uint32_t>(context.scene.meshes.size());
    context.scene.meshes.push_back(std::move(mesh));
    context.scene.renderers.push_back(std::move(renderer));
}

}  // namespace rigcast
