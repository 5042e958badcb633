// Unreal files made from scratch: what the tests, the fixtures and the benches are built on.
#pragma once

#include <cstdint>

#include "support/writers/unreal.hpp"

namespace rigcast::test {

/// A little arm along +X, 1.2 m long: a tube of 4 rings with 4 points each, bones Root, Upper, Lower at 0, 40 and 80 units, two materials (Tube;
/// Cap, two-sided), smoothing groups, and every optional chunk there is: normals, colours, three extra UV sets, two morphs, two sockets.
unreal::PskDocument armDocument();

/// Only what a PSK must have: the arm's first seven chunks.
unreal::PskDocument plainArmDocument();

/// The arm's motions: "Bend" (5 frames, with the curves Bulge and ShiftY), "Walk Fwd" (group Loco, 3 frames at 24.4, scale keys), "Pose" (1 frame).
unreal::PsaDocument armMotions();

/// A skinned grid of `side` * `side` points on `bones` bones in a row.
unreal::PskDocument gridDocument(std::uint32_t side, std::uint32_t bones);

/// `sequences` sequences of `frames` frames that move `bones` bones.
unreal::PsaDocument manyMotions(std::uint32_t sequences, std::uint32_t bones, std::uint32_t frames);

}  // namespace rigcast::test
