// Adds VRM 1.0 extensions to the JSON of a glTF (github.com/vrm-c/vrm-specification).
import type { GltfContext } from '../gltf/context.ts';
import type { Feature } from '../../core/types.ts';
import type { StoredImage } from '../common/images.ts';
import type { GltfNode, GltfTexture, JSONDocument } from '../vendor/gltfTransform.ts';
import { reportArms } from '../common/humanPose.ts';
import { bodyOf, eyesOf, humanBonesOf, faceForward, type VrmBody } from './body.ts';
import { expressionsOf } from './expressions.ts';
import { metaOf } from './meta.ts';
import { springsOf } from './springs.ts';
import { isPermission, thumbnailType, type VrmWriting } from './writing.ts';
import { addTextures, greyMasks, use, writeToon } from './toon.ts';

/** Assumed maximum rotation of the eye bones, in degrees. */
const EYES = { horizontal: 10, vertical: 8 };
/** Kinds of features that VRM can store. */
const STORED_FEATURES = new Set(['humanoid', 'animator', 'right', 'springBone', 'springBoneColliderGroup']);

export class VrmWriter {
  readonly #context: GltfContext;
  readonly #body: VrmBody;
  readonly #options: VrmWriting;
  #masks = new Map<number, StoredImage>();
  #thumbnail: GltfTexture | null = null;

  /** Throws a ConversionError if the scene lacks a humanoid bone that VRM requires. */
  constructor(context: GltfContext, options: VrmWriting) {
    this.#options = options;
    this.#context = context;
    this.#body = bodyOf(context.scene);
  }

  /** True if VRM can store a feature. */
  supports({ kind, name = '', properties }: Feature): boolean {
    return kind === 'permission' ? isPermission(name, properties?.[name]) : STORED_FEATURES.has(kind);
  }

  /** Prepares the scene for VRM. Must be called after the glTF nodes have been written. */
  async place(images: ReadonlyMap<number, StoredImage | null>): Promise<void> {
    faceForward(this.#context, this.#body);
    reportArms(this.#body.rest, this.#body.bones, this.#context.report);
    this.#masks = await greyMasks(this.#context, images);
    addTextures(this.#context, images, this.#masks);
    const { thumbnail } = this.#options;
    const type = thumbnail && thumbnailType(thumbnail);
    if (type) this.#thumbnail = this.#context.document.createTexture('thumbnail').setImage(new Uint8Array(thumbnail)).setMimeType(type);
  }

  addTo(json: JSONDocument['json'], images: ReadonlyMap<number, StoredImage | null>): void {
    const context = this.#context;
    const { document, nodes, shown, scene, report } = context;
    const numbers = new Map<GltfNode | null, number>(
      document
        .getRoot()
        .listNodes()
        .map((node, i) => [node, i]),
    );
    const nodeOf = (row: number): number => numbers.get(nodes[row] ?? null) ?? -1;
    const shownAt = (renderer: number): number => numbers.get(shown[renderer] ?? null) ?? -1;
    const body = this.#body;
    const expressions = expressionsOf(context, shownAt);
    const lookAt = this.#lookAt();
    const meshes = [...new Set(Array.from(shown.keys(), shownAt))].filter(node => node >= 0);
    const springs = springsOf(context, body, nodeOf);
    const thumbnailImage = document
      .getRoot()
      .listTextures()
      .findIndex(texture => texture === this.#thumbnail);
    writeToon(context, json, images, this.#masks);
    use(json, 'VRMC_vrm');
    if (springs) use(json, 'VRMC_springBone');
    json.extensions = {
      ...json.extensions,
      VRMC_vrm: {
        specVersion: '1.0',
        meta: { ...metaOf(scene, this.#options.meta ?? {}, report), ...(thumbnailImage >= 0 && { thumbnailImage }) },
        humanoid: { humanBones: humanBonesOf(context, body, nodeOf) },
        // The type `auto` hides the head in first-person view.
        firstPerson: { meshAnnotations: meshes.map(node => ({ node, type: 'auto' })) },
        ...(lookAt && { lookAt }),
        ...(expressions && { expressions }),
      },
      ...(springs && { VRMC_springBone: springs }),
    };
  }

  /**
   * Returns the `lookAt` object of VRM. It drives both eye bones, or the look expressions if an eye
   * bone is missing. Returns null if an eye bone is missing and the scene has no look expressions.
   */
  #lookAt(): object | null {
    const { bones } = this.#body;
    const { scene, report } = this.#context;
    const isBone = bones.has('leftEye') && bones.has('rightEye');
    if (!isBone && !scene.expressions.some(({ preset = '' }) => preset.startsWith('look'))) return null;
    if (isBone) report.add('LOOK_ASSUMED', '', EYES.horizontal);
    const range = (outputScale: number): object => ({ inputMaxValue: 90, outputScale: isBone ? outputScale : 1 });
    return {
      offsetFromHeadBone: eyesOf(this.#body),
      type: isBone ? 'bone' : 'expression',
      rangeMapHorizontalInner: range(EYES.horizontal),
      rangeMapHorizontalOuter: range(EYES.horizontal),
      rangeMapVerticalDown: range(EYES.vertical),
      rangeMapVerticalUp: range(EYES.vertical),
    };
  }
}
