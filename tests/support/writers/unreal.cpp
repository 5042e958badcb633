#include <algorithm>
#include <string>

#include "core/vector.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/records.hpp"
#include "support/writers/unreal.hpp"

namespace rigcast::unreal {

namespace {

static_assert(sizeof(Bone) == boneField::size && sizeof(PskDocument::Material) == materialField::size);
static_assert(sizeof(PskDocument::Point) == 12 && sizeof(PskDocument::Influence) == influenceField::size);
static_assert(sizeof(PskDocument::Color) == 4 && sizeof(PskDocument::Uv) == 8 && sizeof(PskDocument::MorphInfo) == morphInfoField::size);
static_assert(sizeof(PskDocument::MorphDelta) == morphDeltaField::size && sizeof(PskDocument::Socket) == socketField::size);
static_assert(sizeof(PsaDocument::Sequence) == sequenceField::size && sizeof(PsaDocument::Key) == keyField::size);
static_assert(sizeof(PsaDocument::ScaleKey) == scaleKeyField::size);

// ------------------------------------------------------------------------------------------------ records in memory and on disk

/// Most records have the same layout in memory and on disk.
template <class T>
std::size_t sizeOnDisk(const T&, std::size_t) {
    return sizeof(T);
}
template <class T>
void load(T& record, const std::uint8_t* from, std::size_t) {
    std::memcpy(&record, from, sizeof(T));
}
template <class T>
void store(const T& record, std::uint8_t* to, std::size_t) {
    std::memcpy(to, &record, sizeof(T));
}

using Wedge = PskDocument::Wedge;
std::size_t sizeOnDisk(const Wedge&, std::size_t stride) { return stride == 12 || stride == 13 ? stride : 16; }
void load(Wedge& wedge, const std::uint8_t* from, std::size_t stride) {
    const std::size_t uv = stride == 12 ? 2 : 4;
    wedge.point = stride == 12 ? loadValue<std::uint16_t>(from) : loadValue<std::uint32_t>(from);
    wedge.u = loadValue<float>(from + uv);
    wedge.v = loadValue<float>(from + uv + 4);
    wedge.material = from[uv + 8];
    wedge.reserved = stride == 13 ? 0 : from[uv + 9];
}
void store(const Wedge& wedge, std::uint8_t* to, std::size_t stride) {
    const std::size_t uv = stride == 12 ? 2 : 4;
    std::memcpy(to, &wedge.point, uv);
    std::memcpy(to + uv, &wedge.u, 8);
    to[uv + 8] = wedge.material;
    if (stride != 13) to[uv + 9] = wedge.reserved;
}

using Face = PskDocument::Face;
bool isWide(std::size_t stride) { return stride == 18 || stride == 20; }
std::size_t sizeOnDisk(const Face&, std::size_t stride) { return isWide(stride) ? stride : 12; }
void load(Face& face, const std::uint8_t* from, std::size_t stride) {
    for (std::size_t i = 0; i < 3; ++i)
        face.wedges[i] = isWide(stride) ? loadValue<std::uint32_t>(from + 4 * i) : loadValue<std::uint16_t>(from + 2 * i);
    const std::uint8_t* tail = from + (isWide(stride) ? 12 : 6);
    face.material = tail[0];
    face.auxMaterial = tail[1];
    face.smoothing = loadValue<std::uint32_t>(tail + (stride == 20 ? 4 : 2));
}
void store(const Face& face, std::uint8_t* to, std::size_t stride) {
    const std::size_t width = isWide(stride) ? 4 : 2;
    for (std::size_t i = 0; i < 3; ++i) std::memcpy(to + width * i, &face.wedges[i], width);
    std::uint8_t* tail = to + 3 * width;
    tail[0] = face.material;
    tail[1] = face.auxMaterial;
    std::memcpy(tail + (stride == 20 ? 4 : 2), &face.smoothing, 4);
}

// ------------------------------------------------------------------------------------------------ reading

Vector<std::uint8_t> copyOf(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

ChunkLayout layoutOf(const Chunk& chunk) {
    ChunkLayout layout;
    std::memcpy(layout.id.bytes.data(), chunk.header.data(), layout.id.bytes.size());
    layout.typeFlag = chunk.typeFlag;
    layout.stride = chunk.stride;
    layout.type = chunk.type;
    layout.channel = chunk.channel;
    return layout;
}

void keepRaw(const Chunk& chunk, ChunkLayout& layout) {
    layout.isRaw = true;
    layout.rawCount = chunk.count;
    layout.bytes = copyOf(chunk.payload);
}

/// Reads records into `list`, and the bytes that follow the known fields into the layout.
template <class T>
void readRecords(const Chunk& chunk, Vector<T>& list, ChunkLayout& layout) {
    const std::size_t known = sizeOnDisk(T{}, chunk.stride);
    if (!list.empty() || (chunk.count && chunk.stride < known)) return keepRaw(chunk, layout);
    list.resize(chunk.count);
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Bytes record = chunk.payload.subspan(i * chunk.stride, chunk.stride);
        load(list[i], record.data(), chunk.stride);
        layout.bytes.insert(layout.bytes.end(), record.begin() + static_cast<std::ptrdiff_t>(known), record.end());
    }
}

// ------------------------------------------------------------------------------------------------ writing

class ChunkWriter {
public:
    void head(std::string_view id, std::int32_t typeFlag) { header(FixedText<20>(id), typeFlag, 0, 0); }

