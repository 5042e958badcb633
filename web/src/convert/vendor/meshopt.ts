// The parts of meshoptimizer that rigcast uses. The build inlines them, so that the package does
// not depend on the library.
export { MeshoptEncoder } from 'meshoptimizer/encoder';
