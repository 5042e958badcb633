#include "formats/unreal/config.hpp"

#include <charconv>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"

namespace rigcast::unreal {

namespace {

enum class Section : std::uint8_t { none, animSet, useTranslation, forceTranslation, removeTracks, unknown };

Section sectionOf(std::string_view name) {
    const std::string lower = lowerAscii(trimmed(name));
    if (lower == "animset") return Section::animSet;
    if (lower == "usetranslationbonenames") return Section::useTranslation;
    if (lower == "forcemeshtranslationbonenames") return Section::forceTranslation;
    if (lower == "removetracks") return Section::removeTracks;
    return Section::unknown;
}

std::string decoded(std::string_view text) { return isValidUtf8(text) ? std::string(text) : fromWindows1252(text); }

/// Parses `<sequence>.<track>=trans|rot|all`. Sequence names can contain dots and equals signs, so
/// the parser searches for both from the end.
bool readRemoval(std::string_view line, Config& config) {
    const std::size_t equals = line.rfind('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string what = lowerAscii(trimmed(line.substr(equals + 1)));
    const std::size_t dot = key.rfind('.');
    if (dot == std::string_view::npos) return false;
    const std::string_view number = trimmed(key.substr(dot + 1));
    Config::Entry entry;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), entry.track);
    if (error != std::errc() || end != number.data() + number.size()) return false;
    entry.removal = {what == "trans" || what == "all", what == "rot" || what == "all"};
    if (!entry.removal.translation && !entry.removal.rotation) return false;
    const StringId sequence = config.sequences.intern(lowerAscii(decoded(trimmed(key.substr(0, dot)))));
    config.removed.resize(config.sequences.size());
    config.removed[sequence].push_back(entry);
    return true;
}

bool readSetting(std::string_view line, Config& config) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || lowerAscii(trimmed(line.substr(0, equals))) != "banimrotationonly") return false;
    return config.setRotationOnly(trimmed(line.substr(equals + 1)));
}

}  // namespace

Config parseConfig(Bytes bytes, Diagnostics& diagnostics) {
    Config config;
    std::string_view text = asText(bytes);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    Section section = Section::none;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty()) continue;
        bool understood = true;
        if (line.front() == '[' && line.back() == ']') {
            section = sectionOf(line.substr(1, line.size() - 2));
            understood = section != Section::unknown;
        } else if (section == Section::animSet) {
            understood = readSetting(line, config);
        } else if (section == Section::useTranslation) {
            config.useTranslation.intern(lowerAscii(decoded(line)));
        } else if (section == Section::forceTranslation) {
            config.forceTranslation.intern(lowerAscii(decoded(line)));
        } else if (section == Section::removeTracks) {
            understood = readRemoval(line, config);
        } else {
            understood = section == Section::unknown;  // single lines of unknown sections are not reported
        }
        if (!understood) diagnostics.add(Code::CONFIG_LINE, {.path = ".config"}, {"line {}: {}", {number, line.substr(0, 100)}});
    }
    return config;
}

bool Config::setRotationOnly(std::string_view value) {
    const std::string lower = lowerAscii(value);
    if (lower == "1" || lower == "true")
        rotationOnly = true;
    else if (lower == "0" || lower == "false")
        rotationOnly = false;
    else
        return false;
    return true;
}

Vector<Removal> Config::commonRemovals(const Vector<std::string>& bones) const {
    Vector<Removal> result(bones.size());
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const bool isRotationOnly = rotationOnly.value_or(false) && i != 0 && !useTranslation.contains(bones[i]);
        result[i].translation = isRotationOnly || forceTranslation.contains(bones[i]);
    }
    return result;
}

void Config::addRemovals(std::string_view sequence, Vector<Removal>& removals) const {
    const StringId found = sequences.find(lowerAscii(sequence));
    if (found == none) return;
    Budget::count(removed[found].size());
    for (const Entry& entry : removed[found]) {
        if (entry.track >= removals.size()) continue;
        removals[entry.track].translation |= entry.removal.translation;
        removals[entry.track].rotation |= entry.removal.rotation;
    }
}

}  // namespace rigcast::unreal
