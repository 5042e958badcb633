// The class script (.uc) beside a mesh, of a UE1 game or written by UE Viewer: what its #exec lines say of the mesh (psk-psa.md section 5).
#pragma once

#include <cstdint>
#include <string>

#include "core/bytes.hpp"
#include "core/math.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

struct Script {
    struct Skin {
        std::uint32_t material = 0;
        std::string texture;
    };
    struct Import {
        std::string texture;
        std::string file;
        std::uint32_t flags = 0;
    };

    bool namesMesh = false;
    Vec3 origin;           // Unreal's axes and units; it becomes the model's origin
    Vec3 turn;             // pitch, yaw, roll in degrees
    Vec3 scale{1, 1, 1};   // Unreal's axes
    Vector<Skin> skins;    // MESHMAP SETTEXTURE
    Vector<Import> files;  // TEXTURE IMPORT
    std::string motions;   // MESH DEFAULTANIM: name of the set of motions
};

/// What the script says of a mesh; nothing where it does not name it. Keywords and names are found in any case.
Script parseScript(Bytes text, std::string_view mesh);

/// Turns, moves and scales node 0 as the script says, unless options turn it already.
void placeByScript(const Script& script, const Options& options, Scene& scene);

/// Gives materials the script's textures, and masks or adds where it imports them so.
void dressByScript(const Script& script, Scene& scene);

}  // namespace rigcast::unreal
