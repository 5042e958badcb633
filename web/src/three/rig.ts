import {
  type AnimationAction,
  type AnimationClip,
  AnimationMixer,
  type Camera,
  EventDispatcher,
  type Group,
  LineSegments,
  type Object3D,
  type Skeleton,
} from 'three';
import { bind, type BindOptions } from '../core/bind.ts';
import { type Facing, facingOf, nodesWithDeclaredNames } from '../core/facing.ts';
import { uniqueNames } from '../core/names.ts';
import { addFinding, emptyReport } from '../core/report.ts';
import { unlessAborted } from '../core/source.ts';
import type { FoundImage } from '../textures/sources.ts';
import type { Asset, Finding, Report } from '../core/types.ts';
import { PoseShape } from '../rig/pose.ts';
import type { Rigging } from '../rig/rigging.ts';
import { type Note, RigAnimator } from './animation/apply.ts';
import type { Avatar, AvatarOptions } from './avatar/avatar.ts';
import { bindResult, type BindResult, type BindSource, clipsOf, type RigSource } from './bindResult.ts';
import { type Built, type BuildOptions, buildScene, type RigMesh } from './build/build.ts';
import { lazyProperty, looseMotion, type Motion } from './animation/clips.ts';
import { type Disposable, resourcesMade, resourcesOf } from './dispose.ts';
import { showColorLayer } from './build/geometry.ts';
import type { InstanceOptions } from './instances/instanceModel.ts';
import type { InstanceSource } from './instances/instanceSources.ts';
import type { Expressions } from '../rig/expressions.ts';
import { Life, madeOrFreed } from './life.ts';
import { Living } from './avatar/living.ts';
import { type Modules, modulesFor } from './modules.ts';
import { addNames } from './names.ts';
import type { Particles } from './particles/particles.ts';
import { findingsOf, reportRenderer } from './rigReport.ts';
import type { Skybox } from './materials/skybox.ts';
import type { SpringBones } from './avatar/springs.ts';
import { start, startingClips } from './animation/starting.ts';
import type { StrandUnit } from './build/strands.ts';
import { FileTextures, type TextureSource } from '../textures/sources.ts';
import { TextureDresser, type TextureOptions } from './materials/textures.ts';

export type { BindResult, RigSource } from './bindResult.ts';