    void header(const FixedText<20>& id, std::int32_t typeFlag, std::size_t stride, std::size_t count) {
        bytes_.insert(bytes_.end(), id.bytes.begin(), id.bytes.end());
        for (const std::int32_t value : {typeFlag, static_cast<std::int32_t>(stride), static_cast<std::int32_t>(count)}) append(&value, 4);
    }

    /// Writes records of `stride` bytes. `tails` contains the unknown bytes after the known fields of
    /// each record, as read from the original file.
    template <class T>
    void records(const Vector<T>& list, std::size_t stride, const Vector<std::uint8_t>& tails = {}) {
        const std::size_t known = sizeOnDisk(T{}, stride), tail = stride > known ? stride - known : 0;
        const std::size_t start = bytes_.size();
        bytes_.resize(start + list.size() * stride);
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::uint8_t* to = bytes_.data() + start + i * stride;
            store(list[i], to, stride);
            if (tail && (i + 1) * tail <= tails.size()) std::memcpy(to + known, tails.data() + i * tail, tail);
        }
    }

    template <class T>
    void chunk(std::string_view id, const Vector<T>& list, std::size_t stride) {
        header(FixedText<20>(id), 0, stride, list.size());
        records(list, stride);
    }

    template <class T>
    void optionalChunk(std::string_view id, const Vector<T>& list, std::size_t stride) {
        if (!list.empty()) chunk(id, list, stride);
    }

    /// Writes a chunk as `layout` specifies.
    template <class T>
    void chunk(const ChunkLayout& layout, const Vector<T>& list) {
        header(layout.id, layout.typeFlag, layout.stride, list.size());
        records(list, layout.stride, layout.bytes);
    }

    void raw(const ChunkLayout& layout) {
        header(layout.id, layout.typeFlag, layout.stride, layout.rawCount);
        append(layout.bytes.data(), layout.bytes.size());
    }

    void append(const void* data, std::size_t size) {
        const auto* from = static_cast<const std::uint8_t*>(data);
        bytes_.insert(bytes_.end(), from, from + size);
    }

    Vector<std::uint8_t> take() { return std::move(bytes_); }

private:
    Vector<std::uint8_t> bytes_;
};

void writeCurves(ChunkWriter& writer, const PsaDocument::CurveSet& set, std::int32_t typeFlag) {
    writer.header(set.id, typeFlag, curveField::values + 4 * std::size_t{set.frames}, set.curves.size());
    for (const PsaDocument::Curve& curve : set.curves) {
        writer.append(curve.name.bytes.data(), curve.name.bytes.size());
        writer.append(curve.weights.data(), 4 * curve.weights.size());
    }
}

}  // namespace

// ------------------------------------------------------------------------------------------------ PSK

