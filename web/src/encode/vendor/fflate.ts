// The parts of fflate that write and read ZIP archives. The build replaces this file by the code of the
// library, so the package has no dependency on it.
export { unzipSync, Zip, ZipPassThrough } from 'fflate';
