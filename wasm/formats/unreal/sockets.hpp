// Sockets: named places on a bone, to attach other things to (psk-psa.md section 6.4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/diagnostics.hpp"
#include "core/math.hpp"
#include "core/vector.hpp"
#include "formats/unreal/options.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

/// Relative to its bone, in Unreal's left-handed axes and units.
struct Socket {
    std::string name;
    std::string bone;  // empty: the mesh itself
    Vec3 location = {};
    Vec3 rotation = {};  // pitch, yaw, roll in degrees
    Vec3 scale{1, 1, 1};
    std::optional<std::uint64_t> offset = std::nullopt;  // of its record in the file
    std::uint32_t damaged = 0;                           // invalid numbers, left at their default

    /// Sets a number of a text, in units of `unit`.
    void set(double& number, std::optional<double> value, double unit = 1) {
        if (value && *value > -most && *value < most)
            number = *value * unit;
        else
            ++damaged;
    }
    static constexpr double most = 1e28;  // still a float at any scale of the options
};

/// Adds a node below its bone and a feature "socket" for each socket, or below the root if the bone is missing. `path` is used in findings. Bones are
/// nodes 1 to `bones`. Returns false if the budget is spent.
bool addSockets(std::span<const Socket> sockets, std::size_t bones, std::string_view path, const Options& options, Scene& scene,
                Diagnostics& diagnostics);

/// Unreal's rotator (pitch, yaw, roll in degrees) to a quaternion of its left-handed space, mirrored to file space.
Quat rotatorToFile(const Vec3& degrees);

}  // namespace rigcast::unreal
