#include "formats/unreal/psk.hpp"

#include <algorithm>
#include <string>

#include "core/order.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::size_t wedgeMinimum = 12, faceMinimum = 12;
void layOutWedges(Psk& psk) {
    Wedges& wedges = psk.wedges;
    const std::size_t stride = wedges.records.stride();
    if (stride == 12) {  // the record has no padding after the index
        wedges.uv = 2;
        wedges.material = 10;
        return;
    }
    // Epic's struct has a 16-bit index that is followed by uninitialized padding. The padding is
    // used as the upper half of the index only if there are more points than 16 bits can address,
    // or if the file declares 32 bits by the id VTXW3200 or 13-byte records.
    wedges.wideIndex = psk.points.size() > narrowLimit || psk.wedgeId == "VTXW3200" || stride == 13;
}

void layOutFaces(Psk& psk) {
    Faces& faces = psk.faces;
    const std::size_t stride = faces.records.stride();
    faces.wideIndex = stride != faceMinimum && (stride == 18 || stride == 20 || psk.faceId == "FACE3200");
    if (!faces.wideIndex) return;
    faces.material = 12;
    faces.smoothing = stride == 20 ? 16 : 14;
}

}  // namespace

bool useRecords(const Chunk& chunk, std::size_t minimum, Records& target, Diagnostics& diagnostics) {
    if (!target.empty()) {
        diagnostics.add(Code::DUPLICATE_CHUNK, chunk.location());
        return false;
    }
    if (chunk.count == 0) return false;
    if (chunk.stride < minimum) {
        diagnostics.add(Code::RECORD_TOO_SMALL, chunk.location(), {"records of {} bytes, {} required", {chunk.stride, minimum}});
        return false;
    }
    target = chunk.records();
    return true;
}

void reportUnknown(const Chunk& chunk, Diagnostics& diagnostics) {
    diagnostics.add(Code::UNKNOWN_CHUNK, chunk.location(), {"{} records of {} bytes", {chunk.count, chunk.stride}});
}

Psk readPsk(Bytes bytes, Diagnostics& diagnostics) {
    Psk psk;
    psk.directory = readDirectory(bytes, "ACTRHEAD", diagnostics);
    for (const Chunk& chunk : psk.directory.chunks) {
        switch (chunk.type) {
            case ChunkType::meshHead:
                break;  // a duplicate is not reported, because CUE4Parse writes this chunk twice
            case ChunkType::points:
                useRecords(chunk, pointField::size, psk.points, diagnostics);
                break;
            case ChunkType::wedges:
                if (useRecords(chunk, wedgeMinimum, psk.wedges.records, diagnostics)) psk.wedgeId = chunk.id;
                break;
            case ChunkType::faces: {
                const bool wide = chunk.id == "FACE3200" && chunk.stride != faceMinimum;
                if (useRecords(chunk, wide ? 18 : faceMinimum, psk.faces.records, diagnostics)) psk.faceId = chunk.id;
                break;
            }
            case ChunkType::materials:
                useRecords(chunk, materialField::size, psk.materials, diagnostics);
                break;
            case ChunkType::bones:
                useRecords(chunk, boneField::size, psk.bones, diagnostics);
                break;
            case ChunkType::influences:
                useRecords(chunk, influenceField::size, psk.influences, diagnostics);
                break;
            case ChunkType::colors:
                useRecords(chunk, 4, psk.colors, diagnostics);
                break;
            case ChunkType::normals:
                useRecords(chunk, 12, psk.normals, diagnostics);
                break;
            case ChunkType::morphInfos:
                useRecords(chunk, morphInfoField::size, psk.morphInfos, diagnostics);
                break;
            case ChunkType::morphDeltas:
                useRecords(chunk, morphDeltaField::size, psk.morphDeltas, diagnostics);
                break;
            case ChunkType::sockets:
                useRecords(chunk, socketField::size, psk.sockets, diagnostics);
                break;
            case ChunkType::extraUvs: {
                const auto same = std::find_if(psk.extraUvs.begin(), psk.extraUvs.end(),
                                               [&](const ExtraUvs& other) { return other.channel == chunk.channel; });
                Records records = same == psk.extraUvs.end() ? Records{} : same->records;
                if (useRecords(chunk, 8, records, diagnostics)) psk.extraUvs.push_back({chunk.channel, records, chunk.location()});
                break;
            }
            default:
                reportUnknown(chunk, diagnostics);
        }
    }
    sortBy(psk.extraUvs, [](const ExtraUvs& uvs) { return std::uint64_t{uvs.channel}; });
    if (!psk.wedges.records.empty()) layOutWedges(psk);
    if (!psk.faces.records.empty()) layOutFaces(psk);
    return psk;
}

}  // namespace rigcast::unreal