/** A file as three.js objects. Add `scene` to yours; call `dispose` when it goes. */
export class Rig {
  /** Identity, named as the file; its child is the synthetic root. Empty for a file that only has motions. */
  readonly scene: Group;
  readonly file: RigSource;
  /** What was found while reading the file and making objects of it. */
  readonly report: Report;
  readonly #built: Built;
  readonly #dresser: TextureDresser;
  readonly #bind: typeof bind;
  #motions: Motion[] | undefined;
  #facing: { found: Facing | null } | undefined;
  #mixer: AnimationMixer | undefined;
  #shape: PoseShape | undefined;
  #rigging: Rigging | null | undefined;
  readonly #modules: Modules;
  readonly #listeners = new EventDispatcher<{ note: Note }>();
  readonly #living: Living;
  readonly #parts: Rig[] = [];
  /** What the rig made and the GPU may hold, even if the page has replaced it since. */
  readonly #own: Set<Disposable>;
  readonly #life = new Life();
  /** The file's cameras as three's, in its order. */
  readonly cameras: readonly Camera[];
  /** For the page's own notes. */
  userData: Record<string, unknown> = {};
  /**
   * What three itself can show of a file, at once; `make` is the whole of it. What is missing without the modules that it fetches (toon materials, more than four influences,
   * animated properties of Unity's materials, spring bones, constraints and IK, particles) is in the report.
   */
  constructor(file: RigSource, options: BuildOptions = {}) {
    const { scene } = file;
    if (!scene) throw new Error(`${file.name || 'The file'} has no scene`);
    this.file = file;
    this.#bind = options.bind ?? bind;
    this.#modules = options.modules ?? {};
    const built = (this.#built = buildScene(scene, options));
    this.scene = built.group;
    this.cameras = camerasIn(built.group);
    this.report = structuredClone(file.report ?? emptyReport());
    this.#living = new Living(this.#poseShape, built, this.#life, options, this.#modules);
    this.#own = resourcesMade(built);
    this.#dresser = new TextureDresser(scene, built.materials, this.report);
    lazyProperty(this.scene, 'animations', () => this.animations); // pages that use other loaders look for clips there
    const add = (finding: Finding): void => addFinding(this.report, finding);
    findingsOf(scene, built, options, this.particles?.findings ?? []).forEach(add);
    reportRenderer(scene, built, options, add, () => this.#dresser.reduce(options.strict ?? false));
  }

  /** A rig with everything that its file needs: what three itself has not (toon materials, more than four influences, spring bones, constraints and IK, particles) is fetched first. RigcastLoader, viewer and element make rigs so. */
  static async make(file: RigSource, options: BuildOptions = {}): Promise<Rig> {
    return new Rig(file, file.scene ? { modules: await modulesFor(file.scene, options), ...options } : options);
  }

  /** What the file says of itself: name, author, generator, unit. */
  get asset(): Asset {
    return this.file.scene!.asset;
  }

  /** The file's expressions, to be set by name. */
  get expressions(): Expressions {
    return this.#living.expressions;
  }

  /** What swings by itself; null where nothing does. */
  get springs(): SpringBones | null {
    return this.#living.springs;
  }

  /** The file's particle systems; null where it has none, and on a rig that was not made by `make`. */
  get particles(): Particles | null {
    return this.#living.particles;
  }

  /** Which way the model looks and where its head is at rest, in the scene's space, with how sure that is; null where no pairs of bones tell. */
  get facing(): Facing | null {
    return (this.#facing ??= { found: facingOf(nodesWithDeclaredNames(this.file.scene!)) }).found;
  }

  /** Vue leaves it as it is instead of wrapping it: private members know no wrappers. */
  get __v_skip(): true {
    return true;
  }

  /** By row of `file.scene.nodes`. What react-three-fiber assigns, the same by name, is added to them. */
  get nodes(): readonly Object3D[] {
    return this.#built.nodes;
  }

  set nodes(byName: readonly Object3D[]) {
    addNames(this.#built.nodes, byName);
  }

  /** By row of `file.scene.renderers`; null where a mesh could not be made. What react-three-fiber assigns, the same by name, is added to them. */
  get meshes(): readonly (RigMesh | null)[] {
    return this.#built.meshes;
  }

  set meshes(byName: readonly (RigMesh | null)[]) {
    addNames(this.#built.meshes, byName);
  }

  /** By row of `file.scene.skins`. */
  get skeletons(): readonly Skeleton[] {
    return this.#built.skeletons;
  }

  /** The materials of one row of `file.scene.materials`. */
  materialsOf(index: number) {
    return this.#built.materials.of(index);
  }

  /** Animated properties that are no transforms, as clips that were played have asked for them. */
  get properties(): readonly { node: number; property: string }[] {
    return this.#built.properties;
  }

  /** The file's own motions. */
  get motions(): readonly Motion[] {
    return (this.#motions ??= this.#ownMotions());
  }

  /** The file's own motions as three's clips. */
  get animations(): AnimationClip[] {
    return this.motions.map(({ clip }) => clip);
  }

  /** Rows of `file.scene.clips`, and of `motions`, that start by themselves; each moves another object, and all play at once. */
  get starting(): readonly number[] {
    return startingClips(this.file.scene!);
  }

  /** Plays on `mixer` all that starts by itself, as often as the file says; `update` advances it. The actions, to be stopped. */
  autoplay(): AnimationAction[] {
    return start(
      this.starting.map(row => this.motions[row]!),
      this.mixer,
    );
  }

  #ownMotions(): Motion[] {
    const { nodes, renderers, clips } = this.file.scene!;
    const isMotionOnly = nodes.count <= 1 && !renderers.length;
    const names = uniqueNames(clips.map(({ name }) => name));
    return isMotionOnly ? clips.map((clip, i) => looseMotion(clip, names[i]!)) : this.bind(clips).motions;
  }

  /** Motions of another file for this rig, matched by bone name. Throws TypeError for what has none of rigcast's motions to give. */
  bind(source: BindSource, options: BindOptions = {}): BindResult {
    const scene = this.file.scene!;
    return bindResult(
      clipsOf(source).map(clip => this.#bind(clip, scene, options)),
      scene,
      this.#built,
    );
  }

  /**
   * Puts textures onto the materials: those in the file, and those that `source` has. Can be called again when more files turn up; what is missing,
   * damaged or cannot be drawn is in `report`, and the material shows its plain colour. Rejects only when aborted, or when the rig is disposed of.
   */
  async loadTextures(source: TextureSource | ReadonlyMap<string, Uint8Array | Blob> | null, options: TextureOptions = {}): Promise<void> {
    const signal = this.#life.until(options.signal);
    await unlessAborted(
      this.#dresser.dress(source && 'image' in source ? source : source && new FileTextures(source), { ...options, signal }),
      signal,
    );
  }

  /**
   * Puts an image on a slot of a material by hand, in the place of what is there. `row`: of `file.scene.materials`; `slot`: a standard name, as
   * `MaterialSlot.slot`. Resolves with whether it is drawn; the report says why not. Rejects only when aborted, or when the rig is disposed of.
   */
  async setTexture(row: number, slot: string, image: FoundImage, options: TextureOptions = {}): Promise<boolean> {
    const signal = this.#life.until(options.signal);
    return unlessAborted(this.#dresser.choose(row, slot, image, { ...options, signal }), signal);
  }

  /**
   * Opens the files that this one places (a world's) and adds them to `scene`: from files in hand by path, or from a source of one's own. What is
   * missing is in `report`. Call it once; rejects only when aborted, or when the rig is disposed of.
   */
  async loadInstances(source: InstanceSource | ReadonlyMap<string, Uint8Array | Blob>, options: InstanceOptions = {}): Promise<void> {
    const signal = this.#life.until(options.signal);
    if (!this.file.scene!.instances.length) return;
    const [{ FileInstances }, { placeInstances }] = await Promise.all([
      import('./instances/instanceSources.ts'),
      import('./instances/instances.ts'),
    ]);
    const from = 'find' in source ? source : new FileInstances(source);
    const placing = placeInstances<Rig>(this, from, { ...options, signal }, (file, build) => Rig.make(file, build));
    const { parts, made } = await madeOrFreed(placing, signal, placed => [...placed.parts, ...placed.made].forEach(each => each.dispose()));
    this.#parts.push(...parts);
    for (const each of made) this.#own.add(each);
    this.scene.updateMatrixWorld(true);
  }

  /**
   * A copy of what is in `scene` for three's exporters: standard materials in the place of toon ones, which nothing but MToon's shader draws, and only those
   * vertex colours that are drawn. It shares arrays and textures with this rig, and lives as long; its clips are this rig's.
   */
  async forExport(): Promise<Object3D> {
    const signal = this.#life.until();
    const { exportCopy } = await import('./build/exportCopy.ts');
    signal.throwIfAborted();
    return exportCopy(this.scene);
  }

  /** How many layers of vertex colours the mesh with the most of them has, the meshes of placed files included. */
  get colorLayers(): number {
    return Math.max(0, ...this.file.scene!.meshes.map(({ colors }) => colors.length), ...this.#parts.map(({ colorLayers }) => colorLayers));
  }

  /** Which layer of vertex colours is drawn, from 0, where the materials draw colours (`vertexColors`); a mesh with fewer shows its last. */
  showColorLayer(layer: number): void {
    const { meshes, renderers } = this.file.scene!;
    for (const [r, object] of this.#built.meshes.entries()) if (object) showColorLayer(object.geometry, meshes[renderers[r]!.mesh]!, layer);
    for (const part of this.#parts) part.showColorLayer(layer);
  }

  /**
   * Draws hair as ribbons, where lines, one pixel of the screen wide, are too thin to see: of a width in pixels of the page, or in metres of three's
   * world. WebGLRenderer only. Can be called again; 0: lines.
   */
  async setStrandWidth(width: number, unit: StrandUnit = 'pixels'): Promise<void> {
    const { meshes } = this.#built;
    const signal = this.#life.until();
    if (!meshes.some(mesh => mesh && (mesh instanceof LineSegments || 'isLineSegments2' in mesh))) return;
    const { widened } = await import('./build/strands.ts');
    signal.throwIfAborted();
    for (const [r, mesh] of meshes.entries()) {
      const drawn = mesh && widened(mesh, width, unit);
      if (!drawn || drawn === mesh) continue;
      if ('isLineSegments2' in drawn) for (const each of resourcesOf(drawn)) this.#own.add(each);
      else for (const each of resourcesOf(mesh)) this.#own.delete(each); // the ribbons are freed already
      meshes[r] = drawn;
    }
  }

  /** The rigs of the files that this one places, each once: their geometries and materials are what is drawn, and `dispose` frees them. */
  get parts(): readonly Rig[] {
    return this.#parts;
  }

  /**
   * An engine of this rig's own for motions in layers, without a mixer (`animator.layers.push(animator.layer(motion))`). It solves what the file says of
   * constraints and IK handles (`rigging`).
   */
  animate(): RigAnimator {
    const animator = new RigAnimator(this.#poseShape, this.#built, note => this.#listeners.dispatchEvent(note));
    if (this.rigging) animator.add(this.rigging);
    return animator;
  }

  /** Calls back with each note that a motion passes while it plays on an engine of this rig. */
  addEventListener(type: 'note', listener: (note: Note) => void): void {
    this.#listeners.addEventListener(type, listener);
  }

  removeEventListener(type: 'note', listener: (note: Note) => void): void {
    this.#listeners.removeEventListener(type, listener);
  }

  /** The file's constraints and IK handles with a switch for each and one for all; null where it has none, and on a rig that was not made by `make`. All engines of the rig share them. */
  get rigging(): Rigging | null {
    if (this.#rigging === undefined) this.#rigging = this.#modules.rigging?.Rigging.of(this.#poseShape) ?? null;
    return this.#rigging;
  }

  /**
   * Eyes and head that look at something, eyes that blink, and what the avatar sees of itself: all off until it is turned on. Null where the file has neither a
   * head that is known to be one nor a face to blink with. The same at every call; the options are those of the first.
   */
  avatar(options?: AvatarOptions): Promise<Avatar | null> {
    return this.#living.avatar(options);
  }

  get #poseShape(): PoseShape {
    return (this.#shape ??= new PoseShape(this.file.scene!));
  }

  /** A mixer for this rig, made when it is first asked for. */
  get mixer(): AnimationMixer {
    return (this.#mixer ??= new AnimationMixer(this.scene));
  }

  /** Advances what plays on `mixer`; call it once a frame, `seconds` being those since the last. */
  update(seconds: number): void {
    this.#mixer?.update(seconds);
    this.live(seconds);
  }

  /**
   * The part of `update` for pages that pose the rig themselves, by hand or with an engine: looking and blinking, expressions, spring bones, moving textures, particles. They start
   * from the pose of the objects. True while something still moves by itself.
   */
  live(seconds: number): boolean {
    return this.#living.update(seconds);
  }

  /**
   * The sky that the file brings along, drawn: what a page does with it (background, reflections) is its own choice. Null where it has none that can be
   * drawn. Its owner disposes of it.
   */
  async loadSkybox(options: TextureOptions = {}): Promise<Skybox | null> {
    const { scene } = this.file;
    const signal = this.#life.until(options.signal);
    if (!scene!.features.some(({ kind }) => kind === 'skybox')) return null;
    const { loadSkybox } = await import('./materials/skybox.ts');
    return madeOrFreed(loadSkybox(scene!, this.report, { ...options, signal }), signal, sky => sky?.dispose());
  }

  /**
   * Frees what the rig has made and the GPU holds, nothing else: what others hung on its nodes or put onto its meshes and materials stays theirs
   * (`disposeTree` frees that as well). Takes `scene` out of its parent and ends what is still loading, which rejects with an AbortError. The file stays usable.
   */
  dispose(): void {
    this.#life.end();
    this.#mixer?.stopAllAction();
    this.#mixer?.uncacheRoot(this.scene);
    this.scene.removeFromParent();
    this.#dresser.dispose();
    this.#living.dispose();
    for (const each of [...this.#own, ...this.#parts]) each.dispose();
  }
}

function camerasIn(root: Object3D): Camera[] {
  const cameras: Camera[] = [];
  root.traverse(object => void ('isCamera' in object && cameras.push(object as Camera)));
  return cameras;
}
