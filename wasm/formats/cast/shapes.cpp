// Converts blend shapes to morph targets. A blend shape is a list of moved vertices or, in old
// files, a mesh.
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "core/vector.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

namespace {

class ShapeBuilder {
public:
    ShapeBuilder(CastContext& context, CastModel& model)
        : context_(context), model_(model), links_(context.document, model.node, {castIds::mesh}) {}

    void add(std::uint32_t shape) {
        const std::uint32_t base = links_.find(context_, shape, "b");
        const std::uint32_t found = model_.meshes.find(base);
        if (found == none) return;  // already reported as an unresolved link or an unusable mesh
        Mesh& mesh = context_.scene.meshes[found];
        const CastProperty targets = context_.document.find(shape, "t");
        if (targets.type == CastType::u64 && targets.count > 0 && !context_.document.find(shape, "vi"))
            return addTargetMeshes(shape, mesh, targets);
        addSparse(shape, mesh);
    }

private:
    void addSparse(std::uint32_t shape, Mesh& mesh) {
        const CastIntegers vertices = context_.values.integers(shape, "vi");
        std::uint32_t count = 0;
        Bytes values = context_.values.floats(shape, "vp", CastType::vec3, count);
        bool isDelta = false;
        if (count == 0) {  // writers used `vd` for one day in 2024-06
            values = context_.values.floats(shape, "vd", CastType::vec3, count);
            isDelta = count > 0;
            if (isDelta) context_.add(Code::LEGACY_FORM, Severity::info, shape, "deltas instead of positions", "vd");
        }
        if (vertices.size() != count)
            context_.warn(Code::MORPH_DAMAGED, shape, {"{} vertices, {} positions", {vertices.size(), count}}, "vi");
        else if (count == 0)
            context_.warn(Code::MORPH_DAMAGED, shape, "no vertices");
        const std::uint32_t pairs = std::min(vertices.size(), count);
        if (!Budget::affords(std::uint64_t{pairs} * 16)) return;
        // Sorted pairs of a moved vertex and an index in the list of positions. If a vertex occurs
        // several times, keeps its last position.
        Vector<std::pair<std::uint32_t, std::uint32_t>> order;
        order.reserve(pairs);
        bool isSorted = true;
        std::uint64_t outside = 0;
        for (std::uint32_t i = 0; i < pairs; ++i) {
            const std::uint32_t vertex = vertices[i];
            if (vertex >= mesh.vertexCount) {
                ++outside;
                continue;
            }
            isSorted &= order.empty() || order.back().first < vertex;
            order.push_back({vertex, i});
        }
        if (outside) context_.warn(Code::MORPH_DAMAGED, shape, "vertices that do not exist", "vi", outside);
        if (!isSorted) {
            sortBy(order, [](const auto& entry) { return std::uint64_t{entry.first}; });
            std::size_t kept = 0;
            for (std::size_t i = 0; i < order.size(); ++i)
                if (i + 1 == order.size() || order[i + 1].first != order[i].first) order[kept++] = order[i];
            order.resize(kept);
        }
        MorphTarget morph;
        morph.name = context_.name(shape, "");
        morph.maximum = static_cast<float>(context_.number(shape, "ts", 1));
        morph.properties = context_.unknownProperties(shape);
        const auto base = context_.arena.values(mesh.positions);
        addMorph(shape, mesh, std::move(morph), order, [&](std::uint32_t vertex, std::uint32_t entry, int axis) {
            const float value = loadValue<float>(values.data() + std::size_t{entry} * 12 + static_cast<std::size_t>(axis) * 4);
            return isDelta ? value : value - base[std::size_t{vertex} * 3 + static_cast<std::size_t>(axis)];
        });
    }

    /// Adds the morph targets of files written before 2024-06, in which each target is a mesh and
    /// its name is the name of the shape.
    void addTargetMeshes(std::uint32_t shape, Mesh& mesh, const CastProperty& targets) {
        context_.add(Code::LEGACY_FORM, Severity::info, shape, "targets are meshes", "t");
        const CastProperty maxima = context_.document.find(shape, "ts");
        for (std::uint32_t i = 0; i < targets.count && !context_.arena.exhausted(); ++i) {
            const auto hash = loadValue<std::uint64_t>(targets.payload.data() + std::size_t{i} * 8);
            const std::uint32_t node = links_.find(context_, shape, "t", hash);
            const std::uint32_t found = model_.meshes.find(node);
            if (found == none) continue;
            const Mesh& target = context_.scene.meshes[found];
            if (target.vertexCount != mesh.vertexCount) {
                context_.warn(Code::MORPH_DAMAGED, shape, "the vertex count of a target differs from its mesh", "t");
                continue;
            }
            // Limits the number of comparisons. Real files with target meshes are small.
            compared_ += mesh.vertexCount;
            if (compared_ > 0x10000000) return context_.warn(Code::MORPH_DAMAGED, shape, "too many targets", "t");
            if (&target != &mesh) context_.scene.renderers[model_.renderers.find(node)].visible = false;
            const auto base = context_.arena.values(mesh.positions), moved = context_.arena.values(target.positions);
            if (!Budget::affords(std::uint64_t{mesh.vertexCount} * 8)) return;
            Vector<std::pair<std::uint32_t, std::uint32_t>> order;
            for (std::uint32_t v = 0; v < mesh.vertexCount; ++v)
                if (std::memcmp(&base[std::size_t{v} * 3], &moved[std::size_t{v} * 3], 12) != 0) order.push_back({v, v});
            MorphTarget morph;
            morph.name = context_.shared(target.name, shape);
            if (maxima.type == CastType::f32 && i < maxima.count) {
                const double maximum = castNumber(maxima, i);
                if (std::isfinite(maximum)) morph.maximum = static_cast<float>(maximum);
            }
            addMorph(shape, mesh, std::move(morph), order, [&](std::uint32_t vertex, std::uint32_t, int axis) {
                const std::size_t at = std::size_t{vertex} * 3 + static_cast<std::size_t>(axis);
                return moved[at] - base[at];
            });
        }
    }

    template <class Delta>
    void addMorph(std::uint32_t shape, Mesh& mesh, MorphTarget morph, const Vector<std::pair<std::uint32_t, std::uint32_t>>& order,
                  Delta delta) {
        auto vertices = context_.arena.allocate<std::uint32_t>(mesh.block, order.size());
        auto positions = context_.arena.allocate<float>(mesh.block, std::uint64_t{order.size()} * 3);
        if (!vertices || !positions) return;
        std::uint64_t damaged = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            vertices.values[i] = order[i].first;
            for (int axis = 0; axis < 3; ++axis) {
                float value = delta(order[i].first, order[i].second, axis);
                if (!std::isfinite(value)) {
                    value = 0;
                    ++damaged;
                }
                positions.values[i * 3 + static_cast<std::size_t>(axis)] = value;
            }
        }
        if (damaged) context_.warn(Code::NON_FINITE, shape, {}, "vp", damaged);
        morph.vertices = vertices.column;
        morph.positions = positions.column;
        mesh.morphs.push_back(std::move(morph));
    }

    CastContext& context_;
    CastModel& model_;
    CastLinks links_;
    std::uint64_t compared_ = 0;  // number of vertices that `addTargetMeshes` has compared
};

}  // namespace

void addCastBlendShapes(CastContext& context, CastModel& model) {
    ShapeBuilder maker(context, model);
    for (const std::uint32_t child : context.document.children(model.node))
        if (context.node(child).id == castIds::blendShape && !context.arena.exhausted()) maker.add(child);
}

}  // namespace rigcast
