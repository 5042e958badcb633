// Returns the name of an object as stored in the file. The loaders of three.js remove some
// characters from `name`.
import type { Object3D } from 'three';

export function nameOf({ name, userData }: Pick<Object3D, 'name' | 'userData'>): string {
  return typeof userData['name'] === 'string' && userData['name'] !== '' ? userData['name'] : name;
}
