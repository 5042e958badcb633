// State of a glTF file while it is written, which all writers share.
import type { RigScene, Skin } from '../../core/types.ts';
import { FiniteNumbers } from '../common/finite.ts';
import type { StoredImage } from '../common/images.ts';
import type { ReportBuilder } from '../common/report.ts';
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
  readonly report: ReportBuilder;
  /** The glTF node for each row of `scene.nodes`. */
  readonly nodes: GltfNode[] = [];
  /**
   * The glTF node that has the translation, for each row of `scene.nodes`. For bones in `split` it
   * is the extra parent node, for all others the node in `nodes`.
   */
  readonly places: GltfNode[] = [];
  /**
   * Bones that are written as two nodes. The extra parent node has the inverse scale of the bone's
   * parent (correctedLocals.ts).
   */
  readonly split: ReadonlySet<number>;
  /**
   * The glTF node that has the mesh of each row of `scene.renderers`, or null if the renderer has
   * no faces.
   */
  readonly shown: (GltfNode | null)[] = [];
  /** Maps each image to its texture. All scenes in the file share the textures. */
  readonly textures: Map<StoredImage, GltfTexture>;
  /** Maps each glTF material to its row of `scene.materials`. */
  readonly materialRows = new Map<GltfMaterial, number>();
  /** True if VRM extensions are added to the file. */
  readonly isAvatar: boolean;
  /** Maps each skin to its inverse bind matrices. The last row of every matrix is 0 0 0 1. */
  readonly binds: Map<Skin, Float32Array>;
  readonly numbers: FiniteNumbers;
  /** Sparse accessors of the file, which all scenes in the file share. */
  readonly sparse: SparseColumns;
  readonly #accessors: Map<Column, Accessor>;

  /**
   * `into`: context of the file to which this scene is added. By default, a new file is created.
   */
  constructor(scene: RigScene, report: ReportBuilder, split: ReadonlySet<number> = new Set(), into?: GltfContext, isAvatar = false) {
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
   * Returns the accessor of a column. The accessor is created on first use. The column must not
   * change until the file is written.
   */
  accessor(column: Column, type: Shape, isNormalized = false): Accessor {
    let accessor = this.#accessors.get(column);
    if (!accessor) {
      const values = this.numbers.column(column);
      accessor = this.document
        .createAccessor()
        .setType(type)
        .setArray(values as Float32Array<ArrayBuffer>)
        .setBuffer(this.buffer);
      if (isNormalized) accessor.setNormalized(true);
      this.#accessors.set(column, accessor);
    }
    return accessor;
  }
}
