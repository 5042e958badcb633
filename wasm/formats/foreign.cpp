#include "formats/foreign.hpp"

#include <algorithm>
#include <array>

#include "core/code.hpp"
#include "core/text.hpp"

namespace rigcast {

namespace {

using namespace std::string_view_literals;

/// Maximum number of bytes at the start of a text file that are searched for known words.
constexpr std::size_t mostText = 4096;

struct Signature {
    std::string_view start;
    const char* detail;
};

constexpr const char* packed = "This is an archive. Unpack it and open the files inside.";
constexpr const char* image = "This is an image. Open it together with its model.";
constexpr const char* blender = "This is a Blender file. Export its model as Cast or PSK with an add-on.";
constexpr const char* unreal = "This is an Unreal package. Export its meshes and animations as PSK and PSA with UE Viewer or FModel.";

constexpr Signature signatures[] = {
    {"PK\x03\x04"sv, "This is a ZIP archive. Unpack it and open the files inside."},
    {"PK\x05\x06"sv, "This is an empty ZIP archive."},
    {"\x1f\x8b"sv, packed},
    {"7z\xbc\xaf\x27\x1c"sv, packed},
    {"Rar!\x1a\x07"sv, packed},
    {"\x28\xb5\x2f\xfd"sv, packed},
    {"Kaydara FBX Binary"sv, "This is an FBX file. Open it in the viewer, or with FBXLoader of three.js."},
    {"; FBX "sv, "This is an FBX text file. Convert it to binary FBX, then open it in the viewer or with FBXLoader of three.js."},
    {"glTF"sv, "This is a binary glTF file (VGO 1.0 uses this format too). Open it as .glb in the viewer, or with GLTFLoader of three.js."},
    {"HIERARCHY"sv, "This is a BVH animation. Open it in the viewer, or with BVHLoader of three.js."},
    {"PMX "sv, "This is an MMD model, which rigcast does not support."},
    {"Vocaloid Motion Data"sv, "This is an MMD animation, which rigcast does not support."},
    {"PXR-USDC"sv, "This is a USD file, which rigcast does not support. USDLoader of three.js opens some of them."},
    {"//Maya ASCII"sv, "This is a Maya scene. Export its model as Cast with an add-on."},
    {"BLENDER"sv, blender},
    {"\xc1\x83\x2a\x9e"sv, unreal},
    {"\x89PNG\r\n"sv, image},
    {"\xff\xd8\xff"sv, image},
    {"GIF8"sv, image},
    {"DDS "sv, image},
    {"RIFF"sv, "This is a sound, video or image file (RIFF) and contains no model."},
    {"%PDF"sv, "This is a PDF document and contains no model."},
    {"version https://git-lfs"sv,
     "This is a Git LFS placeholder: the file itself was not downloaded. Run git lfs pull, or download the file."},
};

bool isWebPage(std::string_view text) {
    const std::string start = lowerAscii(text.substr(0, 256));
    constexpr std::array<std::string_view, 3> openings = {"<!doctype html", "<html", "<head"};
    const bool isPage = std::any_of(openings.begin(), openings.end(), [&](std::string_view opening) { return start.starts_with(opening); });
    return isPage || (start.starts_with("<?xml") && start.find("<html") != std::string::npos);
}

/// Returns the detail for the finding about a text file, or nullptr if the text contains no known
/// words.
const char* detailOfText(std::string_view text) {
    const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    const char first = text.empty() ? '\0' : text[0];
    // Most .cast files on the web are terminal recordings. Their first line contains the width of
    // the terminal.
    if ((first == '{' || first == '[') && has("\"version\"") && has("\"width\""))
        return "This is a terminal recording (asciinema), not a Cast model.";
    if (first == '{' && has("\"asset\"") && has("\"version\""))
        return "This is a glTF file. Open it in the viewer, or with GLTFLoader of three.js.";
    if (first == '{' || first == '[') return "This is a JSON file without a model. It may belong to another file.";
    if (first == '<' && has("<COLLADA"))
        return "This is a COLLADA file, which rigcast does not support. Open it with ColladaLoader of three.js.";
    if (text.starts_with("<?xml")) return "This is an XML file without a model. Some servers send one as an error message.";
    return nullptr;
}

}  // namespace

bool reportForeign(Bytes bytes, Diagnostics& diagnostics) {
    constexpr Location start{.offset = 0};
    if (bytes.empty()) {
        diagnostics.add(Code::EMPTY_FILE, start, "The file has 0 bytes: the download or copy did not finish. Get it again.");
        return true;
    }
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) {
        diagnostics.add(Code::ALL_ZEROS, start,
                        {"All {} bytes are zero: the download or copy did not finish. Get it again.", {bytes.size()}});
        return true;
    }
    const std::string_view all = asText(bytes.first(std::min(bytes.size(), mostText)));
    constexpr std::string_view byteOrderMark = "\xef\xbb\xbf";
    const std::string_view text = trimmed(all.substr(all.starts_with(byteOrderMark) ? byteOrderMark.size() : 0));
    if (isWebPage(text)) {
        diagnostics.add(Code::HTML_PAGE, start,
                        "The address returned a page instead of the file: the file may not exist, or the server requires you to sign in.");
        return true;
    }
    const char* detail = detailOfText(text);
    for (const Signature& signature : signatures)
        if (all.starts_with(signature.start)) detail = signature.detail;
    if (detail) diagnostics.add(Code::UNKNOWN_FORMAT, start, detail);
    return detail != nullptr;
}

}  // namespace rigcast
