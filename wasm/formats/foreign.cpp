#include "formats/foreign.hpp"

#include <algorithm>
#include <array>

#include "core/code.hpp"
#include "core/text.hpp"

namespace rigcast {

namespace {

using namespace std::string_view_literals;

/// Maximum bytes of a text that are searched for words.
constexpr std::size_t mostText = 4096;

struct Signature {
    std::string_view start;
    const char* detail;
};

constexpr const char* packed = "A packed archive. Unpack it and open the files that are in it.";
constexpr const char* image = "An image. Give it together with the model that wears it.";
constexpr const char* blender = "A Blender file. Export its model as Cast or PSK with an add-on for that format.";
constexpr const char* unreal = "An Unreal package. Export its meshes and animations as PSK and PSA, with UE Viewer or FModel.";

constexpr Signature signatures[] = {
    {"PK\x03\x04"sv, "A ZIP archive. Unpack it and open the files that are in it."},
    {"PK\x05\x06"sv, "An empty ZIP archive."},
    {"\x1f\x8b"sv, packed},
    {"7z\xbc\xaf\x27\x1c"sv, packed},
    {"Rar!\x1a\x07"sv, packed},
    {"\x28\xb5\x2f\xfd"sv, packed},
    {"Kaydara FBX Binary"sv, "An FBX file. three.js opens it with its FBXLoader; rigcast does not."},
    {"; FBX "sv, "An FBX file as text. Convert it to binary FBX, which three.js opens with its FBXLoader; rigcast does not."},
    {"glTF"sv, "A binary glTF file, as VGO 1.0 files are too: three.js opens it with its GLTFLoader; rigcast does not."},
    {"HIERARCHY"sv, "A BVH motion. three.js opens it with its BVHLoader; rigcast does not."},
    {"PMX "sv, "An MMD model. Other viewers open it; rigcast does not."},
    {"Vocaloid Motion Data"sv, "An MMD motion. Other viewers open it; rigcast does not."},
    {"PXR-USDC"sv, "A USD file. three.js opens some with its USDLoader; rigcast does not."},
    {"//Maya ASCII"sv, "A Maya scene. Export its model as Cast with the add-on for that format."},
    {"BLENDER"sv, blender},
    {"\xc1\x83\x2a\x9e"sv, unreal},
    {"\x89PNG\r\n"sv, image},
    {"\xff\xd8\xff"sv, image},
    {"GIF8"sv, image},
    {"DDS "sv, image},
    {"RIFF"sv, "A sound, film or image (RIFF). There is no model in it."},
    {"%PDF"sv, "A PDF document. There is no model in it."},
    {"version https://git-lfs"sv, "A placeholder of Git LFS: the file itself was not fetched. Run git lfs pull, or download it by itself."},
};

bool isWebPage(std::string_view text) {
    const std::string start = lowerAscii(text.substr(0, 256));
    constexpr std::array<std::string_view, 3> openings = {"<!doctype html", "<html", "<head"};
    const bool isPage = std::any_of(openings.begin(), openings.end(), [&](std::string_view opening) { return start.starts_with(opening); });
    return isPage || (start.starts_with("<?xml") && start.find("<html") != std::string::npos);
}

/// Identifies a text by the words in it. Returns nullptr if it is unknown.
const char* detailOfText(std::string_view text) {
    const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    const char first = text.empty() ? '\0' : text[0];
    // Most .cast files on the web are such recordings. Their first line contains the size of the
    // screen.
    if ((first == '{' || first == '[') && has("\"version\"") && has("\"width\""))
        return "A terminal recording (asciinema), not a Cast model. asciinema plays it.";
    if (first == '{' && has("\"asset\"") && has("\"version\""))
        return "A glTF file. three.js opens it with its GLTFLoader; rigcast does not.";
    if (first == '{' || first == '[') return "A text (JSON) that holds no model. Is it a file that belongs to another one?";
    if (first == '<' && has("<COLLADA")) return "A COLLADA file. three.js opens it with its ColladaLoader; rigcast does not.";
    if (text.starts_with("<?xml")) return "A text (XML) that holds no model. Servers answer so, too, when they do not give the file.";
    return nullptr;
}

}  // namespace

bool reportForeign(Bytes bytes, Diagnostics& diagnostics) {
    constexpr Place start{.offset = 0};
    if (bytes.empty()) {
        diagnostics.add(Code::EMPTY_FILE, start, "It has 0 bytes: its download or copy did not finish. Get it again.");
        return true;
    }
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) {
        diagnostics.add(Code::ALL_ZEROS, start,
                        {"All of its {} bytes are zero: its download or copy did not finish. Get it again.", {bytes.size()}});
        return true;
    }
    const std::string_view all = asText(bytes.first(std::min(bytes.size(), mostText)));
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    const std::string_view text = trimmed(all.substr(all.starts_with(byteOrderMark) ? byteOrderMark.size() : 0));
    if (isWebPage(text)) {
        diagnostics.add(
            Code::HTML_PAGE, start,
            "Its address leads to a page instead of the file: perhaps there is no such file, or somebody has to sign in first.");
        return true;
    }
    const char* detail = detailOfText(text);
    for (const Signature& signature : signatures)
        if (all.starts_with(signature.start)) detail = signature.detail;
    if (detail) diagnostics.add(Code::UNKNOWN_FORMAT, start, detail);
    return detail != nullptr;
}

}  // namespace rigcast
