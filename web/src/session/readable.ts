// Every kind of file that the viewer opens: the start card and the manifest of the installed page are made of this list.
import { OTHER_FORMATS } from '../core/otherFormats.ts';

/** By the name that people know; extensions in lower case, without dot. */
export const READABLE: Readonly<Record<string, readonly string[]>> = {
  Cast: ['cast'],
  PSK: ['psk', 'pskx'],
  PSA: ['psa'],
  SEModel: ['semodel'],
  SEAnim: ['seanim'],
  VGO: ['vgo'],
  MRTK: ['bin', 'inputanim'],
  ...OTHER_FORMATS,
  ZIP: ['zip'],
};

/** Extensions that say which program a file is for: others use these two for anything. */
export const OWN_EXTENSIONS = Object.values(READABLE)
  .flat()
  .filter(extension => extension !== 'bin' && extension !== 'zip');
