#include "formats/vgo/document.hpp"

#include <algorithm>
#include <cmath>

#include "core/json.hpp"
#include "core/order.hpp"
#include "core/reader.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/vgo/accessor.hpp"
#include "formats/vgo/accessorList.hpp"
#include "formats/vgo/base64.hpp"
#include "formats/vgo/bson.hpp"

namespace rigcast {

namespace {

constexpr std::size_t headerBytes = 16, chunkHeaderBytes = 8, entryBytes = 16, composerBytes = 32;
constexpr std::size_t mostEntries = 4096;  // a type occurs once, and there are thirteen
constexpr std::size_t deepest = 64;        // nesting of real files: about ten

/// The type ids that a slot of the composer may hold.
constexpr std::uint32_t assetInfoTypes[] = {vgoType('A', 'I', 'P', 'J'), vgoType('A', 'I', 'P', 'B')};
constexpr std::uint32_t layoutTypes[] = {vgoType('L', 'A', 'P', 'J'), vgoType('L', 'A', 'P', 'B')};
constexpr std::uint32_t accessorTypes[] = {vgoType('R', 'A', 'P', 'J'), vgoType('R', 'A', 'P', 'B'), vgoType('R', 'A', 'C', 'J'),
                                           vgoType('R', 'A', 'C', 'B')};
constexpr std::uint32_t cryptTypes[] = {vgoType('C', 'R', 'A', 'J'), vgoType('C', 'R', 'A', 'B')};
constexpr std::uint32_t resourceTypes[] = {vgoType('R', 'E', 'P', 'b'), vgoType('R', 'E', 'P', 'J'), vgoType('R', 'E', 'P', 'B')};

constexpr std::uint32_t indexType = vgoType('I', 'D', 'X', '\0'), composerType = vgoType('C', 'O', 'M', 'P');

std::string nameOfType(std::uint32_t type) {
    std::string name;
    for (int shift = 0; shift < 32; shift += 8)
        if (const char letter = static_cast<char>(type >> shift); letter > ' ' && letter < 127) name += letter;
    return name;
}

char letterOf(std::uint32_t type, int index) { return static_cast<char>(type >> (8 * index)); }

std::string stemOf(std::string_view name) {
    const std::size_t slash = name.find_last_of("/\\");
    if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
    return repairUtf8(name.substr(0, name.rfind('.')));
}

class VgoReader {
public:
    VgoReader(const Input& input, VgoDocument& document, Diagnostics& diagnostics)
        : input_(input), document_(document), diagnostics_(diagnostics) {}

    bool read() {
        if (!readHeader() || !readIndex() || !readComposer()) return false;
        readObject(assetInfoSlot, document_.assetInfo);
        const bool hasLayout = readObject(layoutSlot, document_.layout);
        Value list;
        const bool hasList = readAccessorList(list);
        const bool hasResource = readResource();
        if (hasList) {
            keepVgoAccessors(list.as<Vector<Value>>(), document_, diagnostics_);
            if (hasResource) proveVgoAccessors(document_, diagnostics_);
        }
        return hasLayout && hasList && hasResource;
    }

private:
    void say(Code code, const Place& place, const Detail& detail = noDetail) { diagnostics_.add(code, place, detail); }

    // ---- container

    bool readHeader() {
        const Bytes bytes = input_.bytes;
        if (bytes.size() >= 4 && loadValue<std::uint32_t>(bytes.data()) != vgoMagic) {
            say(Code::UNKNOWN_FORMAT, {.offset = 0});
            return false;
        }
        if (bytes.size() < headerBytes + chunkHeaderBytes) {
            say(Code::TRUNCATED, {.offset = bytes.size()}, "the file ends before its index");
            return false;
        }
        document_.major = bytes[8];
        document_.minor = bytes[9];
        if (document_.major != 2) {
            say(Code::UNSUPPORTED_VERSION, {.offset = 8}, {"version {}", {document_.version()}});
            return false;
        }
        if (document_.minor > 5) say(Code::VERSION_UNKNOWN, {.offset = 9}, {"version {}, read as 2.5", {document_.version()}});
        if (loadValue<std::uint32_t>(bytes.data() + 4) != 8) say(Code::BAD_HEADER, {.offset = 4}, "the header's length is not 8");
        document_.leftHanded = coordinate(10, "geometry");
        document_.uvBottomLeft = coordinate(11, "texture");
        document_.saysEncrypted = flag(12);
        document_.saysExternalKey = flag(13);
        if (bytes[14] || bytes[15]) say(Code::RESERVED_NOT_ZERO, Severity::warning, {.offset = 14}, "in the header");
        return true;
    }

