// Converts a level of detail to a mesh.
#include <algorithm>
#include <cmath>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/order.hpp"
#include "formats/ueformat/model.hpp"
#include "scene/lower.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::size_t weightSize = 10, mostJoints = 65535;
constexpr float mostNumber = 1e30f;

struct Section {
    std::uint32_t start = 0, end = 0;  // triangles
    std::uint32_t material = none;
};

class MeshBuilder {
public:
    MeshBuilder(Build& build, const Lod& lod)
        : build_(build), lod_(lod), document_(build.document), arena_(build.arena), diagnostics_(build.diagnostics) {}

    /// Returns false if the level of detail contains no usable mesh.
    bool run() {
        const Part* vertices = find(lod_.parts, "VERTICES");
        const Part* indices = find(lod_.parts, "INDICES");
        const Records positions = vertices ? recordsOf(*vertices, 12, document_, diagnostics_) : Records{};
        if (positions.empty() || !indices) {
            unusable(positions.empty() ? "no vertices" : "no faces");
            return false;
        }
        mesh_.name = lod_.name;
        mesh_.block = arena_.addBlock();
        mesh_.vertexCount = mesh_.sourceVertexCount = static_cast<std::uint32_t>(positions.size());
        if (!addVectors(*vertices, positions, 0, metresPerUnit, mesh_.positions)) return false;
        if (!addTriangles(*indices) || !addNormals() || !addUvs() || !addColors() || !addWeights()) return false;
        if (const Part* part = find(lod_.parts, "MORPHTARGETS")) addMorphs(build_, *part, mesh_);
        build_.scene.meshes.push_back(std::move(mesh_));
        return true;
    }

private:
    void unusable(const char* reason) { diagnostics_.add(Code::MESH_UNUSABLE, {.offset = lod_.offset, .path = lod_.path}, reason); }

    /// Calls `use` with parts of an array, so that a file outside the heap is never copied as a
    /// whole.
    template <class Use>
    void inWindows(const Records& all, const Use& use) {
        for (std::size_t first = 0; first < all.size(); first += windowRecords) {
            const std::size_t count = std::min(windowRecords, all.size() - first);
            if (!document_.source) {
                use(all.slice(first, count), first);
                continue;
            }
            const auto offset = static_cast<std::size_t>(all.offsetOf(first));
            use(Records(document_.source->window(offset, count * all.stride(), window_), all.stride(), offset), first);
        }
    }

    /// Adds a column of directions or positions. Counts vectors that are not finite, which become
    /// zero.
    bool addVectors(const Part& part, const Records& all, std::size_t field, double scale, Column<float>& column) {
        auto made = arena_.allocate<float>(mesh_.block, all.size() * 3);
        if (!made) return false;
        std::uint64_t damaged = 0;
        const auto factor = static_cast<float>(scale);
        const float side = build_.space.isMirrored ? -factor : factor;
        inWindows(all, [&](const Records& some, std::size_t first) {
            float* to = &made.values[first * 3];
            for (std::size_t i = 0; i < some.size(); ++i, to += 3) {
                const float x = some.get<float>(i, field), y = some.get<float>(i, field + 4), z = some.get<float>(i, field + 8);
                const bool isSound = std::fabs(x) < mostNumber && std::fabs(y) < mostNumber && std::fabs(z) < mostNumber;
                damaged += !isSound;
                to[0] = isSound ? x * factor : 0;
                to[1] = isSound ? z * factor : 0;
                to[2] = isSound ? y * side : 0;
            }
        });
        if (damaged) diagnostics_.add(Code::NON_FINITE, part.location(), noDetail, damaged);
        column = made.column;
        return true;
    }

    /// Returns the elements of a part with one element per vertex, or none.
    Records channel(const Part* part, std::size_t size) {
        if (!part) return {};
        const Records all = recordsOf(*part, size, document_, diagnostics_);
        if (all.size() == mesh_.vertexCount) return all;
        diagnostics_.add(Code::ATTRIBUTE_COUNT, part->location(), {"{} for {} vertices", {all.size(), mesh_.vertexCount}});
        return {};
    }

    // ---- faces

    std::uint32_t materialOf(std::string_view name, std::string_view path, const Location& where) {
        std::string key(name);
        key += '\0';
        key += path;
        Scene& scene = build_.scene;
        if (build_.materials.add(key)) {
            Material material;
            material.name = nameOf(name, where, diagnostics_);
            if (!path.empty()) material.properties.push_back({"path", nameOf(path, where, diagnostics_)});
            scene.materials.push_back(std::move(material));
        }
        return build_.materials.find(key);
    }

