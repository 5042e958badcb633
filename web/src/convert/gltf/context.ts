// What all parts of a glTF share while it is written.
import type { RigScene, Skin } from '../../core/types.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { StoredImage } from '../common/images.ts';
import type { Ledger } from '../common/report.ts';
import {
  type Accessor,
  Document,
  type GltfBuffer,
  type GltfMaterial,
  type GltfNode,
  type GltfTexture,
  Logger,
} from '../vendor/gltfTransform.ts';
import { SparseColumns } from './sparse.ts';

type Shape = 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4';
type Column = Float32Array | Uint8Array | Uint16Array | Uint32Array;

export class GltfContext {
  readonly document: Document;
  readonly buffer: GltfBuffer;
  readonly scene: RigScene;
  readonly ledger: Ledger;
  /** By row of `scene.nodes`. */
  readonly nodes: GltfNode[] = [];
  /** By row of `scene.nodes`: what has the translation; a node of its own for bones of `split`, else the same. */
  readonly places: GltfNode[] = [];
  /** Bones with a node above them that undoes their parent's scale (locals.ts). */
  readonly split: ReadonlySet<number>;
  /** The node that shows each renderer; null where it has nothing to show. */
  readonly shown: (GltfNode | null)[] = [];
  /** Shared by all files that are written into one. */
  readonly textures: Map<StoredImage, GltfTexture>;
  /** Rows of `scene.materials`. */
  readonly materialRows = new Map<GltfMaterial, number>();
  /** It becomes an avatar, which says more than glTF does. */
  readonly isAvatar: boolean;
  /** What skins have as inverse bind matrices, made affine. */
  readonly binds: Map<Skin, Float32Array>;
  readonly numbers: FiniteNumbers;
  /** Those of all files that are written into one. */
  readonly sparse: SparseColumns;
  readonly #accessors: Map<Column, Accessor>;

  /** `into`: the file that takes this scene in. */
  constructor(scene: RigScene, ledger: Ledger, split: ReadonlySet<number> = new Set(), into?: GltfContext, isAvatar = false) {
    this.isAvatar = isAvatar;
    this.split = split;
    this.document = into?.document ?? new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
    this.buffer = into?.buffer ?? this.document.createBuffer();
    this.textures = into?.textures ?? new Map();
    this.binds = into?.binds ?? new Map();
    this.numbers = into?.numbers ?? new FiniteNumbers();
    this.sparse = into?.sparse ?? new SparseColumns();
    this.#accessors = into ? into.#accessors : new Map();
    this.scene = scene;
    this.ledger = ledger;
  }

  /** The accessor of a column, one however often it is used. The column must not change until the file is written. */
  accessor(given: Column, type: Shape, isNormalized = false): Accessor {
    let accessor = this.#accessors.get(given);
    if (!accessor) {
      const values = this.numbers.column(given);
      accessor = this.document
        .createAccessor()
        .setType(type)
        .setArray(values as Float32Array<ArrayBuffer>)
        .setBuffer(this.buffer);
      if (isNormalized) accessor.setNormalized(true);
      this.#accessors.set(given, accessor);
    }
    return accessor;
  }
}
