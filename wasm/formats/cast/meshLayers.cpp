// Converts the UV sets and colours of a mesh.
#include "formats/cast/mesh.hpp"

namespace rigcast {

bool CastMeshReader::writeLayers() {
    report(arrays_.uvs);
    for (const CastLayer& layer : arrays_.uvs.list) {
        if (layer.property.type != CastType::vec2 || !fits(layer.property) || !CastMeshArrays::isUv(layer, mesh_.uvs.size())) continue;
        // Adds blank UV sets for missing numbers, because materials refer to UV sets by number.
        while (mesh_.uvs.size() < layer.number) {
            StreamingColumn<float> blank = streamColumn<float>(2);
            if (!blank) return false;
            writeZeros(blank, 2 * vertices());
            mesh_.uvs.push_back(blank.column());
        }
        if (!writeFloats(layer.property, mesh_.uvs.emplace_back())) return false;
    }
    report(arrays_.colors);
    if (arrays_.legacyColor) {
        context_.add(Code::LEGACY_FORM, Severity::info, node_, "colours before 2024-08", "vc");
        if (!writeColors(arrays_.legacyColor)) return false;
    }
    for (const CastLayer& layer : arrays_.colors.list)
        if (!writeColors(layer.property)) return false;
    return true;
}

void CastMeshReader::report(const CastLayers& layers) {
    if (layers.beyond)
        context_.warn(Code::LAYER_COUNT, node_, {"{} layers beyond the count were left out", {layers.beyond}}, layers.counter.text());
    else if (layers.areMissing)
        context_.warn(Code::LAYER_COUNT, node_, "declared layers are missing", layers.counter.text());
}

bool CastMeshReader::writeColors(const CastProperty& from) {
    const bool isPacked = from.type == CastType::u32;
    if ((!isPacked && from.type != CastType::vec4) || !fits(from)) return true;
    ColorLayer& layer = mesh_.colors.emplace_back();
    layer.name = from.name;
    if (!isPacked) return writeFloats(from, layer.floats);
    // Copies colours unchanged, because their bytes already have the order R, G, B, A: R is the low
    // byte of the integer.
    StreamingColumn<std::uint8_t> to = streamColumn<std::uint8_t>(4);
    if (!to) return false;
    layer.bytes = to.column();
    everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
        to.append(arrays_.part(from, first, count, window_.raw));
        return true;
    });
    return true;
}

}  // namespace rigcast