    void say(Code code, Severity severity, const Place& place, const Detail& detail) { diagnostics_.add(code, severity, place, detail); }

    /// True for Unity's own convention (2), which also stands in for what is neither.
    bool coordinate(std::size_t at, std::string_view what) {
        const std::uint8_t value = input_.bytes[at];
        if (value != 1 && value != 2)
            say(Code::BAD_HEADER, {.offset = at}, {"the convention of {} coordinates is {}; read as Unity's own", {what, value}});
        return value != 1;
    }

    bool flag(std::size_t at) {
        const std::uint8_t value = input_.bytes[at];
        if (value > 1) say(Code::FLAG_NOT_CANONICAL, {.offset = at}, {"{}", {value}});
        return value != 0;
    }

    bool readIndex() {
        const std::uint64_t size = input_.bytes.size();
        const std::uint8_t* at = input_.bytes.data() + headerBytes;
        const std::uint64_t length = loadValue<std::uint32_t>(at + 4), first = headerBytes + chunkHeaderBytes;
        if (loadValue<std::uint32_t>(at) != indexType || length == 0 || length % entryBytes || length > size - first) {
            say(Code::BAD_CHUNK_TABLE, {.offset = headerBytes, .path = "IDX"}, "no index, or one of a length that cannot be");
            return false;
        }
        std::uint64_t end = first + length;
        const Records entries(input_.bytes.subspan(first, length), entryBytes, first);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (i == mostEntries) {
                say(Code::BAD_CHUNK_TABLE, {.offset = entries.offsetOf(i), .path = "IDX"}, "more entries than there are kinds of chunks");
                break;
            }
            addChunk(entries, i, end);
        }
        if (end < size) say(Code::TRAILING_BYTES, {.offset = end}, {"{} bytes", {size - end}});
        sortChunks();
        return true;
    }

    void addChunk(const Records& entries, std::size_t i, std::uint64_t& end) {
        const std::uint64_t size = input_.bytes.size();
        VgoChunk chunk;
        chunk.type = entries.get<std::uint32_t>(i, 0);
        chunk.offset = entries.get<std::uint32_t>(i, 4);
        chunk.byteLength = entries.get<std::uint32_t>(i, 8);
        std::uint64_t padding = entries.get<std::uint8_t>(i, 12);
        chunk.name = nameOfType(chunk.type);
        const std::string name = chunk.name;
        const Place entry{.offset = entries.offsetOf(i), .path = name}, place{.offset = chunk.offset, .path = name};
        if (entries.get<std::uint8_t>(i, 13) || entries.get<std::uint16_t>(i, 14))
            say(Code::RESERVED_NOT_ZERO, Severity::warning, entry, "in the index");
        const auto leftOut = [&](Code code, const Place& where, const Detail& detail) {
            say(code, Severity::error, where, detail);
            reported_.push_back(chunk.type);
        };
        if (document_.chunk(chunk.type)) return say(Code::DUPLICATE_CHUNK, Severity::error, entry, {});
        if (chunk.offset < headerBytes || chunk.offset + chunkHeaderBytes > size)
            return leftOut(Code::CHUNK_RANGE, entry, "the chunk does not start inside the file");
        if (chunk.byteLength <= chunkHeaderBytes) return leftOut(Code::MISSING_CHUNK, entry, "the chunk is empty");
        if (loadValue<std::uint32_t>(input_.bytes.data() + chunk.offset) != chunk.type)
            return leftOut(Code::BAD_CHUNK_TABLE, place, "a chunk of another kind stands there");
        if (padding > 1) {
            say(Code::BAD_CHUNK_TABLE, entry, {"padding of {} bytes", {padding}});
            padding = 0;
        }
        const std::uint64_t ownLength = loadValue<std::uint32_t>(input_.bytes.data() + chunk.offset + 4);
        if (chunk.byteLength > size - chunk.offset) {
            say(Code::CHUNK_RANGE, entry, "the chunk ends behind the file; what is there was read");
            chunk.byteLength = size - chunk.offset;
            padding = 0;
        } else if (ownLength == 0) {
            say(Code::MISSING_CHUNK, place, "the chunk calls itself empty; the index counts");
        } else if (ownLength != chunk.byteLength - chunkHeaderBytes) {
            say(Code::CHUNK_RANGE, place, {"the chunk's own length is {}; the index counts", {ownLength}});
        }
        const std::uint64_t data = chunk.byteLength - chunkHeaderBytes;
        if (data <= padding) return leftOut(Code::MISSING_CHUNK, entry, "the chunk is empty");
        const Bytes stored = input_.bytes.subspan(static_cast<std::size_t>(chunk.payloadOffset()), static_cast<std::size_t>(data));
        chunk.payload = stored.first(static_cast<std::size_t>(data - padding));
        chunk.padding = stored.last(static_cast<std::size_t>(padding));
        end = std::max(end, chunk.offset + chunk.byteLength);
        document_.chunks.push_back(std::move(chunk));
    }

