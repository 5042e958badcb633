// State of a glTF file while it is written. All writers share it.
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
  /** The glTF node of each row of `scene.nodes`. */
  readonly nodes: GltfNode[] = [];
  /**
   * The glTF node that has the translation of each row of `scene.nodes`. It is the extra node for
   * bones in `split`, and the node in `nodes` for all others.
   */
  readonly places: GltfNode[] = [];
  /**
   * Bones that are written as two nodes. The extra parent node has the inverse scale of the bone's
   * parent (correctedLocals.ts).
   */
  readonly split: ReadonlySet<number>;
  /** The node that shows each row of `scene.renderers`; null if the renderer has no faces. */
  readonly shown: (GltfNode | null)[] = [];
  /** The texture of each image. All scenes in the file share them. */
  readonly textures: Map<StoredImage, GltfTexture>;
  /** The row of `scene.materials` for each material of the glTF. */
  readonly materialRows = new Map<GltfMaterial, number>();
  /** True if VRM extensions are added to the file. */
  readonly isAvatar: boolean;
  /** Inverse bind matrices of each skin. The last row of each matrix is 0 0 0 1. */
  readonly binds: Map<Skin, Float32Array>;
  readonly numbers: FiniteNumbers;
  /** Sparse accessors. All scenes in the file share them. */
  readonly sparse: SparseColumns;
  readonly #accessors: Map<Column, Accessor>;

  /** `into`: context of the file to which this scene is added. */
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
   * Returns the accessor of a column, and creates it on first use. The column must not change until
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