namespace {

/// Calls `visit` with the list of the document that contains a chunk's records. Returns false if
/// there is none.
template <class Document, class Visit>
bool withList(Document& document, const ChunkLayout& chunk, Visit visit) {
    switch (chunk.type) {
        case ChunkType::points:
            return visit(document.points), true;
        case ChunkType::wedges:
            return visit(document.wedges), true;
        case ChunkType::faces:
            return visit(document.faces), true;
        case ChunkType::materials:
            return visit(document.materials), true;
        case ChunkType::bones:
            return visit(document.bones), true;
        case ChunkType::influences:
            return visit(document.influences), true;
        case ChunkType::colors:
            return visit(document.colors), true;
        case ChunkType::normals:
            return visit(document.normals), true;
        case ChunkType::morphInfos:
            return visit(document.morphInfos), true;
        case ChunkType::morphDeltas:
            return visit(document.morphDeltas), true;
        case ChunkType::sockets:
            return visit(document.sockets), true;
        case ChunkType::extraUvs:
            return chunk.channel < document.extraUvs.size() && (visit(document.extraUvs[chunk.channel]), true);
        default:
            return false;
    }
}

}  // namespace

PskDocument readPskDocument(Bytes bytes, Diagnostics& diagnostics) {
    PskDocument document;
    const Directory directory = readDirectory(bytes, "ACTRHEAD", diagnostics);
    for (const Chunk& chunk : directory.chunks) {
        ChunkLayout layout = layoutOf(chunk);
        if (chunk.type == ChunkType::extraUvs) document.extraUvs.resize(std::max<std::size_t>(document.extraUvs.size(), chunk.channel + 1));
        if (!withList(document, layout, [&](auto& list) { readRecords(chunk, list, layout); })) keepRaw(chunk, layout);
        document.layout.push_back(std::move(layout));
    }
    // The upper half of a 16-bit index is padding (psk-psa.md section 3).
    if (document.points.size() <= narrowLimit)
        for (Wedge& wedge : document.wedges) wedge.point &= 0xFFFF;
    if (!directory.chunks.empty()) document.typeFlag = directory.chunks.front().typeFlag;
    document.rest = copyOf(directory.rest);
    return document;
}

Vector<std::uint8_t> write(const PskDocument& document) {
    ChunkWriter writer;
    for (const ChunkLayout& layout : document.layout) {
        if (layout.isRaw)
            writer.raw(layout);
        else if (!withList(document, layout, [&](const auto& list) { writer.chunk(layout, list); }))
            writer.header(layout.id, layout.typeFlag, layout.stride, 0);  // the list was cleared after reading
    }
    if (document.layout.empty()) {
        const bool isLarge = document.wedges.size() > narrowLimit;
        writer.head("ACTRHEAD", document.typeFlag);
        writer.chunk("PNTS0000", document.points, 12);
        writer.chunk("VTXW0000", document.wedges, 16);
        writer.chunk(isLarge ? "FACE3200" : "FACE0000", document.faces, isLarge ? 18 : 12);
        writer.chunk("MATT0000", document.materials, materialField::size);
        writer.chunk("REFSKELT", document.bones, boneField::size);
        writer.chunk("RAWWEIGHTS", document.influences, influenceField::size);
        writer.optionalChunk("VERTEXCOLOR", document.colors, 4);
        for (std::size_t i = 0; i < document.extraUvs.size(); ++i)
            writer.optionalChunk("EXTRAUVS" + std::to_string(i), document.extraUvs[i], 8);
        writer.optionalChunk("VTXNORMS", document.normals, 12);
        writer.optionalChunk("MRPHINFO", document.morphInfos, morphInfoField::size);
        writer.optionalChunk("MRPHDATA", document.morphDeltas, morphDeltaField::size);
        writer.optionalChunk("SKELSOCK", document.sockets, socketField::size);
    }
    writer.append(document.rest.data(), document.rest.size());
    return writer.take();
}

// ------------------------------------------------------------------------------------------------ PSA

