// rigcast_castDemo FOLDER: generates the Cast demos of the viewer: Tock.cast with its textures
// (Tock_*.rgb, 256 x 256 pixels, three bytes each, which demo.mjs converts to PNG), and the world
// Isle.cast with the models to which it refers. All values are rounded before they are written, so
// that every run produces the same bytes.
#include "core/vector.hpp"
#include "robot.hpp"
#include "world.hpp"

namespace rigcast {
namespace {

int run(const std::string& folder) {
    const robot::Pictures pictures = robot::paintPictures();
    std::map<std::string, Vector<std::uint8_t>> files = {
        {"Tock.cast", robot::write()},        {"Tock_albedo.rgb", pictures.albedo},
        {"Tock_metal.rgb", pictures.metal},   {"Tock_roughness.rgb", pictures.roughness},
        {"Tock_normal.rgb", pictures.normal}, {"Tock_emissive.rgb", pictures.emissive},
        {"Isle.cast", world::write()},
    };
    for (const auto& [name, bytes] : world::models()) files[name + ".cast"] = bytes;
    for (const auto& [name, bytes] : files) {
        if (drawing::save(folder + "/" + name, bytes)) continue;
        std::fprintf(stderr, "cannot write into %s\n", folder.c_str());
        return 1;
    }
    return 0;
}

}  // namespace
}  // namespace rigcast

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: rigcast_castDemo FOLDER\n");
        return 2;
    }
    return rigcast::run(arguments[1]);
}
