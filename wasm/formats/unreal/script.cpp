#include "formats/unreal/script.hpp"

#include <algorithm>
#include <cmath>

#include "core/number.hpp"
#include "core/text.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

/// Maximum length of a line in bytes, and maximum number of words in it. Longer lines are ignored.
constexpr std::size_t longestLine = 4096, mostWords = 64;
/// Texture flags PF_Masked and PF_Translucent.
constexpr std::uint32_t maskedFlag = 2, translucentFlag = 4;

/// A script command: keywords, followed by `KEY=value` or `KEY="a value"` pairs in any order.
class Command {
public:
    explicit Command(std::string_view line) {
        while (words_.size() < mostWords) {
            line = trimmed(line);
            if (line.empty()) break;
            std::size_t end = 0;
            for (bool quoted = false; end < line.size() && (quoted || !isBlank(line[end])); ++end) quoted ^= line[end] == '"';
            words_.push_back(line.substr(0, end));
            line.remove_prefix(end);
        }
    }

    bool is(std::string_view first, std::string_view second) const {
        return words_.size() > 1 && lowerAscii(words_[0]) == first && lowerAscii(words_[1]) == second;
    }

    std::string text(std::string_view key) const {
        for (const std::string_view word : words_) {
            const std::size_t equals = word.find('=');
            if (equals == std::string_view::npos || lowerAscii(word.substr(0, equals)) != key) continue;
            std::string_view value = word.substr(equals + 1);
            if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
            return isValidUtf8(value) ? std::string(value) : fromWindows1252(value);
        }
        return {};
    }

    double number(std::string_view key, double fallback) const {
        const std::optional<double> value = parseDecimal(text(key));
        return value && std::abs(*value) < 1e9 ? *value : fallback;
    }

    Vec3 vector(double fallback) const { return {number("x", fallback), number("y", fallback), number("z", fallback)}; }
    /// Returns pitch, yaw and roll in degrees. `pitch`, `yaw`, `roll`: keys of these numbers in the
    /// command. `unit`: degrees per unit of the numbers.
    Vec3 rotator(std::string_view pitch, std::string_view yaw, std::string_view roll, double unit) const {
        return Vec3{number(pitch, 0), number(yaw, 0), number(roll, 0)} * unit;
    }
    bool has(std::string_view key) const { return !text(key).empty(); }

private:
    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    Vector<std::string_view> words_;
};

constexpr double coarseUnit = 360.0 / 256, fineUnit = 360.0 / 65536;

/// Replaces angles with the exact ones that UE Viewer writes in a comment after a command, such as
/// `// rotator: P=63038 Y=0 R=0`. The angles in a command are truncated to multiples of 1/256 of a
/// full rotation. Ignores a comment that does not match the command.
void refine(Vec3& degrees, std::string_view line) {
    constexpr std::string_view mark = "// rotator:";
    if (!line.starts_with(mark)) return;
    const Command words(line.substr(mark.size()));
    const Vec3 fine = words.rotator("p", "y", "r", fineUnit);
    const auto isCut = [](double whole, double cut) {
        const double rest = (whole - cut) / 360;
        return (rest - std::floor(rest)) * 360 < coarseUnit;
    };
    if (isCut(fine.x, degrees.x) && isCut(fine.y, degrees.y) && isCut(fine.z, degrees.z)) degrees = fine;
}

Socket socketOf(const Command& command) {
    Socket socket{.name = command.text("tag"), .bone = command.text("bone")};
    const auto set = [&](double& number, std::string_view key, double unit = 1) {
        if (command.has(key)) socket.set(number, parseDecimal(command.text(key)), unit);
    };
    set(socket.location.x, "x");
    set(socket.location.y, "y");
    set(socket.location.z, "z");
    set(socket.rotation.x, "pitch", coarseUnit);
    set(socket.rotation.y, "yaw", coarseUnit);
    set(socket.rotation.z, "roll", coarseUnit);
    return socket;
}

}  // namespace

