// Writes the shown pose of a model as USDZ, for Quick Look. Imported when the file is requested.
import {
  BufferAttribute,
  type BufferGeometry,
  DoubleSide,
  Group,
  type Material,
  Mesh,
  MeshStandardMaterial,
  type SkinnedMesh,
  Texture,
  Vector3,
} from 'three';
import { USDZExporter } from 'three/addons/exporters/USDZExporter.js';
import type { ConversionEntry } from '../convert/index.ts';
import type { Rig } from '../three/rig.ts';
import type { ExportedModel } from './types.ts';

/** Slots of materials that USDZ can store. */
const SLOTS = ['map', 'normalMap', 'roughnessMap', 'metalnessMap', 'aoMap', 'emissiveMap'] as const;

/** Adds an entry to the report. `amount`: number of affected objects. */
type Note = (code: string, path: string, amount: number, detail: string) => void;

/**
 * Writes the shown pose. `animations`: number of animations, which are lost, as is the skeleton.
 */
export async function exportUsdz(rig: Rig, animations: number): Promise<ExportedModel> {
  const items: ConversionEntry[] = [];
  const note: Note = (code, path, amount, detail) => void (amount > 0 && items.push({ code, kind: 'loss', path, amount, detail }));
  const copy = await rig.cloneForExport();
  copy.updateMatrixWorld(true);
  const still = new Group();
  const materials = new MaterialConverter(note);
  let others = 0;
  copy.traverseVisible(object => {
    if (object instanceof Mesh && !('isInstancedMesh' in object) && !('isLineSegments2' in object)) still.add(bakedMesh(object, materials));
    else if ('geometry' in object) others++;
  });
  note('NOT_SAID', '', animations, 'animations: the file contains the shown pose');
  note('NOT_SAID', '', rig.file.scene!.skins.length, 'skeletons');
  note('NOT_SAID', '', others, 'lines, points and instanced meshes');
  const bytes = await write(still, { quickLookCompatible: true });
  const name = `${(rig.file.name ?? '').replace(/\.[^.]*$/, '') || 'model'}.usdz`;
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'model/vnd.usdz+zip' });
  return { name, blob, report: { losses: items.length, guesses: 0, approximations: 0, notes: 0, items } };
}

/** Calls the exporter, whose method has another name in older releases of three.js. */
function write(scene: Group, options: object): Promise<unknown> {
  const exporter = new USDZExporter() as unknown as { parseAsync?: Write; parse: Write };
  return (exporter.parseAsync ?? exporter.parse).call(exporter, scene, options);
}

type Write = (scene: Group, options: object) => Promise<unknown>;

/** Returns a mesh without bones and morph targets, in the same pose, in world space. */
function bakedMesh(mesh: Mesh, materials: MaterialConverter): Mesh {
  const geometry = bakedGeometry(mesh);
  const baked = new Mesh(geometry, Array.isArray(mesh.material) ? mesh.material.map(materials.convert) : materials.convert(mesh.material));
  baked.name = mesh.name;
  baked.applyMatrix4(mesh.matrixWorld);
  return baked;
}

function bakedGeometry(mesh: Mesh): BufferGeometry {
  const { geometry } = mesh;
  const isSkinned = 'isSkinnedMesh' in mesh;
  const { position, normal } = geometry.attributes;
  if (!position || !(isSkinned || geometry.morphAttributes.position)) return geometry;
  const baked = geometry.clone();
  baked.morphAttributes = {};
  for (const name of Object.keys(baked.attributes)) if (name.startsWith('skin')) baked.deleteAttribute(name);
  const [positions, normals] = [new Float32Array(3 * position.count), new Float32Array(3 * position.count)];
  const [at, tip] = [new Vector3(), new Vector3()];
  for (let i = 0; i < position.count; i++) {
    Mesh.prototype.getVertexPosition.call(mesh, i, at); // with morph targets
    if (normal) tip.fromBufferAttribute(normal, i).add(at);
    if (isSkinned) {
      (mesh as SkinnedMesh).applyBoneTransform(i, at);
      if (normal) (mesh as SkinnedMesh).applyBoneTransform(i, tip);
    }
    at.toArray(positions, 3 * i);
    tip
      .sub(at)
      .normalize()
      .toArray(normals, 3 * i);
  }
  baked.setAttribute('position', new BufferAttribute(positions, 3));
  if (normal) baked.setAttribute('normal', new BufferAttribute(normals, 3));
  return baked;
}

/** Converts materials and their images to those that USDZ can store. */
class MaterialConverter {
  readonly #note: Note;
  readonly #made = new Map<Material, Material>();

  constructor(note: Note) {
    this.#note = note;
  }

  readonly convert = (material: Material): Material => {
    const known = this.#made.get(material);
    if (known) return known;
    const made = this.#standardOf(material);
    this.#made.set(material, made);
    if (material.side === DoubleSide) this.#note('MATERIAL_WORDS_LOST', material.name, 1, 'both sides');
    made.side = 0;
    for (const slot of SLOTS) {
      const texture = made[slot];
      const image = texture && drawable(texture);
      if (texture && !image) this.#note('TEXTURE_UNSUPPORTED', texture.name, 1, `${slot} of ${material.name}`);
      made[slot] = image;
    }
    return made;
  };

  #standardOf(material: Material): MeshStandardMaterial {
    if (material instanceof MeshStandardMaterial) return material.clone();
    this.#note('MATERIAL_REDUCED', material.name, 1, material.type);
    const { color, map } = material as Partial<MeshStandardMaterial>;
    const { name, opacity, transparent, alphaTest } = material;
    return new MeshStandardMaterial({ name, opacity, transparent, alphaTest, ...(color && { color }), map: map ?? null, roughness: 1 });
  }
}

/** Returns the texture with an image that a canvas can draw; null if there is none. */
function drawable(texture: Texture): Texture | null {
  const image = texture.image as { data?: ArrayLike<number>; width: number; height: number } | null;
  if (!image || 'isCompressedTexture' in texture) return null;
  if (!image.data) return texture;
  if (
    !(image.data instanceof Uint8Array || image.data instanceof Uint8ClampedArray) ||
    image.data.length !== 4 * image.width * image.height
  )
    return null;
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(image.data), image.width, image.height), 0, 0);
  const { name, wrapS, wrapT, offset, repeat, center, rotation, flipY, channel, colorSpace } = texture;
  const made = Object.assign(new Texture(canvas), { name, wrapS, wrapT, rotation, flipY, channel, colorSpace });
  made.offset.copy(offset);
  made.repeat.copy(repeat);
  made.center.copy(center);
  return made;
}
