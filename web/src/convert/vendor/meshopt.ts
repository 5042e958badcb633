// What is used of meshoptimizer. The build puts the library itself in this file's place, so that the package needs no other.
export { MeshoptEncoder } from 'meshoptimizer/encoder';