PsaDocument::Sequence& PsaDocument::addSequence(std::string_view name, float rate, const Vector<Key>& sequenceKeys) {
    const auto frames = static_cast<std::int32_t>(tracks.empty() ? 0 : sequenceKeys.size() / tracks.size());
    Sequence sequence;
    sequence.name = name;
    sequence.trackCount = static_cast<std::int32_t>(tracks.size());
    sequence.quotum = static_cast<std::int32_t>(sequenceKeys.size());
    sequence.trackTime = static_cast<float>(frames);
    sequence.rate = rate;
    for (const Sequence& before : sequences) sequence.firstFrame += before.frameCount;
    sequence.frameCount = frames;
    keys.insert(keys.end(), sequenceKeys.begin(), sequenceKeys.end());
    sequences.push_back(sequence);
    return sequences.back();
}

void PsaDocument::addCurves(Vector<Curve> list) {
    CurveSet set;
    set.id = std::string_view(std::string(sequences.back().name.view().substr(0, 14)) + ":CUR");
    set.frames = static_cast<std::uint32_t>(sequences.back().frameCount);
    set.curves = std::move(list);
    curves.push_back(std::move(set));
}

PsaDocument readPsaDocument(Bytes bytes, Diagnostics& diagnostics) {
    PsaDocument document;
    const Directory directory = readDirectory(bytes, "ANIMHEAD", diagnostics);
    for (const Chunk& chunk : directory.chunks) {
        ChunkLayout layout = layoutOf(chunk);
        switch (chunk.type) {
            case ChunkType::tracks:
                readRecords(chunk, document.tracks, layout);
                break;
            case ChunkType::sequences:
                readRecords(chunk, document.sequences, layout);
                break;
            case ChunkType::keys:
                readRecords(chunk, document.keys, layout);
                break;
            case ChunkType::scaleKeys:
                readRecords(chunk, document.scaleKeys, layout);
                break;
            case ChunkType::curves: {
                if (chunk.stride < curveField::values || chunk.stride % 4 != 0) {
                    keepRaw(chunk, layout);
                    break;
                }
                PsaDocument::CurveSet set{layout.id, (chunk.stride - static_cast<std::uint32_t>(curveField::values)) / 4, {}};
                for (std::size_t i = 0; i < chunk.count; ++i) {
                    const std::uint8_t* from = chunk.payload.data() + i * chunk.stride;
                    PsaDocument::Curve curve;
                    std::memcpy(curve.name.bytes.data(), from, curve.name.bytes.size());
                    curve.weights.resize(set.frames);
                    std::memcpy(curve.weights.data(), from + curveField::values, 4 * curve.weights.size());
                    set.curves.push_back(std::move(curve));
                }
                layout.channel = static_cast<std::uint32_t>(document.curves.size());
                document.curves.push_back(std::move(set));
                break;
            }
            default:
                keepRaw(chunk, layout);
        }
        document.layout.push_back(std::move(layout));
    }
    if (!directory.chunks.empty()) document.typeFlag = directory.chunks.front().typeFlag;
    document.rest = copyOf(directory.rest);
    return document;
}

Vector<std::uint8_t> write(const PsaDocument& document) {
    ChunkWriter writer;
    for (const ChunkLayout& layout : document.layout) {
        if (layout.isRaw) {
            writer.raw(layout);
            continue;
        }
        switch (layout.type) {
            case ChunkType::tracks:
                writer.chunk(layout, document.tracks);
                break;
            case ChunkType::sequences:
                writer.chunk(layout, document.sequences);
                break;
            case ChunkType::keys:
                writer.chunk(layout, document.keys);
                break;
            case ChunkType::scaleKeys:
                writer.chunk(layout, document.scaleKeys);
                break;
            case ChunkType::curves:
                if (layout.channel < document.curves.size()) writeCurves(writer, document.curves[layout.channel], layout.typeFlag);
                break;
            default:
                break;
        }
    }
    if (document.layout.empty()) {
        writer.head("ANIMHEAD", document.typeFlag);
        writer.chunk("BONENAMES", document.tracks, boneField::size);
        writer.chunk("ANIMINFO", document.sequences, sequenceField::size);
        writer.chunk("ANIMKEYS", document.keys, keyField::size);
        if (document.typeFlag >= 2003321) writer.chunk("SCALEKEYS", document.scaleKeys, scaleKeyField::size);
        for (const PsaDocument::CurveSet& set : document.curves) writeCurves(writer, set, 0);
    }
    writer.append(document.rest.data(), document.rest.size());
    return writer.take();
}

}  // namespace rigcast::unreal
