// Radiance loader of three.js. It is bundled, because its name differs between releases of
// three.js; the bundled version works with all of them.
export { HDRLoader } from 'three/addons/loaders/HDRLoader.js';
