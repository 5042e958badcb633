// The class script (.uc) beside a mesh, of a UE1 game or written by UE Viewer: what its #exec lines say of the mesh (psk-psa.md section 5).
#pragma once

#include <cstdint>
#include <string>

#include "core/bytes.hpp"
#include "core/math.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/sockets.hpp"
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
    Vec3 origin;             // Unreal's axes and units; it becomes the model's origin
    Vec3 turn;               // pitch, yaw, roll in degrees
    Vec3 scale{1, 1, 1};     // Unreal's axes
    Vector<Skin> skins;      // MESHMAP SETTEXTURE
    Vector<Import> files;    // TEXTURE IMPORT
    std::string motions;     // MESH DEFAULTANIM: name of the set of motions
    Vector<Socket> sockets;  // MESH ATTACHNAME
};

/// What the script says of a mesh; nothing where it does not name it. Keywords and names are found in any case.
Script parseScript(Bytes text, std::string_view mesh);

/// Rotates, moves and scales node 0; options that rotate it win. Returns the list of changes for the report.
std::string placeByScript(const Script& script, const Options& options, Scene& scene);

/// Assigns the script's textures to materials, with alpha mask or additive blending as imported. Returns the number of materials that got one.
std::size_t dressByScript(const Script& script, Scene& scene);

}  // namespace rigcast::unreal