    void sortChunks() {
        Vector<double> offsets;
        for (const VgoChunk& chunk : document_.chunks) offsets.push_back(static_cast<double>(chunk.offset));
        Vector<VgoChunk> sorted;
        for (const std::uint32_t i : ascendingOrder(offsets)) sorted.push_back(document_.chunks[i]);
        document_.chunks = std::move(sorted);
    }

    bool readComposer() {
        const VgoChunk* chunk = document_.chunk(composerType);
        if (!chunk) {
            missing(composerType);
            return false;
        }
        if (chunk->payload.size() < composerBytes) {
            say(Code::BAD_COMPOSER, {.offset = chunk->offset, .path = "COMP"}, "it is too short");
            return false;
        }
        auto& slots = document_.composer;
        std::memcpy(slots.data(), chunk->payload.data(), composerBytes);
        for (const std::size_t slot : {1, 3})  // 7 repeats 5 in encrypted files (E2)
            if (slots[slot])
                say(Code::RESERVED_NOT_ZERO, Severity::warning, {.offset = chunk->payloadOffset() + 4 * slot, .path = "COMP"}, {});
        checkSlot(assetInfoSlot, assetInfoTypes);
        bool good = checkSlot(layoutSlot, layoutTypes);
        good = checkSlot(accessorSlot, accessorTypes) && good;
        if (isEncrypted()) good = checkSlot(cryptSlot, cryptTypes) && good;
        good = checkSlot(resourceSlot, resourceTypes) && good;
        if (document_.saysEncrypted != isEncrypted())
            say(Code::CRYPT_FLAG, {.offset = 12}, isEncrypted() ? "the accessor list is encrypted" : "the accessor list is not encrypted");
        return good;
    }

    bool isEncrypted() const { return letterOf(document_.composer[accessorSlot], 2) == 'C'; }

    /// Whether the slot names a chunk that may stand there and does.
    bool checkSlot(VgoSlot slot, std::span<const std::uint32_t> allowed) {
        const std::uint32_t type = document_.composer[slot];
        if (std::find(allowed.begin(), allowed.end(), type) == allowed.end()) {
            const VgoChunk* composer = document_.chunk(composerType);
            say(Code::BAD_COMPOSER, {.offset = composer->payloadOffset() + 4 * slot, .path = "COMP"},
                type ? "\"" + nameOfType(type) + "\" cannot be " + nameOfType(allowed[0]) : nameOfType(allowed[0]) + " is not named");
            document_.composer[slot] = 0;
            return false;
        }
        if (document_.chunkOf(slot)) return true;
        missing(type);
        return false;
    }

    /// A chunk that is not there; nothing more to say where its entry of the index was refused.
    void missing(std::uint32_t type) {
        const std::string name = nameOfType(type);
        if (std::find(reported_.begin(), reported_.end(), type) == reported_.end())
            say(Code::MISSING_CHUNK, {.path = name}, "the index does not list it");
    }

    // ---- trees

