// Compiled for speed, without vectors.
#include <algorithm>

#include "core/vector.hpp"
#include "formats/unreal/pskMesh.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/tally.hpp"

namespace rigcast::unreal {

namespace {

/// Texture coordinates and colours of the wedges become those of their vertices.
class WedgeAttributes {
public:
    WedgeAttributes(const Psk& psk, const Options& options, const WedgeVertices& vertices, Arena& arena, Diagnostics& diagnostics)
        : psk_(psk), options_(options), vertices_(vertices), arena_(arena), diagnostics_(diagnostics) {}

    [[gnu::cold]] bool setUvs(Mesh& mesh) {
        if (!addUvs(mesh, psk_.wedges.records, psk_.wedges.uv, "VTXW0000")) return false;
        std::uint32_t next = 0;
        for (const ExtraUvs& set : psk_.extraUvs) {
            if (set.records.size() != psk_.wedges.size()) {
                reportCount(set.records, set.place.path, psk_.wedges.size(), "wedges", diagnostics_);
                continue;
            }
            if (set.channel != next) mesh.properties.push_back({formatted("uv{}", {mesh.uvs.size()}), Value(std::string(set.place.path))});
            next = set.channel + 1;
            if (!addUvs(mesh, set.records, 0, set.place.path)) return false;
        }
        return true;
    }

    [[gnu::noinline]] bool setColors(Mesh& mesh) {
        const Records& colors = psk_.colors;
        if (colors.empty()) return true;
        if (colors.size() != psk_.wedges.size()) {
            reportCount(colors, "VERTEXCOLOR", psk_.wedges.size(), "wedges", diagnostics_);
            return true;
        }
        const auto bytes = arena_.allocate<std::uint8_t>(mesh.block, 4 * vertices_.count);
        if (!bytes) return false;
        std::fill(bytes.values.begin() + 4 * vertices_.ofWedges, bytes.values.end(), std::uint8_t{255});
        const bool swapped = options_.colorOrder == ColorOrder::bgra || (options_.colorOrder == ColorOrder::detect && looksLikeActorX());
        bool orderMatters = false;
        for (std::size_t i = 0; i < vertices_.ofWedges; ++i) {
            const Bytes from = colors.bytes(vertices_.wedgeOf(i), 0, 4);
            std::uint8_t* to = &bytes.values[4 * i];
            to[0] = from[swapped ? 2 : 0];
            to[1] = from[1];
            to[2] = from[swapped ? 0 : 2];
            to[3] = from[3];
            orderMatters |= from[0] != from[2];
        }
        if (orderMatters && options_.colorOrder == ColorOrder::detect)
            diagnostics_.add(Code::COLOR_ORDER_GUESSED, {.offset = colors.offsetOf(0), .path = "VERTEXCOLOR"},
                             swapped ? "blue first, as ActorX writes" : "red first, as extractors write");
        ColorLayer layer;
        layer.name = "VERTEXCOLOR";
        layer.bytes = bytes.column;
        mesh.colors.push_back(std::move(layer));
        return true;
    }

private:
    [[gnu::noinline]] bool addUvs(Mesh& mesh, const Records& records, std::size_t field, std::string_view path) {
        const auto uvs = arena_.allocate<float>(mesh.block, 2 * vertices_.count);
        if (!uvs) return false;
        std::fill(uvs.values.begin() + 2 * vertices_.ofWedges, uvs.values.end(), 0.0f);
        Tally bad;
        for (std::size_t i = 0; i < vertices_.ofWedges; ++i) {
            const std::size_t wedge = vertices_.wedgeOf(i);
            float u = records.get<float>(wedge, field), v = records.get<float>(wedge, field + 4);
            if (!allFinite(u, v)) {
                bad.add(wedge);
                u = v = 0;
            }
            uvs.values[2 * i] = u;
            uvs.values[2 * i + 1] = v;
        }
        bad.report(diagnostics_, Code::NON_FINITE, records, path, "texture coordinate");
        mesh.uvs.push_back(uvs.column);
        return true;
    }

    /// Epic's ActorX writes colours blue first, all others red first (section 3, VERTEXCOLOR), and the file does not tell its writer. But only
    /// ActorX for Max fills bone names with blanks up to 31 characters (section 4).
    bool looksLikeActorX() const {
        const Records& bones = psk_.bones;
        for (std::size_t i = 0; i < bones.size(); ++i) {
            const Bytes name = bones.bytes(i, 0, 32);
            if (name[30] != ' ' || name[31] != 0) return false;
        }
        return !bones.empty();
    }

    const Psk& psk_;
    const Options& options_;
    const WedgeVertices vertices_;
    Arena& arena_;
    Diagnostics& diagnostics_;
};

}  // namespace

[[gnu::cold]] void reportCount(const Records& records, std::string_view path, std::size_t wanted, std::string_view what,
                               Diagnostics& diagnostics) {
    diagnostics.add(Code::ATTRIBUTE_COUNT, {.offset = records.offsetOf(0), .path = path},
                    {"{} records for {} {}", {records.size(), wanted, what}});
}

[[gnu::noinline, gnu::cold]] bool addWedgeAttributes(const Psk& psk, const Options& options, const WedgeVertices& vertices, Mesh& mesh,
                                                     Arena& arena, Diagnostics& diagnostics) {
    WedgeAttributes attributes(psk, options, vertices, arena, diagnostics);
    return attributes.setUvs(mesh) && attributes.setColors(mesh);
}

}  // namespace rigcast::unreal
