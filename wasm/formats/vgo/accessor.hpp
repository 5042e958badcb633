// Typed data out of a VGO resource: dense, sparse in both modes, never aligned (vgo.md section 3).
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/vgo/document.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// The accessor that an index of the layout names; nullptr where there is none or it is not usable (a finding was made then).
const VgoAccessor* usableAccessor(const VgoDocument& document, double index);

/// Bytes of a file's data that are one step of work. So what is read of the resource again and again, and what sparse data expands to, ends
/// where a quarter of the memory is taken that a file of that size may have: a page copies it out, and bounds and normals come to it.
inline constexpr std::uint64_t bytesAStep = 4;

/// `accessor.denseLength()` bytes to `to`: elements tightly packed, sparse ones expanded.
void expandAccessor(const VgoAccessor& accessor, std::uint8_t* to);

/// All floats, `components` an element, in file order. False where the data is of another type.
bool readFloats(const VgoAccessor& accessor, std::uint32_t components, Vector<float>& values);

/// The same as a column of `block`; absent where the data is of another type or the arena's budget is spent.
Column<float> floatColumn(const VgoAccessor& accessor, std::uint32_t components, Arena& arena, std::uint32_t block);

/// u8, u16 or u32 (indices, joints, byte colours) as 32 bit, `components` an element. False where the data is of another type.
bool readUnsigned(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& values);

/// The elements of float data that are not all zero: `elements` ascending and unique, `components` values each. Costs what is stored, not
/// what it expands to. False where the data is of another type.
bool readNonZero(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& elements, Vector<float>& values);

}  // namespace rigcast