    /// JSON or BSON by the chunk's type. `base`: where the bytes lie in the file, none where they were decrypted.
    /// `broken`: what it means when they are neither.
    Tree readTree(const VgoChunk& chunk, Bytes bytes, std::optional<std::uint64_t> base, Code broken = Code::BAD_JSON) {
        const std::string& name = chunk.name;
        const auto at = [&](std::uint64_t offset) { return Place{.offset = base ? *base + offset : chunk.offset, .path = name}; };
        Tree tree;
        if (letterOf(chunk.type, 3) == 'B') {
            tree = readBson(bytes, deepest);
        } else {
            std::string_view text = asText(bytes);
            if (text.starts_with("\xEF\xBB\xBF")) {
                say(Code::BYTE_ORDER_MARK, at(0));
                text.remove_prefix(3);
                if (base) *base += 3;
            }
            std::string repaired;
            if (!isValidUtf8(text)) {
                say(Code::NAME_DAMAGED, at(0), "text that is not UTF-8");
                text = repaired = repairUtf8(text);
            }
            tree = readJson(text, deepest, true);
        }
        if (tree.halves) say(Code::NAME_DAMAGED, at(0), {"{} halves of surrogate pairs", {tree.halves}});
        if (tree.error == TreeError::tooDeep)
            say(Code::NESTING_TOO_DEEP, at(tree.offset), {"more than {} levels; the chunk was left out", {deepest}});
        else if (tree.error == TreeError::tooLarge)
            say(Code::OUT_OF_MEMORY, at(tree.offset));
        else if (tree.error == TreeError::syntax)
            say(broken, at(tree.offset));
        if (tree.fraction && base) *tree.fraction += *base;
        return tree;
    }

    bool hasShape(const VgoChunk& chunk, bool good) {
        if (!good) say(Code::BAD_LAYOUT, {.offset = chunk.payloadOffset(), .path = chunk.name}, "the root is of the wrong kind");
        return good;
    }

    bool readObject(VgoSlot slot, Value& value) {
        const VgoChunk* chunk = document_.chunkOf(slot);
        if (!chunk) return false;
        Tree tree = readTree(*chunk, chunk->payload, chunk->payloadOffset());
        if (!tree.ok() || !hasShape(*chunk, tree.root.is<Properties>())) return false;
        value = std::move(tree.root);
        return true;
    }

    // ---- accessor list

    bool readAccessorList(Value& list) {
        const VgoChunk* chunk = document_.chunkOf(accessorSlot);
        if (!chunk) return false;
        if (!isEncrypted()) {
            if (document_.saysExternalKey)
                say(Code::KEY_REQUIRED, {.offset = 13}, "the header asks for a key, but nothing is encrypted; it was read without");
            return keepList(*chunk, readTree(*chunk, chunk->payload, chunk->payloadOffset()), list);
        }
        Value info;
        if (!readObject(cryptSlot, info)) return false;
        const Place place{.offset = chunk->payloadOffset(), .path = chunk->name};
        const std::string_view algorithm = info.find("algorithms") ? info.find("algorithms")->asString("") : "";
        if (algorithm == "Base64") {
            const auto clear = fromBase64(asText(chunk->payload));
            if (clear) return keepList(*chunk, readTree(*chunk, *clear, std::nullopt), list);
            say(Code::DECRYPT_FAILED, place, "the list is not Base64");
            return false;
        }
        if (algorithm != "AES") {
            say(algorithm.empty() ? Code::BAD_CRYPT_INFO : Code::UNSUPPORTED_CRYPT, place, algorithm);
            return false;
        }
        return readAes(*chunk, info, list);
    }

    bool keepList(const VgoChunk& chunk, Tree tree, Value& list) {
        if (!tree.ok()) return false;
        if (tree.fraction) say(Code::PROPERTY_TYPE, {.offset = tree.fraction, .path = chunk.name}, "an integer is written with a fraction");
        auto* members = tree.root.get<Properties>();
        if (members && letterOf(chunk.type, 3) == 'B') {  // BSON has no array at its root: a document with keys "0", "1" ...
            Vector<Value> entries;
            for (Property& member : *members) entries.push_back(std::move(member.value));
            tree.root = std::move(entries);
        }
        if (!hasShape(chunk, tree.root.is<Vector<Value>>())) return false;
        list = std::move(tree.root);
        return true;
    }

