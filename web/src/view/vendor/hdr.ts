// three's reader of Radiance images, which has another name in older releases than in newer ones: this one comes along, and runs with all of them.
export { HDRLoader } from 'three/examples/jsm/loaders/HDRLoader.js';
