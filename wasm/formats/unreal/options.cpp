#include "formats/unreal/options.hpp"

#include <cmath>

#include "core/code.hpp"

namespace rigcast::unreal {

Options readOptions(const Input& input, Diagnostics& diagnostics) {
    Options options;
    const Value* own = input.options ? input.options->find("unreal") : nullptr;
    if (!own || own->isNull()) return options;
    const auto reject = [&](const std::string& name, std::string_view wanted) {
        diagnostics.add(Code::BAD_OPTION, {.path = "formatOptions.unreal." + name}, wanted);
    };
    const auto* members = own->get<Properties>();
    if (!members) {
        diagnostics.add(Code::BAD_OPTION, {.path = "formatOptions.unreal"}, "expected an object");
        return options;
    }
    for (const auto& [name, value] : *members) {
        const auto number = value.get<double>();
        const auto flag = value.get<bool>();
        const auto* text = value.get<std::string>();
        if (value.isNull()) continue;  // the option is not set
        if (name == "unitScale") {
            if (number && *number >= 1e-9 && *number <= 1e9)
                options.unitScale = *number;
            else
                reject(name, "expected a positive number: metres per unit of the file");
        } else if (name == "conjugateRoot") {
            if (flag)
                options.conjugateRoot = *flag;
            else
                reject(name, "expected true or false");
        } else if (name == "colorOrder") {
            if (text && (*text == "auto" || *text == "rgba" || *text == "bgra"))
                options.colorOrder = *text == "auto" ? ColorOrder::detect : *text == "rgba" ? ColorOrder::rgba : ColorOrder::bgra;
            else
                reject(name, "expected auto, rgba or bgra");
        } else if (name == "upAxis") {
            if (text && (*text == "y" || *text == "z"))
                options.yUp = *text == "y";
            else
                reject(name, "expected y or z");
        } else if (name == "yaw") {
            if (number && std::abs(*number) <= 1e6)
                options.yaw = *number;
            else
                reject(name, "expected a number of degrees");
        } else if (name == "tracks") {
            if (text && (*text == "file" || *text == "rotation-only" || *text == "everything"))
                options.tracks = *text == "file"         ? PlayedTracks::file
                                 : *text == "everything" ? PlayedTracks::everything
                                                         : PlayedTracks::rotationOnly;
            else
                reject(name, "expected file, rotation-only or everything");
        } else {
            reject(name, "unknown option");
        }
    }
    return options;
}

}  // namespace rigcast::unreal
