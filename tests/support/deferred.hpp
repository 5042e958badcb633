// Checks that reading in windows with deferred decoding gives the same result as reading a file
// that is completely in the heap.
#pragma once

#include <string>
#include <utility>

#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"

namespace rigcast::test {

inline Input inputOf(Bytes bytes, std::string_view name) {
    Input input;
    input.bytes = bytes;
    input.name = name;
    return input;
}

/// A file that is not in the reader's memory. Counts the bytes that are read.
class ExternalFile final : public Source {
public:
    ExternalFile(std::uint8_t* home, Bytes file) : Source(home, file.size()), file_(file) {}
    std::size_t bytesRead = 0;                              // number of bytes
    Vector<std::pair<std::size_t, std::size_t>> announced;  // offsets and lengths of announced ranges

    void announce(std::size_t offset, std::size_t count) override { announced.push_back({offset, count}); }

private:
    void read(std::size_t offset, std::size_t count, std::uint8_t* to) override {
        const Bytes part = file_.subspan(offset, count);
        std::memcpy(to, part.data(), part.size());
        bytesRead += count;
    }
    Bytes file_;
};

/// Buffers outside the arena, as in JavaScript.
class TestBuffers final : public ExternalBuffers {
public:
    Vector<Vector<std::uint8_t>> blocks;  // empty: not allocated

    bool allocate(std::uint32_t block, std::size_t size) override {
        if (blocks.size() <= block) blocks.resize(block + 1);
        blocks[block] = Vector<std::uint8_t>(size);
        return true;
    }
    void write(std::uint32_t block, std::size_t offset, Bytes bytes) override {
        if (block >= blocks.size() || offset > blocks[block].size() || bytes.size() > blocks[block].size() - offset) std::abort();
        std::copy(bytes.begin(), bytes.end(), blocks[block].begin() + offset);
    }
};

/// The complete result of reading a file, as JavaScript receives it.
struct Outcome {
    std::string description;
    Vector<Vector<std::uint8_t>> blocks;
    std::size_t bytesRead = 0;                                   // number of bytes read before deferred columns are decoded
    Vector<std::pair<std::size_t, std::size_t>> announced = {};  // offsets and lengths of announced ranges
    std::size_t deferredColumns = 0;                             // number of deferred columns
    std::size_t written = 0;                                     // bytes of columns that were streamed
    std::size_t allocated = 0;                                   // bytes of the buffers for streamed columns
};

/// How a file is read. whole: with file and columns in the heap, for comparison. outside: in
/// windows, with file and columns outside the heap. here: with the file in the heap, as in native
/// programs.
enum class ReadMode { whole, outside, here };

inline Outcome outcomeOf(std::string_view format, Input input, bool strict, ReadMode way) {
    const Bytes file = input.bytes;
    const bool isOutside = way == ReadMode::outside;
    Scene scene;
    TestBuffers buffers;
    Arena arena = isOutside ? Arena(buffers) : Arena();
    // Requests tangents so that all columns are in the heap, because computing tangents reads other
    // columns.
    const bool withTangents = format == "psk" && way == ReadMode::whole;
    if (withTangents) input.tangents = true;
    Diagnostics diagnostics(strict);
    Budget budget(Budget::memoryFor(input.size()), Budget::workFor(input.size()));
    Vector<std::uint8_t> home;
    if (isOutside) home.resize(input.bytes.size(), 0xCD);
    ExternalFile source(home.data(), input.bytes);
    if (isOutside) {
        input.bytes = {home.data(), home.size()};
        input.source = &source;
    }
    const OpenResult result = openScene(input, format, scene, arena, diagnostics);
    if (withTangents)
        for (Mesh& mesh : scene.meshes) mesh.tangents = {};
    if (!result.hasScene) budget.extend(1 << 20);
    Outcome outcome;
    outcome.description = describe(result.hasScene ? &scene : nullptr, scene.references, arena, diagnostics, format, result.version);
    outcome.bytesRead = source.bytesRead;
    outcome.announced = source.announced;
    for (std::uint32_t index = 0; index < arena.blocks().size(); ++index) {
        const Arena::Block& block = arena.blocks()[index];
        Vector<std::uint8_t> bytes;
        for (const Arena::Piece& piece : block.pieces) {
            if (piece.data) {
                bytes.insert(bytes.end(), piece.data.get(), piece.data.get() + piece.size);
                continue;
            }
            if (block.parameters.empty()) {
                const std::uint8_t* from = buffers.blocks[index].data() + piece.offset;
                bytes.insert(bytes.end(), from, from + piece.size);
                outcome.written += piece.size;
                continue;
            }
            Vector<float> made(piece.size / sizeof(float), 0);
            // Decoding may use only the file and the parameters.
            const Vector<std::uint8_t> parameters = block.parameters;
            ExternalFile again(nullptr, file);
            result.reader->decode(again, {parameters.data(), parameters.size()}, {made.data(), made.size()});
            const auto* from = reinterpret_cast<const std::uint8_t*>(made.data());
            bytes.insert(bytes.end(), from, from + piece.size);
            ++outcome.deferredColumns;
        }
        outcome.blocks.push_back(std::move(bytes));
    }
    for (const Vector<std::uint8_t>& buffer : buffers.blocks) outcome.allocated += buffer.size();
    return outcome;
}

/// Returns true if `block` starts with all bytes of `other`. Tangents are at the end of a mesh's
/// block.
inline bool beginsWith(const Vector<std::uint8_t>& block, const Vector<std::uint8_t>& other) {
    return block.size() >= other.size() && std::equal(other.begin(), other.end(), block.begin());
}

/// Returns the first difference between the results, or '' if there is none.
inline std::string differenceOf(std::string_view format, const Input& input, bool strict = false) {
    const Outcome whole = outcomeOf(format, input, strict, ReadMode::whole);
    for (const ReadMode way : {ReadMode::outside, ReadMode::here}) {
        if (way == ReadMode::here && format != "psk") continue;  // other formats have one way to read a file in the heap
        const Outcome other = outcomeOf(format, input, strict, way);
        if (whole.description != other.description) return "descriptions:\n" + whole.description + "\n" + other.description;
        if (whole.blocks.size() != other.blocks.size()) return "number of blocks";
        for (std::size_t i = 0; i < whole.blocks.size(); ++i)
            if (!beginsWith(whole.blocks[i], other.blocks[i])) return "block " + std::to_string(i);
    }
    return {};
}

}  // namespace rigcast::test
