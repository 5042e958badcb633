// State of a glTF file that is being written, shared by its parts.
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
  /** Nodes of the glTF by row of `scene.nodes`. */
  readonly nodes: GltfNode[] = [];
  /**
   * Nodes that hold the translation, by row of `scene.nodes`. For bones in `split` it is the extra
   * node, for all others the node in `nodes`.
   */
  readonly places: GltfNode[] = [];
  /**
   * Bones with an extra parent node that has the inverse scale of their parent
   * (correctedLocals.ts).
   */
  readonly split: ReadonlySet<number>;
  /**
   * Node of each renderer's mesh, by row of `scene.renderers`; null for a renderer without faces.
   */
  readonly shown: (GltfNode | null)[] = [];
  /** Textures by image, shared by all scenes in the file. */
  readonly textures: Map<StoredImage, GltfTexture>;
  /** Row of `scene.materials` by material of the glTF. */
  readonly materialRows = new Map<GltfMaterial, number>();
  /** True if VRM extensions are added to the file. */
  readonly isAvatar: boolean;
  /** Inverse bind matrices of skins, with a last row of 0 0 0 1. */
  readonly binds: Map<Skin, Float32Array>;
  readonly numbers: FiniteNumbers;
  /** Sparse accessors, shared by all scenes in the file. */
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
   * Returns the accessor of a column. Each column has one accessor. The column must not change
   * until the file is written.
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
