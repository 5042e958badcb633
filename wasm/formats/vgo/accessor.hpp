// Reads typed arrays from the resource of a VGO file. Arrays can be dense or sparse (in two modes)
// and need not be aligned (vgo.md section 3).
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/vgo/document.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Returns the accessor with an index from the layout, or nullptr if the accessor does not exist or
/// is invalid. Invalid accessors have already been reported.
const VgoAccessor* usableAccessor(const VgoDocument& document, double index);

/// Number of bytes that can be read for one step of the work budget. Limits repeated or expanded
/// data to a quarter of the default memory budget, because a page also needs memory for copies,
/// bounds and normals.
inline constexpr std::uint64_t bytesPerStep = 4;

/// Writes all elements without gaps. Elements that a sparse accessor does not store are 0. `to`
/// must have space for `accessor.denseLength()` bytes.
void expandAccessor(const VgoAccessor& accessor, std::uint8_t* to);

/// Reads float data with `components` floats per element. Returns false for other data types.
bool readFloats(const VgoAccessor& accessor, std::uint32_t components, Vector<float>& values);

/// Reads float data into a column of `block`. Returns an absent column for other data types or if
/// the budget is exceeded.
Column<float> floatColumn(const VgoAccessor& accessor, std::uint32_t components, Arena& arena, std::uint32_t block);

/// Reads u8, u16 or u32 data with `components` integers per element. Returns false for other data
/// types.
bool readUnsigned(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& values);

/// Reads the elements of float data that are not zero. Sets `elements` to their indices, ascending
/// and unique, and `values` to `components` floats per element. The cost depends on the stored
/// size, not the expanded size. Returns false for other data types.
bool readNonZero(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& elements, Vector<float>& values);

}  // namespace rigcast
