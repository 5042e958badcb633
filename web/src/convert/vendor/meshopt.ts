// The parts of meshoptimizer in use. The build inlines the library here, so that the package does
// not depend on it.
export { MeshoptEncoder } from 'meshoptimizer/encoder';
