// Reads typed data of a VGO resource: dense or sparse (two modes), unaligned (vgo.md section 3).
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/vgo/document.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Returns the accessor at an index of the layout. nullptr if there is none or it is invalid, which
/// is already reported.
const VgoAccessor* usableAccessor(const VgoDocument& document, double index);

/// Bytes of file data per step of work. Limits repeated reading of the resource and expanded sparse
/// data to a quarter of the default memory budget, because a page copies the data and needs bounds
/// and normals for it.
inline constexpr std::uint64_t bytesAStep = 4;

/// Writes all elements, tightly packed, with sparse data expanded. `to` has room for
/// `accessor.denseLength()` bytes.
void expandAccessor(const VgoAccessor& accessor, std::uint8_t* to);

/// Reads float data with `components` floats per element, in file order. Returns false for other
/// data types.
bool readFloats(const VgoAccessor& accessor, std::uint32_t components, Vector<float>& values);

/// Same as a column of `block`. Returns an absent column for other data types or if the budget is
/// exceeded.
Column<float> floatColumn(const VgoAccessor& accessor, std::uint32_t components, Arena& arena, std::uint32_t block);

/// Reads u8, u16 or u32 data (indices, joints, byte colours) as 32-bit integers, `components` per
/// element. Returns false for other data types.
bool readUnsigned(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& values);

/// Reads the elements of float data that are not zero: indices in `elements`, ascending and unique,
/// and `components` values each. The cost depends on the stored size, not the expanded one. Returns
/// false for other data types.
bool readNonZero(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& elements, Vector<float>& values);

}  // namespace rigcast