Script parseScript(Bytes bytes, std::string_view mesh) {
    Script script;
    const std::string wanted = lowerAscii(mesh);
    std::string_view text = asText(bytes);
    Vec3* angles = nullptr;  // angles from the command in the previous line
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, std::min(end, longestLine)));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (angles) refine(*angles, line);
        angles = nullptr;
        if (line.size() < 6 || lowerAscii(line.substr(0, 5)) != "#exec") continue;
        const Command command(line.substr(5));
        if (command.is("texture", "import")) {
            const double flags = command.number("flags", 0);
            script.files.push_back({command.text("name"), command.text("file"), static_cast<std::uint32_t>(std::max(flags, 0.0))});
            continue;
        }
        if (lowerAscii(command.text("mesh")) != wanted && lowerAscii(command.text("meshmap")) != wanted) continue;
        script.namesMesh = true;
        if (command.is("mesh", "origin")) {
            script.origin = command.vector(0);
            script.rotation = command.rotator("pitch", "yaw", "roll", coarseUnit);
            angles = &script.rotation;
        } else if (command.is("mesh", "scale") || command.is("meshmap", "scale")) {
            const Vec3 scale = command.vector(1);
            const auto isFine = [](double value) { return value >= 1e-4 && value <= 1e4; };
            if (isFine(scale.x) && isFine(scale.y) && isFine(scale.z)) script.scale = scale;
        } else if (command.is("meshmap", "settexture")) {
            const double number = command.number("num", -1);
            const std::string texture = command.text("texture");
            if (number >= 0 && !texture.empty()) script.skins.push_back({static_cast<std::uint32_t>(number), texture});
        } else if (command.is("mesh", "attachname") && command.has("tag")) {
            script.sockets.push_back(socketOf(command));
            angles = &script.sockets.back().rotation;
        } else if (command.is("mesh", "defaultanim")) {
            script.animationSet = command.text("anim");
        }
    }
    return script;
}

std::string applyScriptTransform(const Script& script, const Options& options, Scene& scene) {
    Transform& root = scene.nodes[0].local;
    const bool isRotatedByOption = options.yUp || options.yaw != 0;
    const Quat rotation = isRotatedByOption ? Quat{} : normalized(toScene(rotatorToFile(script.rotation)));
    const Vec3 origin{script.origin.x * script.scale.x, -script.origin.y * script.scale.y, script.origin.z * script.scale.z};
    root.rotation = normalized(root.rotation * rotation);
    root.scale = scaleToScene(script.scale);
    root.translation = rotate(root.rotation, toScene(origin)) * -options.unitScale;
    std::string changes;
    if (length(script.origin) > 0) changes += "origin, ";
    if (!isRotatedByOption && length(script.rotation) > 0) changes += "rotation, ";
    if (length(script.scale - Vec3{1, 1, 1}) > 0) changes += "scale, ";
    if (!script.animationSet.empty()) {
        changes += "animation set, ";
        scene.asset.properties.push_back({"animationSet", Value(script.animationSet)});
    }
    return changes;
}

std::size_t applyScriptTextures(const Script& script, Scene& scene) {
    std::size_t dressed = 0;
    StringTable names;  // lower-case names
    Vector<const Script::Import*> imports;
    for (const Script::Import& import : script.files)
        if (names.add(lowerAscii(import.texture))) imports.push_back(&import);
    for (const Script::Skin& skin : script.skins) {
        if (skin.material >= scene.materials.size()) continue;
        Material& material = scene.materials[skin.material];
        if (!material.slots.empty()) continue;
        const StringId found = names.find(lowerAscii(skin.texture));
        const Script::Import* import = found == none ? nullptr : imports[found];
        if (import && material.alphaMode == AlphaMode::opaque) {
            if (import->flags & maskedFlag) {
                material.alphaMode = AlphaMode::mask;
            } else if (import->flags & translucentFlag) {
                material.alphaMode = AlphaMode::add;
                material.model = "unlit";
            }
        }
        Image image;
        image.name = skin.texture;
        image.path = import && !import->file.empty() ? import->file : skin.texture;
        Texture texture;
        texture.name = skin.texture;
        texture.image = static_cast<std::uint32_t>(scene.images.size());
        texture.srgb = true;
        MaterialSlot slot;
        slot.slot = "baseColor";
        slot.source = "SetTexture";
        slot.texture = static_cast<std::uint32_t>(scene.textures.size());
        scene.images.push_back(std::move(image));
        scene.textures.push_back(std::move(texture));
        material.slots.push_back(std::move(slot));
        ++dressed;
    }
    return dressed;
}

}  // namespace rigcast::unreal
