// From the entries of the accessor list to accessors whose data is known to be there (vgo.md section 3).
#pragma once

#include "formats/vgo/document.hpp"

namespace rigcast {

/// Fills `document.accessors` with the numbers of `list`; those that no file can hold become -1.
void keepVgoAccessors(const Vector<Value>& list, VgoDocument& document, Diagnostics& diagnostics);

/// Marks the accessors whose data lie in `document.resource` and hold what they say. All others have a finding.
void proveVgoAccessors(VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
