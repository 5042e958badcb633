// The functions of gifenc that rigcast uses. The build replaces this file by the code of the
// library, so the package has no dependency on it.
export { applyPalette, GIFEncoder, quantize } from 'gifenc';
