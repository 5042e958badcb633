#include "formats/vgo/document.hpp"

#include "core/code.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/vgo/accessor.hpp"
#include "formats/vgo/accessorList.hpp"
#include "formats/vgo/base64.hpp"
#include "formats/vgo/bson.hpp"
#include "formats/vgo/container.hpp"

namespace rigcast {

namespace {

constexpr std::size_t deepest = 64;  // maximum depth; real files have about ten levels

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
        if (!readVgoContainer(input_, document_, diagnostics_)) return false;
        readObject(assetInfoSlot, document_.assetInfo);
        const bool hasLayout = readObject(layoutSlot, document_.layout);
        Value list;
        const bool hasList = readAccessorList(list);
        const bool hasResource = readResource();
        if (hasList) {
            readVgoAccessorList(list.as<Vector<Value>>(), document_, diagnostics_);
            if (hasResource) checkVgoAccessors(document_, diagnostics_);
        }
        return hasLayout && hasList && hasResource;
    }

private:
    void report(Code code, const Location& location, const Detail& detail = noDetail) { diagnostics_.add(code, location, detail); }

    // ---- trees

    /// Parses JSON or BSON, depending on the type of the chunk. `base`: file offset of the bytes,
    /// or nullopt for decrypted bytes. `broken`: finding code for syntax errors.
    Tree readTree(const VgoChunk& chunk, Bytes bytes, std::optional<std::uint64_t> base, Code broken = Code::BAD_JSON) {
        const std::string& name = chunk.name;
        const auto at = [&](std::uint64_t offset) { return Location{.offset = base ? *base + offset : chunk.offset, .path = name}; };
        Tree tree;
        if (vgoLetter(chunk.type, 3) == 'B') {
            tree = readBson(bytes, deepest);
        } else {
            std::string_view text = asText(bytes);
            if (text.starts_with("\xEF\xBB\xBF")) {
                report(Code::BYTE_ORDER_MARK, at(0));
                text.remove_prefix(3);
                if (base) *base += 3;
            }
            std::string repaired;
            if (!isValidUtf8(text)) {
                report(Code::NAME_DAMAGED, at(0), "the text is not UTF-8");
                text = repaired = repairUtf8(text);
            }
            tree = readJson(text, deepest, true);
        }
        if (tree.halves) report(Code::NAME_DAMAGED, at(0), {"{} unpaired surrogates", {tree.halves}});
        if (tree.error == TreeError::tooDeep)
            report(Code::NESTING_TOO_DEEP, at(tree.offset), {"more than {} levels; the chunk was left out", {deepest}});
        else if (tree.error == TreeError::tooLarge)
            report(Code::OUT_OF_MEMORY, at(tree.offset));
        else if (tree.error == TreeError::syntax)
            report(broken, at(tree.offset));
        if (tree.fraction && base) *tree.fraction += *base;
        return tree;
    }

    bool hasShape(const VgoChunk& chunk, bool good) {
        if (!good) report(Code::BAD_LAYOUT, {.offset = chunk.payloadOffset(), .path = chunk.name}, "the root has the wrong type");
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
        // Not null, because the container requires this chunk.
        const VgoChunk* chunk = document_.chunkOf(accessorSlot);
        if (!document_.isEncrypted()) {
            if (document_.saysExternalKey)
                report(Code::KEY_REQUIRED, {.offset = 13},
                       "the header requires a key, but nothing is encrypted; the file was read without one");
            return keepList(*chunk, readTree(*chunk, chunk->payload, chunk->payloadOffset()), list);
        }
        Value info;
        if (!readObject(cryptSlot, info)) return false;
        const Location location{.offset = chunk->payloadOffset(), .path = chunk->name};
        const std::string_view algorithm = info.find("algorithms") ? info.find("algorithms")->asString("") : "";
        if (algorithm == "Base64") {
            const auto clear = fromBase64(asText(chunk->payload));
            if (clear) return keepList(*chunk, readTree(*chunk, *clear, std::nullopt), list);
            report(Code::DECRYPT_FAILED, location, "the list is not Base64");
            return false;
        }
        if (algorithm != "AES") {
            report(algorithm.empty() ? Code::BAD_CRYPT_INFO : Code::UNSUPPORTED_CRYPT, location, algorithm);
            return false;
        }
        return readAes(*chunk, info, list);
    }

    bool keepList(const VgoChunk& chunk, Tree tree, Value& list) {
        if (!tree.ok()) return false;
        if (tree.fraction)
            report(Code::PROPERTY_TYPE, {.offset = tree.fraction, .path = chunk.name}, "an integer is written with a fraction");
        auto* members = tree.root.get<Properties>();
        // The root of BSON is always a document, so the list is stored as a document with the keys
        // "0", "1" ...
        if (members && vgoLetter(chunk.type, 3) == 'B') {
            Vector<Value> entries;
            for (Property& member : *members) entries.push_back(std::move(member.value));
            tree.root = std::move(entries);
        }
        if (!hasShape(chunk, tree.root.is<Vector<Value>>())) return false;
        list = std::move(tree.root);
        return true;
    }