    Vector<Section> readSections(std::size_t triangles) {
        Vector<Section> sections;
        const Part* part = find(lod_.parts, "MATERIALS");
        if (!part) return sections;
        for (Items items(*part, document_, diagnostics_); items.next();) {
            const std::string_view name = items.text(), path = document_.has(withMaterialPaths) ? items.text() : "";
            const auto first = items.number<std::int32_t>(), faces = items.number<std::int32_t>();
            if (!items.isComplete() || !Budget::affords(sizeof(Material) + name.size() + path.size() + 256)) break;
            Section section;
            section.material = materialOf(name, path, items.location());
            const auto start = static_cast<std::uint64_t>(std::max(first, 0)) / 3;
            const std::uint64_t end = start + static_cast<std::uint64_t>(std::max(faces, 0));
            if (first < 0 || faces < 0 || end > triangles)
                diagnostics_.add(Code::MATERIAL_RANGE, items.location(), {"{} faces from index {}, {} exist", {faces, first, triangles}});
            section.start = static_cast<std::uint32_t>(std::min<std::uint64_t>(start, triangles));
            section.end = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, triangles));
            if (section.start < section.end) sections.push_back(section);
        }
        sortBy(sections, [](const Section& section) { return std::uint64_t{section.start}; });
        return sections;
    }

    bool addTriangles(const Part& part) {
        const Records all = recordsOf(part, 4, document_, diagnostics_);
        if (all.size() % 3) diagnostics_.add(Code::FACE_TAIL, part.location(), {"{} indices", {all.size()}});
        const std::size_t triangles = all.size() / 3;
        if (!Budget::affords(triangles * 12)) return false;
        Vector<Section> sections = readSections(triangles);
        if (sections.empty()) sections.push_back({0, static_cast<std::uint32_t>(triangles), none});
        Vector<std::uint32_t> corners;
        corners.reserve(triangles * 3);
        std::uint64_t outside = 0, degenerate = 0;
        std::size_t section = 0;
        std::uint32_t triangle = 0, material = none;
        Group group;
        const auto finish = [&] {
            group.count = static_cast<std::uint32_t>(corners.size()) - group.start;
            group.material = material;
            if (group.count) mesh_.groups.push_back(group);
            group = {.start = static_cast<std::uint32_t>(corners.size())};
        };
        std::uint32_t pending[3];
        std::size_t held = 0;
        inWindows(all.slice(0, triangles * 3), [&](const Records& some, std::size_t) {
            for (std::size_t i = 0; i < some.size(); ++i) {
                pending[held++] = some.get<std::uint32_t>(i, 0);
                if (held < 3) continue;
                held = 0;
                while (section < sections.size() && sections[section].end <= triangle) ++section;
                const bool isIn = section < sections.size() && sections[section].start <= triangle;
                const std::uint32_t own = isIn ? sections[section].material : none;
                if (own != material) {
                    finish();
                    material = own;
                }
                ++triangle;
                const auto [a, b, c] = pending;
                const bool isOutside = std::max({a, b, c}) >= mesh_.vertexCount, isFlat = a == b || b == c || a == c;
                outside += isOutside;
                degenerate += isFlat && !isOutside;
                if (!isOutside && !isFlat) corners.insert(corners.end(), pending, pending + 3);
            }
        });
        finish();
        if (outside) diagnostics_.add(Code::FACE_INDEX_RANGE, part.location(), noDetail, outside);
        if (degenerate) diagnostics_.add(Code::FACE_DEGENERATE, Severity::info, part.location(), noDetail, degenerate);
        if (corners.empty()) {
            unusable("no face is left");
            return false;
        }
        if (mesh_.vertexCount > narrowVertices) {
            mesh_.indices32 = arena_.copy(mesh_.block, std::span<const std::uint32_t>(corners));
        } else if (auto made = arena_.allocate<std::uint16_t>(mesh_.block, corners.size())) {
            for (std::size_t i = 0; i < corners.size(); ++i) made.values[i] = static_cast<std::uint16_t>(corners[i]);
            mesh_.indices16 = made.column;
        }
        return !arena_.exhausted();
    }

    // ---- attributes

    bool addNormals() {
        const Part* part = find(lod_.parts, "NORMALS");
        const bool hasSign = document_.has(withBinormalSign);
        const Records all = channel(part, hasSign ? 16 : 12);
        if (all.empty()) return addSmoothNormals(arena_, mesh_);
        std::uint64_t repaired = 0;
        if (!addVectors(*part, all, hasSign ? 4 : 0, 1, mesh_.normals)) return false;
        normalize(arena_.values(mesh_.normals));
        if (!repairNormals(arena_, mesh_, repaired)) return false;
        if (repaired) diagnostics_.add(Code::NORMAL_DAMAGED, part->location(), noDetail, repaired);
        return !hasSign || addTangents(all);
    }

    static void normalize(std::span<float> vectors) {
        for (std::size_t i = 0; i + 2 < vectors.size(); i += 3) {
            const float x = vectors[i], y = vectors[i + 1], z = vectors[i + 2], squared = x * x + y * y + z * z;
            const bool isUsable = squared > 1e-12f && squared < 1e12f;
            const float factor = !isUsable ? 0 : std::fabs(squared - 1) < 1e-4f ? 1 : 1 / std::sqrt(squared);
            for (std::size_t k = 0; k < 3; ++k) vectors[i + k] *= factor;
        }
    }

    /// Adds tangents with the sign of the binormal, unless one of them has no direction. The
    /// renderer then computes them.
    bool addTangents(const Records& normals) {
        const Part* part = find(lod_.parts, "TANGENTS");
        const Records all = channel(part, 12);
        if (all.empty()) return true;
        Vector<float> values;
        if (!Budget::affords(std::uint64_t{mesh_.vertexCount} * 16)) return false;
        values.resize(std::size_t{mesh_.vertexCount} * 4);
        bool areUsable = true;
        inWindows(all, [&](const Records& some, std::size_t first) {
            for (std::size_t i = 0; i < some.size(); ++i) {
                const Vec3 own = build_.space.direction({some.get<float>(i, 0), some.get<float>(i, 4), some.get<float>(i, 8)});
                const double size = length(own);
                areUsable &= size > 1e-6 && size < 1e6;
                float* to = &values[(first + i) * 4];
                to[0] = static_cast<float>(own.x / size);
                to[1] = static_cast<float>(own.y / size);
                to[2] = static_cast<float>(own.z / size);
            }
        });
        if (!areUsable) return true;
        inWindows(normals, [&](const Records& some, std::size_t first) {
            for (std::size_t i = 0; i < some.size(); ++i) values[(first + i) * 4 + 3] = some.get<float>(i, 0) < 0 ? -1.0f : 1.0f;
        });
        mesh_.tangents = arena_.copy(mesh_.block, std::span<const float>(values));
        return !arena_.exhausted();
    }

    bool addUvs() {
        const Part* part = find(lod_.parts, "TEXCOORDS");
        if (!part) return true;
        Vector<Value> names;
        std::uint64_t damaged = 0;
        for (Items items(*part, document_, diagnostics_); items.next();) {
            const std::string_view name = document_.has(withAttributes) ? items.text() : "";
            const Records all = items.records(8);
            if (!items.isComplete()) break;
            if (all.size() != mesh_.vertexCount) {
                diagnostics_.add(Code::ATTRIBUTE_COUNT, items.location(), {"{} for {} vertices", {all.size(), mesh_.vertexCount}});
                continue;
            }
            auto made = arena_.allocate<float>(mesh_.block, all.size() * 2);
            if (!made) return false;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const float u = all.get<float>(i, 0), v = build_.space.v(all.get<float>(i, 4));
                const bool isSound = std::isfinite(u) && std::isfinite(v);
                damaged += !isSound;
                made.values[2 * i] = isSound ? u : 0;
                made.values[2 * i + 1] = isSound ? v : 0;
            }
            mesh_.uvs.push_back(made.column);
            if (document_.has(withAttributes)) names.emplace_back(nameOf(name, items.location(), diagnostics_));
        }
        if (damaged) diagnostics_.add(Code::NON_FINITE, part->location(), noDetail, damaged);
        if (!names.empty()) mesh_.properties.push_back({"uvNames", Value(std::move(names))});
        return true;
    }

    void addColorSet(std::string_view name, const Records& all, const Location& where) {
        if (all.size() != mesh_.vertexCount) {
            diagnostics_.add(Code::ATTRIBUTE_COUNT, where, {"{} for {} vertices", {all.size(), mesh_.vertexCount}});
            return;
        }
        ColorLayer colors;
        colors.name = nameOf(name, where, diagnostics_);
        colors.bytes = arena_.copy(mesh_.block, all.bytes());
        mesh_.colors.push_back(std::move(colors));
    }

    bool addColors() {
        const Part* part = find(lod_.parts, "VERTEXCOLORS");
        if (!part) return true;
        if (!document_.has(withColorSets)) {
            document_.open(*part);  // loads the payload
            addColorSet("", recordsOf(*part, 4, document_, diagnostics_), part->location());
            return !arena_.exhausted();
        }
        for (Items items(*part, document_, diagnostics_); items.next() && !arena_.exhausted();) {
            const std::string_view name = items.text();
            const Records all = items.records(4);
            if (!items.isComplete()) break;
            addColorSet(name, all, items.location());
        }
        return !arena_.exhausted();
    }

    bool addWeights() {
        const Part* part = find(lod_.parts, "WEIGHTS");
        if (!part) return true;
        const Records all = recordsOf(*part, weightSize, document_, diagnostics_);
        const std::size_t bones = std::min(build_.bones, mostJoints), vertices = mesh_.vertexCount;
        if (all.empty()) return true;
        if (build_.skin == none) {
            diagnostics_.add(Code::INFLUENCE_BONE_RANGE, part->location(), "the file has no skeleton", all.size());
            return true;
        }
        if (!Budget::affords(all.size() * 8 + vertices * 8)) return false;
        PointInfluences points;
        points.offsets.resize(vertices + 1);
        points.joints.resize(all.size());
        points.weights.resize(all.size());
        std::uint64_t badVertex = 0, badBone = 0, damaged = 0;
        const auto visit = [&](const auto& use) {
            inWindows(all, [&](const Records& some, std::size_t) {
                for (std::size_t i = 0; i < some.size(); ++i)
                    use(some.get<std::uint32_t>(i, 2), some.get<std::uint16_t>(i, 0), some.get<float>(i, 6));
            });
        };
        const auto isFine = [&](std::uint32_t vertex, std::uint32_t bone, float weight) {
            return vertex < vertices && bone < bones && std::isfinite(weight);
        };
        visit([&](std::uint32_t vertex, std::uint32_t bone, float weight) {
            badVertex += vertex >= vertices;
            badBone += vertex < vertices && bone >= bones;
            damaged += vertex < vertices && bone < bones && !std::isfinite(weight);
            if (isFine(vertex, bone, weight)) ++points.offsets[vertex + 1];
        });
        for (std::size_t i = 0; i < vertices; ++i) points.offsets[i + 1] += points.offsets[i];
        Vector<std::uint32_t> next(points.offsets.begin(), points.offsets.end() - 1);
        visit([&](std::uint32_t vertex, std::uint32_t bone, float weight) {
            if (!isFine(vertex, bone, weight)) return;
            const std::uint32_t at = next[vertex]++;
            points.joints[at] = bone;
            points.weights[at] = weight;
        });
        points.joints.resize(points.offsets[vertices]);
        points.weights.resize(points.offsets[vertices]);
        InfluenceSummary summary;
        if (!setInfluences(arena_, mesh_, bones, points, {}, summary)) return false;
        const auto report = [&](Code code, std::uint64_t count) {
            if (count) diagnostics_.add(code, part->location(), noDetail, count);
        };
        report(Code::INFLUENCE_POINT_RANGE, badVertex);
        report(Code::INFLUENCE_BONE_RANGE, badBone);
        report(Code::NON_FINITE, damaged);
        report(Code::INFLUENCE_SUM, summary.notNormalized);
        report(Code::INFLUENCE_MISSING, summary.unweighted);
        report(Code::INFLUENCE_DUPLICATE, summary.duplicates);
        if (summary.isFullListCut) diagnostics_.add(Code::WORK_LIMIT, part->location(), "all but the four strongest influences");
        return true;
    }

    Build& build_;
    const Lod& lod_;
    const Document& document_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    Mesh mesh_;
    Vector<std::uint8_t> window_;
};

}  // namespace

bool addMesh(Build& build, const Lod& lod) {
    return Budget::affords(sizeof(Mesh) + sizeof(Renderer) + 256) && MeshBuilder(build, lod).run();
}

void addLod(Build& build, const Lod& lod) {
    Scene& scene = build.scene;
    if (!addMesh(build, lod)) return;
    Renderer renderer;
    renderer.name = scene.meshes.back().name;
    renderer.mesh = static_cast<std::uint32_t>(scene.meshes.size() - 1);
    renderer.visible = renderer.mesh == 0;
    if (hasJoints(scene.meshes.back())) renderer.skin = build.skin;
    scene.renderers.push_back(std::move(renderer));
}

}  // namespace rigcast::ueformat
