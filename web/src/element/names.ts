// What things are called by the file, not as three.js wants it.
import type { Object3D } from 'three';

export function nameOf({ name, userData }: Pick<Object3D, 'name' | 'userData'>): string {
  return typeof userData['name'] === 'string' && userData['name'] !== '' ? userData['name'] : name;
}