    /// AES is JavaScript's: this says what it takes, and takes the clear bytes when they are there. Mode and padding are always CBC and
    /// PKCS#7 always, as in the reference; what the file says is ignored.
    bool readAes(const VgoChunk& chunk, const Value& info, Value& list) {
        const VgoChunk& infoChunk = *document_.chunkOf(cryptSlot);
        const Place place{.offset = chunk.payloadOffset(), .path = chunk.name};
        const Place infoPlace{.offset = infoChunk.payloadOffset(), .path = infoChunk.name};
        const auto member = [&](std::string_view name) {
            const Value* value = info.find(name);
            return fromBase64(value ? value->asString("") : "").value_or(Vector<std::uint8_t>{});
        };
        const auto iv = member("iv");
        if (iv.size() != 16) {
            say(Code::BAD_CRYPT_INFO, infoPlace, "the initialisation vector has not 16 bytes");
            return false;
        }
        if (chunk.payload.size() % 16) {
            say(Code::DECRYPT_FAILED, place, "the length is no multiple of 16");
            return false;
        }
        auto key = member("key");
        const Supplied *file = supplied("key"), *clear = supplied("decrypt");
        if (file) key.assign(file->bytes.begin(), file->bytes.end());
        const bool isExternal = file || key.empty();
        if (isExternal) {
            const std::string stem = stemOf(input_.name);
            document_.references.push_back({"key", (stem.empty() ? "key" : stem) + ".vgk", true, file != nullptr});
        }
        Properties recipe = {{"algorithm", "AES"},
                             {"cipherMode", "CBC"},
                             {"paddingMode", "PKCS7"},
                             {"iv", toBase64(iv)},
                             {"offset", static_cast<double>(chunk.payloadOffset())},
                             {"byteLength", static_cast<double>(chunk.payload.size())}};
        if (!key.empty()) recipe.push_back({"key", toBase64(key)});
        document_.references.push_back({"decrypt", chunk.name, true, clear != nullptr, std::move(recipe)});
        if (!clear) {
            const bool fits = file ? key.size() == 32 : key.size() == 16 || key.size() == 24 || key.size() == 32;
            if (key.empty() && !file)
                say(Code::KEY_REQUIRED, place, document_.references.front().name);
            else if (!fits)
                say(Code::BAD_KEY, file ? Place{} : infoPlace, {"{} bytes", {key.size()}});
            return !fits && wrongKey(isExternal);
        }
        // A wrong key mostly fails at the padding (then nothing comes back), and otherwise gives garbage.
        Tree tree = readTree(chunk, clear->bytes, std::nullopt, Code::DECRYPT_FAILED);
        if (tree.error == TreeError::syntax) return wrongKey(isExternal);
        return keepList(chunk, std::move(tree), list);
    }

    /// Another key file would help.
    bool wrongKey(bool isExternal) {
        if (isExternal) document_.references.front().supplied = false;
        return false;
    }

    /// The last one of a kind counts: a second key replaces the first.
    const Supplied* supplied(std::string_view kind) const {
        const Supplied* found = nullptr;
        for (const Supplied& entry : input_.supplied)
            if (entry.kind == kind) found = &entry;
        return found;
    }

    // ---- resource

    bool readResource() {
        const VgoChunk* chunk = document_.chunkOf(resourceSlot);
        if (!chunk) return false;
        if (letterOf(chunk->type, 3) == 'b') {
            document_.resource = chunk->payload;
            document_.resourceIsEmbedded = true;
            document_.resourceOffset = chunk->payloadOffset();
            return true;
        }
        Value description;
        if (!readObject(resourceSlot, description)) return false;
        const Place place{.offset = chunk->payloadOffset(), .path = chunk->name};
        const Value* uri = description.find("uri");
        const std::string_view name = uri ? uri->asString("") : "";
        if (name.empty()) {
            say(Code::NEEDS_FILE, Severity::error, place, "the file does not say which");
            return false;
        }
        const Supplied* file = supplied("resource");
        document_.references.push_back({"resource", std::string(name), true, file != nullptr});
        if (!file) {
            say(Code::NEEDS_FILE, Severity::error, place, name);
            return false;
        }
        const Value* length = description.find("byteLength");
        const double expected = length ? length->asNumber(-1) : -1, actual = static_cast<double>(file->bytes.size());
        if (expected != actual) say(Code::RESOURCE_LENGTH, place, {"{} bytes instead of {}", {actual, expected}});
        document_.resource = file->bytes;
        if (expected >= 0 && expected < actual) document_.resource = file->bytes.first(static_cast<std::size_t>(expected));
        return true;
    }

    const Input& input_;
    VgoDocument& document_;
    Diagnostics& diagnostics_;
    Vector<std::uint32_t> reported_;  // types whose entry of the index was refused
};

}  // namespace

const VgoChunk* VgoDocument::chunk(std::uint32_t type) const {
    for (const VgoChunk& chunk : chunks)
        if (chunk.type == type) return &chunk;
    return nullptr;
}

std::string VgoDocument::version() const { return formatted("{}.{}", {major, minor}); }

bool readVgo(const Input& input, VgoDocument& document, Diagnostics& diagnostics) { return VgoReader(input, document, diagnostics).read(); }

}  // namespace rigcast
