// Reads typed data of a VGO resource: dense or sparse (two modes), unaligned (vgo.md section 3).
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/vgo/document.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Returns the accessor at an index of the layout. nullptr if it does not exist or is invalid,
/// which has been reported.
const VgoAccessor* usableAccessor(const VgoDocument& document, double index);

/// Number of file bytes that one step of work pays for. Limits repeated reading of the resource and
/// expanded sparse data to a quarter of the default memory budget, because a page needs further
/// copies of the data, bounds and normals.
inline constexpr std::uint64_t bytesPerStep = 4;

/// Writes all elements without gaps, sparse ones expanded. `to` has room for
/// `accessor.denseLength()` bytes.
void expandAccessor(const VgoAccessor& accessor, std::uint8_t* to);

/// Reads float data with `components` floats per element. Returns false for other data types.
bool readFloats(const VgoAccessor& accessor, std::uint32_t components, Vector<float>& values);

/// Reads float data into a column of `block`. Returns an absent column for other data types or if
/// the budget is exceeded.
Column<float> floatColumn(const VgoAccessor& accessor, std::uint32_t components, Arena& arena, std::uint32_t block);

/// Reads u8, u16 or u32 data with `components` integers per element. Returns false for other data
/// types.
bool readUnsigned(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& values);

/// Reads the elements of float data that are not zero: ascending, unique indices in `elements`, and
/// `components` values for each. The cost depends on the stored size, not the expanded size.
/// Returns false for other data types.
bool readNonZero(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& elements, Vector<float>& values);

}  // namespace rigcast