    /// Adds a reference with the AES parameters that JavaScript needs to decrypt the list. Reads
    /// the decrypted bytes if JavaScript has supplied them. Ignores the mode and padding in the
    /// file and assumes CBC and PKCS#7, as the reference implementation does.
    bool readAes(const VgoChunk& chunk, const Value& info, Value& list) {
        const VgoChunk& infoChunk = *document_.chunkOf(cryptSlot);
        const Location location{.offset = chunk.payloadOffset(), .path = chunk.name};
        const Location infoLocation{.offset = infoChunk.payloadOffset(), .path = infoChunk.name};
        const auto member = [&](std::string_view name) {
            const Value* value = info.find(name);
            return fromBase64(value ? value->asString("") : "").value_or(Vector<std::uint8_t>{});
        };
        const auto iv = member("iv");
        if (iv.size() != 16) {
            report(Code::BAD_CRYPT_INFO, infoLocation, "the initialisation vector does not have 16 bytes");
            return false;
        }
        if (chunk.payload.size() % 16) {
            report(Code::DECRYPT_FAILED, location, "the length is not a multiple of 16");
            return false;
        }
        auto key = member("key");
        const Supplied *file = input_.find("key"), *clear = input_.find("decrypt");
        if (file) key.assign(file->bytes.begin(), file->bytes.end());
        const bool isExternal = file || key.empty();
        if (isExternal) {
            const std::string stem = stemOf(input_.name);
            document_.references.push_back({"key", (stem.empty() ? "key" : stem) + ".vgk", true, file != nullptr});
        }
        Properties parameters = {{"algorithm", "AES"},
                                 {"cipherMode", "CBC"},
                                 {"paddingMode", "PKCS7"},
                                 {"iv", toBase64(iv)},
                                 {"offset", static_cast<double>(chunk.payloadOffset())},
                                 {"byteLength", static_cast<double>(chunk.payload.size())}};
        if (!key.empty()) parameters.push_back({"key", toBase64(key)});
        document_.references.push_back({"decrypt", chunk.name, true, clear != nullptr, std::move(parameters)});
        if (!clear) {
            const bool fits = file ? key.size() == 32 : key.size() == 16 || key.size() == 24 || key.size() == 32;
            if (key.empty() && !file)
                report(Code::KEY_REQUIRED, location, document_.references.front().name);
            else if (!fits)
                report(Code::BAD_KEY, file ? Location{} : infoLocation, {"{} bytes", {key.size()}});
            return !fits && wrongKey(isExternal);
        }
        // If the key is wrong, decryption usually fails and no bytes are supplied. In rare cases it
        // returns garbage, which cannot be parsed.
        Tree tree = readTree(chunk, clear->bytes, std::nullopt, Code::DECRYPT_FAILED);
        if (tree.error == TreeError::syntax) return wrongKey(isExternal);
        return keepList(chunk, std::move(tree), list);
    }

    /// Reports a wrong key. Marks the key as missing, so that another key file can be supplied.
    bool wrongKey(bool isExternal) {
        if (isExternal) document_.references.front().supplied = false;
        return false;
    }

    // ---- resource

    bool readResource() {
        // Not null, because the container requires this chunk.
        const VgoChunk* chunk = document_.chunkOf(resourceSlot);
        if (vgoLetter(chunk->type, 3) == 'b') {
            document_.resource = chunk->payload;
            document_.resourceIsEmbedded = true;
            document_.resourceOffset = chunk->payloadOffset();
            return true;
        }
        Value description;
        if (!readObject(resourceSlot, description)) return false;
        const Location location{.offset = chunk->payloadOffset(), .path = chunk->name};
        const Value* uri = description.find("uri");
        const std::string_view name = uri ? uri->asString("") : "";
        if (name.empty()) {
            diagnostics_.add(Code::NEEDS_FILE, Severity::error, location, "the file does not name it");
            return false;
        }
        const Supplied* file = input_.find("resource");
        document_.references.push_back({"resource", std::string(name), true, file != nullptr});
        if (!file) {
            diagnostics_.add(Code::NEEDS_FILE, Severity::error, location, name);
            return false;
        }
        const Value* length = description.find("byteLength");
        const double expected = length ? length->asNumber(-1) : -1, actual = static_cast<double>(file->bytes.size());
        if (expected != actual) report(Code::RESOURCE_LENGTH, location, {"{} bytes instead of {}", {actual, expected}});
        document_.resource = file->bytes;
        if (expected >= 0 && expected < actual) document_.resource = file->bytes.first(static_cast<std::size_t>(expected));
        return true;
    }

    const Input& input_;
    VgoDocument& document_;
    Diagnostics& diagnostics_;
};

}  // namespace

bool readVgo(const Input& input, VgoDocument& document, Diagnostics& diagnostics) { return VgoReader(input, document, diagnostics).read(); }

}  // namespace rigcast
