// Generates Unreal files for tests, fixtures and benchmarks.
#pragma once

#include <cstdint>

#include "support/writers/unreal.hpp"

namespace rigcast::test {

/// Returns a small arm along +X, 1.2 m long: a tube of 4 rings with 4 points each; bones Root,
/// Upper and Lower at 0, 40 and 80 units; two materials (Tube; Cap, two-sided); smoothing groups;
/// and every optional chunk: normals, colours, three extra UV sets, two morph targets, two sockets.
unreal::PskDocument armDocument();

/// Returns the arm with only the required chunks of a PSK (the first seven).
unreal::PskDocument plainArmDocument();

/// Returns animations of the arm: "Bend" (5 frames, with the curves Bulge and ShiftY), "Walk Fwd"
/// (group Loco, 3 frames at 24.4, scale keys), "Pose" (1 frame).
unreal::PsaDocument armMotions();

/// Returns a skinned grid of `side` * `side` points on a row of `bones` bones.
unreal::PskDocument gridDocument(std::uint32_t side, std::uint32_t bones);

/// Returns `sequences` sequences of `frames` frames that animate `bones` bones.
unreal::PsaDocument manyMotions(std::uint32_t sequences, std::uint32_t bones, std::uint32_t frames);

}  // namespace rigcast::test
