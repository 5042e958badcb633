#include "formats/unreal/pskAttributes.hpp"

#include <algorithm>
#include <string>

#include "core/text.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

/// Writes `width` scalars per vertex in windows. `convert` converts the wedge record of a vertex.
/// Vertices without a wedge, which no triangle uses, get the value `rest`.
template <class T, class Convert>
void writeWindows(StreamingColumn<T>& to, const WedgeVertices& vertices, const Records& all, const Windows& windows,
                  Vector<std::uint8_t>& buffer, std::size_t width, T rest, const Convert& convert) {
    for (std::size_t first = 0; first < vertices.ofWedges; first += windowRecords) {
        const std::size_t count = std::min(windowRecords, vertices.ofWedges - first);
        const std::uint32_t* const wedges = vertices.wedges.empty() ? nullptr : &vertices.wedges[first];
        std::size_t start = first, end = first + count;
        if (wedges) {
            const auto [lowest, highest] = std::minmax_element(wedges, wedges + count);
            start = *lowest;
            end = std::size_t{*highest} + 1;
        }
        const Records records = windows.part(all, start, end - start, buffer);
        T* out = to.next(width * count);
        for (std::size_t i = 0; i < count; ++i, out += width) {
            const std::size_t record = wedges ? wedges[i] - start : i;
            convert(records, record, start, out);
        }
        to.commit(width * count);
    }
    const std::size_t left = width * (vertices.count - vertices.ofWedges);
    std::fill_n(to.next(left), left, rest);
    to.commit(left);
}

}  // namespace

[[gnu::noinline]] bool WedgeAttributes::writeUvs(const WedgeVertices& vertices, const Records& all, std::size_t field, Mesh& mesh,
                                                 Arena& arena, Tally& bad) {
    StreamingColumn<float> to = arena.streamColumn<float>(mesh.block, 2 * std::uint64_t{vertices.count});
    if (!to) return false;
    mesh.uvs.push_back(to.column());
    writeWindows(to, vertices, all, windows_, window_, 2, 0.0f,
                 [&](const Records& records, std::size_t record, std::size_t start, float* out) {
                     const float u = records.get<float>(record, field), v = records.get<float>(record, field + 4);
                     const bool isSound = allFinite(u, v);
                     if (!isSound) bad.add(start + record);
                     out[0] = isSound ? u : 0;
                     out[1] = isSound ? v : 0;
                 });
    return true;
}

[[gnu::noinline]] bool WedgeAttributes::writeColors(const WedgeVertices& vertices, Mesh& mesh, Arena& arena) {
    StreamingColumn<std::uint8_t> to = arena.streamColumn<std::uint8_t>(mesh.block, 4 * std::uint64_t{vertices.count});
    if (!to) return false;
    const std::size_t red = isSwapped_ ? 2 : 0;
    writeWindows(to, vertices, psk_.colors, windows_, window_, 4, std::uint8_t{255},
                 [&](const Records& records, std::size_t record, std::size_t, std::uint8_t* out) {
                     const Bytes from = records.bytes(record, 0, 4);
                     out[0] = from[red];
                     out[1] = from[1];
                     out[2] = from[2 - red];
                     out[3] = from[3];
                     orderMatters_ |= from[0] != from[2];
                 });
    ColorLayer layer;
    layer.name = "VERTEXCOLOR";
    layer.bytes = to.column();
    mesh.colors.push_back(std::move(layer));
    return true;
}

std::uint64_t WedgeAttributes::columnBytes(std::uint64_t vertices) const {
    std::uint64_t uvSets = 1;
    for (const ExtraUvs& set : psk_.extraUvs) uvSets += hasAll(set.records);
    return uvSets * 8 * vertices + (psk_.colors.empty() || !hasAll(psk_.colors) ? 0 : paddedSize(4 * vertices));
}

[[gnu::cold]] bool WedgeAttributes::write(const WedgeVertices& vertices, Mesh& mesh, Arena& arena) {
    bad_.assign(psk_.extraUvs.size() + 1, Tally{});
    if (!writeUvs(vertices, psk_.wedges.records, psk_.wedges.uv, mesh, arena, bad_[0])) return false;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < psk_.extraUvs.size(); ++i) {
        const ExtraUvs& set = psk_.extraUvs[i];
        if (!hasAll(set.records)) continue;
        if (set.channel != next) mesh.properties.push_back({formatted("uv{}", {mesh.uvs.size()}), Value(std::string(set.location.path))});
        next = set.channel + 1;
        if (!writeUvs(vertices, set.records, 0, mesh, arena, bad_[i + 1])) return false;
    }
    if (psk_.colors.empty() || !hasAll(psk_.colors)) return true;
    isSwapped_ = options_.colorOrder == ColorOrder::bgra || (options_.colorOrder == ColorOrder::detect && looksLikeActorX());
    return writeColors(vertices, mesh, arena);
}

[[gnu::cold]] void WedgeAttributes::report(Diagnostics& diagnostics) const {
    constexpr std::string_view what = "texture coordinate";
    bad_[0].report(diagnostics, Code::NON_FINITE, psk_.wedges.records, "VTXW0000", what);
    for (std::size_t i = 0; i < psk_.extraUvs.size(); ++i) {
        const ExtraUvs& set = psk_.extraUvs[i];
        if (!hasAll(set.records)) reportCount(set.records, set.location.path, psk_.wedges.size(), "wedges", diagnostics);
        bad_[i + 1].report(diagnostics, Code::NON_FINITE, set.records, set.location.path, what);
    }
    const Records& colors = psk_.colors;
    if (!colors.empty() && !hasAll(colors)) reportCount(colors, "VERTEXCOLOR", psk_.wedges.size(), "wedges", diagnostics);
    if (orderMatters_ && options_.colorOrder == ColorOrder::detect)
        diagnostics.add(Code::COLOR_ORDER_GUESSED, {.offset = colors.offsetOf(0), .path = "VERTEXCOLOR"},
                        isSwapped_ ? "blue first, as ActorX writes" : "red first, as extractors write");
}

/// Returns true if ActorX for Max wrote the file: it is the only exporter that pads bone names with
/// spaces to 31 characters (section 4). It stores colours as BGRA instead of RGBA (section 3,
/// VERTEXCOLOR).
bool WedgeAttributes::looksLikeActorX() const {
    const Records& bones = psk_.bones;
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const Bytes name = bones.bytes(i, 0, 32);
        if (name[30] != ' ' || name[31] != 0) return false;
    }
    return !bones.empty();
}

[[gnu::cold]] void reportCount(const Records& records, std::string_view path, std::size_t wanted, std::string_view what,
                               Diagnostics& diagnostics) {
    diagnostics.add(Code::ATTRIBUTE_COUNT, {.offset = records.offsetOf(0), .path = path},
                    {"{} records for {} {}", {records.size(), wanted, what}});
}

}  // namespace rigcast::unreal
