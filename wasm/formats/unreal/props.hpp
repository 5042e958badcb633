// Parses the .props.txt file that UE Viewer writes beside a mesh or an animation set. The file
// lists the properties of the object in Unreal (psk-psa.md sections 5 and 7.5).
#pragma once

#include "core/bytes.hpp"
#include "core/vector.hpp"
#include "formats/unreal/config.hpp"
#include "formats/unreal/sockets.hpp"

namespace rigcast::unreal {

struct Props {
    Vector<Socket> sockets;  // sockets, if the object is a skeletal mesh
    Config config;           // flags, if the object is an animation set; contains no removed tracks
};

/// Reads sockets and rotation-only flags. Ignores all other content without a finding, because
/// these files list dozens of engine properties.
Props parseProps(Bytes text);

}  // namespace rigcast::unreal
