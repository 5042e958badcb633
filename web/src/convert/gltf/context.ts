// State that all parts of a glTF share while it is written.
import type { RigScene, Skin } from '../../core/types.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { StoredImage } from '../common/images.ts';
import type { ConversionReport } from '../common/report.ts';
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
  readonly report: ConversionReport;
  /** By row of `scene.nodes`. */
  readonly nodes: GltfNode[] = [];
  /**
   * Node with the translation, by row of `scene.nodes`. Differs from `nodes` for the bones in
   * `split`.
   */
  readonly places: GltfNode[] = [];
  /** Bones with an extra node above them that undoes their parent's scale (correctedLocals.ts). */
  readonly split: ReadonlySet<number>;
  /** Node that shows each renderer; null if it shows nothing. */
  readonly shown: (GltfNode | null)[] = [];
  /** Shared by all scenes in the file. */
  readonly textures: Map<StoredImage, GltfTexture>;
  /** Rows of `scene.materials`. */
  readonly materialRows = new Map<GltfMaterial, number>();
  /** True if the file becomes an avatar (VRM), which stores more than glTF. */
  readonly isAvatar: boolean;
  /** Inverse bind matrices of skins, made affine. */
  readonly binds: Map<Skin, Float32Array>;
  readonly numbers: FiniteNumbers;
  /** Shared by all scenes in the file. */
  readonly sparse: SparseColumns;
  readonly #accessors: Map<Column, Accessor>;

  /** `into`: context of the file that this scene is added to. */
  constructor(scene: RigScene, report: ConversionReport, split: ReadonlySet<number> = new Set(), into?: GltfContext, isAvatar = false) {
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
    this.report = report;
  }

  /**
   * Returns the accessor of a column, the same one for each use. The column must not change until
   * the file is written.
   */
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
