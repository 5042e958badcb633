import {
  type AnimationAction,
  type AnimationClip,
  AnimationMixer,
  type Camera,
  EventDispatcher,
  type Group,
  LineSegments,
  type Material,
  type Object3D,
  type Skeleton,
} from 'three';
import { bind, type BindByNameOptions } from '../core/bind.ts';
import { RigcastError } from '../core/error.ts';
import { type Facing, facingOf, nodesWithDeclaredNames } from '../core/facing.ts';
import { uniqueNames } from '../core/names.ts';
import { addFinding, emptyReport, updateFindings } from '../core/report.ts';
import { unlessAborted } from '../core/source.ts';
import type { MaterialValues, NamedMaterialValues } from '../textures/materialValues.ts';
import type { FoundImage } from '../textures/sources.ts';
import type { Asset, Clip, Finding, Report } from '../core/types.ts';
import { PoseShape } from '../rig/pose.ts';
import type { Rigging } from '../rig/rigging.ts';
import { type RigAnimationEvent, RigAnimator } from './animation/apply.ts';
import type { Avatar, AvatarOptions } from './avatar/avatar.ts';
import { bindResult, type BindResult, BindResults, type BindSource, clipsOf, type RigSource } from './bindResult.ts';
import { type Built, type BuildOptions, buildScene, type RigMesh } from './build/build.ts';
import { lazyProperty, unboundRigClip, type RigClip } from './animation/rigClip.ts';
import { type Disposable, resourcesMade, resourcesOf } from './dispose.ts';
import { showColorLayer } from './build/geometry.ts';
import type { InstanceOptions } from './instances/instanceModel.ts';
import { placeInstances } from './instances/instances.ts';
import { FileInstances, type InstanceSource } from './instances/instanceSources.ts';
import type { Expressions } from '../rig/expressions.ts';
import { Lifetime, freeIfAborted } from './lifetime.ts';
import { ProceduralAnimation } from './avatar/proceduralAnimation.ts';
import { modulesFor } from './loadModules.ts';
import type { Modules } from './modules.ts';
import { nodeMaterials } from './nodeMaterials.ts';
import { addNames } from './names.ts';
import type { Particles } from './particles/particles.ts';
import { findingsOf, reportRenderer } from './rigReport.ts';
import type { Skybox } from './materials/skybox.ts';
import type { SpringBones } from './avatar/springs.ts';
import { startClips, initialClipIndices } from './animation/initialClips.ts';
import type { StrandUnit } from './build/strands.ts';
import { FileTextures, type TextureSource } from '../textures/sources.ts';
import { drawnFor, valuesIn } from './materials/materialValues.ts';
import { TextureApplier, type TextureOptions } from './materials/textures.ts';

export type { BindResult, RigSource } from './bindResult.ts';

/**
 * A loaded file as three.js objects. Add its `scene` to your own scene, and call `dispose` when you
 * no longer need the rig.
 */
export class Rig {
  /**
   * Group with an identity transform and the name of the file. Its only child is `nodes[0]`, the
   * root that rigcast adds to every file. The group is empty if the file contains only animations.
   */
  readonly scene: Group;
  readonly file: RigSource;
  /** Findings from reading the file and building its objects. */
  readonly report: Report;
  /** The report of the file when its findings were last copied to `report`. */
  #fileReport: Report;
  readonly #built: Built;
  readonly #textures: TextureApplier;
  readonly #bind: typeof bind;
  readonly #bindResults = new BindResults();
  #clips: RigClip[] | undefined;
  #animations: AnimationClip[] | undefined;
  #facing: { found: Facing | null } | undefined;
  #mixer: AnimationMixer | undefined;
  #shape: PoseShape | undefined;
  #rigging: Rigging | null | undefined;
  readonly #modules: Modules;
  readonly #listeners = new EventDispatcher<{ animationevent: RigAnimationEvent }>();
  readonly #procedural: ProceduralAnimation;
  readonly #parts: Rig[] = [];
  readonly #textureSources: TextureSource[] = [];
  /**
   * GPU resources that the rig has created, including those that the page has since replaced in the
   * scene.
   */
  readonly #own: Set<Disposable>;
  readonly #lifetime = new Lifetime();
  /** Cameras in the file, in the order of the node hierarchy. */
  readonly cameras: readonly Camera[];
  /** Custom data of the page. rigcast neither reads nor writes it. */
  userData: Record<string, unknown> = {};
  /**
   * Builds a rig synchronously, without the modules that `make` imports (toon materials, more than
   * four influences, animated properties of Unity's materials, spring bones, constraints and IK,
   * particles). The report lists missing modules. Throws FILE_UNREADABLE if the file has no scene.
   */
  constructor(file: RigSource, options: BuildOptions = {}) {
    const { scene } = file;
    if (!scene) throw new RigcastError('FILE_UNREADABLE', `${file.name || 'The file'} has no scene`, { report: file.report ?? null });
    this.file = file;
    this.#bind = options.bind ?? bind;
    this.#modules = options.modules ?? {};
    const built = (this.#built = buildScene(scene, options));
    this.scene = built.group;
    this.cameras = camerasIn(built.group);
    this.report = structuredClone(file.report ?? emptyReport());
    this.#fileReport = structuredClone(this.report);
    this.#procedural = new ProceduralAnimation(this.#poseShape, built, this.#lifetime, options, this.#modules);
    this.#own = resourcesMade(built);
    this.#textures = new TextureApplier(scene, built.materials, this.report);
    lazyProperty(this.scene, 'animations', () => this.animations); // other loaders store clips there
    const add = (finding: Finding): void => addFinding(this.report, finding);
    findingsOf(scene, built, options, this.particles?.findings ?? []).forEach(add);
    reportRenderer(scene, built, options, add, () => this.#textures.reduce(options.strict ?? false));
  }

  /**
   * Builds a rig after importing the modules that its file needs beyond three.js (toon materials,
   * more than four influences, spring bones, constraints and IK, particles). RigcastLoader, the
   * viewer and the element call it.
   */
  static async make(file: RigSource, options: BuildOptions = {}): Promise<Rig> {
    return new Rig(file, file.scene ? { modules: await modulesFor(file.scene, options), ...options } : options);
  }

  /** Metadata in the file: name, author, generator, unit. */
  get asset(): Asset {
    return this.file.scene!.asset;
  }

  /** Facial expressions in the file. The page sets their weights by name. */
  get expressions(): Expressions {
    return this.#procedural.expressions;
  }

  /** Spring bones in the file; null if it has none. */
  get springs(): SpringBones | null {
    return this.#procedural.springs;
  }

  /** Particle systems in the file; null if it has none, or if the rig was not built by `make`. */
  get particles(): Particles | null {
    return this.#procedural.particles;
  }

  /**
   * Forward direction and head position in the rest pose, in the space of `scene`, with a
   * confidence. They are determined from pairs of left and right bones; null if the file has no
   * such pairs.
   */
  get facing(): Facing | null {
    return (this.#facing ??= { found: facingOf(nodesWithDeclaredNames(this.file.scene!)) }).found;
  }

  /** Keeps Vue from wrapping the object in a proxy, which would break access to private members. */
  get __v_skip(): true {
    return true;
  }

  /**
   * Objects, indexed like `file.scene.nodes`. react-three-fiber assigns an object that contains
   * nodes by name; its members are added to the array.
   */
  get nodes(): readonly Object3D[] {
    return this.#built.nodes;
  }

  set nodes(byName: readonly Object3D[]) {
    addNames(this.#built.nodes, byName);
  }

  /**
   * Meshes, indexed like `file.scene.renderers`; null if a mesh can't be built.
   * react-three-fiber assigns an object that contains meshes by name; its members are added to the
   * array.
   */
  get meshes(): readonly (RigMesh | null)[] {
    return this.#built.meshes;
  }

  set meshes(byName: readonly (RigMesh | null)[]) {
    addNames(this.#built.meshes, byName);
  }

  /** Skeletons, indexed like `file.scene.skins`. */
  get skeletons(): readonly Skeleton[] {
    return this.#built.skeletons;
  }

  /**
   * Returns the three.js materials that were built from one material of the file. `index` is its
   * index in `file.scene.materials`.
   */
  materialsOf(index: number): Material[] {
    return this.#built.materials.of(index);
  }

  /**
   * Animated properties that aren't transforms. A property is listed as soon as a clip that
   * animates it is played.
   */
  get animatedProperties(): readonly { node: number; property: string }[] {
    return this.#built.properties;
  }

  /** Clips in the file with their loop mode and frame rate, for animators and `clipAction`. */
  get clips(): readonly RigClip[] {
    return (this.#clips ??= this.#createClips());
  }

  /**
   * Clips in the file as AnimationClips. Always the same list. Their tracks are created on first
   * access.
   */
  get animations(): AnimationClip[] {
    return (this.#animations ??= this.clips.map(({ animationClip }) => animationClip));
  }

  /**
   * Indices in `clips` of the clips that start automatically. Each of them animates a different
   * object, and all play together.
   */
  get initialClipIndices(): readonly number[] {
    return initialClipIndices(this.file.scene!);
  }

  /**
   * Plays the clips that start automatically on `mixer`, with the loop mode that the file declares.
   * Returns their actions.
   */
  playInitialClips(): AnimationAction[] {
    return startClips(
      this.initialClipIndices.map(row => this.clips[row]!),
      this.mixer,
    );
  }

  #createClips(): RigClip[] {
    const { nodes, renderers, clips } = this.file.scene!;
    const hasOnlyClips = nodes.length <= 1 && !renderers.length;
    const names = uniqueNames(clips.map(({ name }) => name));
    return hasOnlyClips ? clips.map((clip, i) => unboundRigClip(clip, names[i]!)) : this.bind(clips).clips;
  }

  /**
   * Binds the animations in another file to this rig by bone name. Another call with the same
   * source and the same options returns the same result, which is kept as long as the source.
   * Throws a TypeError if `source` contains no rig, file or clip of rigcast.
   */
  bind(source: BindSource, options: BindByNameOptions = {}): BindResult {
    const scene = this.file.scene!;
    const clips = clipsOf(source);
    return this.#bindResults.of(source, clips, options, () =>
      bindResult(
        clips.map(clip => this.#bind(clip, scene, options)),
        scene,
        this.#built,
      ),
    );
  }

  /**
   * Reads the keys of clips of this file that are not read yet, because the file is read in parts
   * (option `ranges` of the loader). Call it before a clip is played, and before the tracks of an
   * AnimationClip are read. Adds findings about the keys to `report`. Rejects in the same cases as
   * `clip.tracks.load`.
   */
  async loadClips(clips: readonly Clip[], options: { signal?: AbortSignal } = {}): Promise<void> {
    const { file } = this;
    await Promise.all(clips.map(({ tracks }) => tracks.load?.(options.signal)));
    if (!file.report) return;
    updateFindings(this.report, this.#fileReport, file.report);
    this.#fileReport = structuredClone(file.report);
  }

  /**
   * Loads the textures in the file and in `source`, and assigns them to the materials. Call it
   * again when more files become available. `report` lists textures that are missing, damaged or
   * not supported; materials without a texture show their color. Rejects only if `options.signal`
   * is aborted or the rig is disposed.
   */
  async loadTextures(source: TextureSource | ReadonlyMap<string, Uint8Array | Blob> | null, options: TextureOptions = {}): Promise<void> {
    const signal = this.#lifetime.until(options.signal);
    const from = source && ('image' in source ? source : new FileTextures(source));
    if (from) this.#textureSources.push(from);
    await unlessAborted(this.#textures.load(from, { ...options, signal }), signal);
  }

  /**
   * Sources of images that `loadTextures` was called with, including calls of RigcastLoader. Pass
   * one as `images` to `convert`.
   */
  get textureSources(): readonly TextureSource[] {
    return this.#textureSources;
  }

  /**
   * Replaces the texture in a slot of a material. `row` is the index of the material in
   * `file.scene.materials`; `slot` is one of the names in `MaterialSlot.slot`. Resolves with true
   * if the texture is drawn. If not, `report` contains the reason. Rejects only if `options.signal`
   * is aborted or the rig is disposed.
   */
  async setTexture(row: number, slot: string, image: FoundImage, options: TextureOptions = {}): Promise<boolean> {
    const signal = this.#lifetime.until(options.signal);
    return unlessAborted(this.#textures.choose(row, slot, image, { ...options, signal }), signal);
  }

  /**
   * Values that replace those of materials in the file: colour, roughness, alpha mode and others.
   * `loadTextures` reads them from the file NAME.materials.json beside the model, if the source lists
   * its files. Set a list to replace the values of that file, or null to restore them.
   */
  get materialValues(): readonly NamedMaterialValues[] {
    return this.#textures.values;
  }

  set materialValues(values: readonly NamedMaterialValues[] | null) {
    this.#textures.values = values;
  }

  /**
   * Returns the values with which a material is drawn. `index` is its index in
   * `file.scene.materials`. Values that the material does not have are left out.
   */
  drawnValues(index: number): MaterialValues {
    const [material] = this.materialsOf(index).flatMap(drawnFor);
    return material ? valuesIn(material) : {};
  }

  /**
   * Opens the files that the instances of this file refer to, and adds their objects to `scene`.
   * `source` finds files by path. `report` lists missing files. Call it once. Rejects only if
   * `options.signal` is aborted or the rig is disposed.
   */
  async loadInstances(source: InstanceSource | ReadonlyMap<string, Uint8Array | Blob>, options: InstanceOptions = {}): Promise<void> {
    const signal = this.#lifetime.until(options.signal);
    if (!this.file.scene!.instances.length) return;
    const from = 'find' in source ? source : new FileInstances(source);
    const placing = placeInstances<Rig>(this, from, { ...options, signal }, (file, build) => Rig.make(file, build));
    const { parts, made } = await freeIfAborted(placing, signal, placed =>
      [...placed.parts, ...placed.made].forEach(each => each.dispose()),
    );
    this.#parts.push(...parts);
    for (const each of made) this.#own.add(each);
    this.scene.updateMatrixWorld(true);
  }

  /**
   * Returns a copy of `scene` for the exporters of three.js. In the copy, standard materials
   * replace MToon materials, and meshes keep vertex colors only if they are drawn. The copy shares
   * arrays, textures and clips with this rig, and is valid until the rig is disposed.
   */
  async cloneForExport(): Promise<Object3D> {
    const signal = this.#lifetime.until();
    const { exportCopy } = await import('./sceneModules.ts');
    signal.throwIfAborted();
    return exportCopy(this.scene);
  }

  /** Maximum number of vertex color layers of a mesh, including the meshes of instances. */
  get colorLayers(): number {
    return Math.max(0, ...this.file.scene!.meshes.map(({ colors }) => colors.length), ...this.#parts.map(({ colorLayers }) => colorLayers));
  }

  /**
   * Selects the vertex color layer that is drawn by materials with `vertexColors`. A mesh with
   * fewer layers uses its last layer.
   */
  showColorLayer(layer: number): void {
    const { meshes, renderers } = this.file.scene!;
    for (const [r, object] of this.#built.meshes.entries()) if (object) showColorLayer(object.geometry, meshes[renderers[r]!.mesh]!, layer);
    for (const part of this.#parts) part.showColorLayer(layer);
  }

  /**
   * Draws hair as ribbons instead of lines, which are always one pixel wide. `width` is in CSS
   * pixels, or in metres in world space if `unit` is `metres`. If `width` is 0, hair is drawn as
   * lines again. With WebGPURenderer, requires the option `shaders: 'nodes'`.
   */
  async setStrandWidth(width: number, unit: StrandUnit = 'pixels'): Promise<void> {
    const { meshes } = this.#built;
    const signal = this.#lifetime.until();
    if (!meshes.some(mesh => mesh && (mesh instanceof LineSegments || 'isLineSegments2' in mesh))) return;
    const { withLineWidth } = await import('./build/strands.ts');
    const lines = this.#built.materials.hasNodes ? nodeMaterials()?.lines : undefined;
    signal.throwIfAborted();
    for (const [r, mesh] of meshes.entries()) {
      const drawn = mesh && withLineWidth(mesh, width, unit, lines);
      if (!drawn || drawn === mesh) continue;
      if ('isLineSegments2' in drawn) for (const each of resourcesOf(drawn)) this.#own.add(each);
      else for (const each of resourcesOf(mesh)) this.#own.delete(each); // the resources of the ribbons have been freed
      meshes[r] = drawn;
    }
  }

  /**
   * Rigs of the files that `loadInstances` has opened, one for each file. All instances of a file
   * share the geometries and materials of its rig. `dispose` frees these rigs too.
   */
  get instanceRigs(): readonly Rig[] {
    return this.#parts;
  }

  /**
   * Creates an animator, which plays animation layers without a mixer:
   * `animator.layers.push(animator.layer(clip))`. The animator also solves the constraints and IK
   * handles in the file (`rigging`).
   */
  createAnimator(): RigAnimator {
    const animator = new RigAnimator(this.#poseShape, this.#built, event => this.#listeners.dispatchEvent(event));
    if (this.rigging) animator.add(this.rigging);
    return animator;
  }

  /**
   * Adds a listener for the animation events that are passed during playback by animators of this
   * rig.
   */
  addEventListener(type: 'animationevent', listener: (event: RigAnimationEvent) => void): void {
    this.#listeners.addEventListener(type, listener);
  }

  removeEventListener(type: 'animationevent', listener: (event: RigAnimationEvent) => void): void {
    this.#listeners.removeEventListener(type, listener);
  }

  /**
   * Constraints and IK handles in the file, shared by all animators of the rig. Each can be
   * switched off separately. Null if the file has none, or if the rig was not built by `make`.
   */
  get rigging(): Rigging | null {
    if (this.#rigging === undefined) this.#rigging = this.#modules.rigging?.Rigging.of(this.#poseShape) ?? null;
    return this.#rigging;
  }

  /**
   * Resolves with the controls for look-at, blinking and first-person view, which are all off
   * initially. Resolves with null if the file has neither a recognized head nor an expression for
   * blinking. Every call resolves with the same object; only the `options` of the first call have
   * an effect.
   */
  avatar(options?: AvatarOptions): Promise<Avatar | null> {
    return this.#procedural.avatar(options);
  }

  get #poseShape(): PoseShape {
    return (this.#shape ??= new PoseShape(this.file.scene!));
  }

  /** AnimationMixer for this rig, created on first access. */
  get mixer(): AnimationMixer {
    return (this.#mixer ??= new AnimationMixer(this.scene));
  }

  /**
   * Advances `mixer`, if the page has accessed it. Then advances look-at, blinking, expressions,
   * spring bones, scrolling textures and particles, starting from the current pose of the objects.
   * Call it once per frame, after the page or an animator has posed the rig. `delta` is the time
   * since the last call, in seconds. Returns true while anything other than the mixer still moves.
   */
  update(delta: number): boolean {
    this.#mixer?.update(delta);
    return this.#procedural.update(delta);
  }

  /**
   * Renders the skybox of the file, for use as background or environment. Resolves with null if the
   * file has no skybox that can be drawn. The caller must dispose the result.
   */
  async loadSkybox(options: TextureOptions = {}): Promise<Skybox | null> {
    const { scene } = this.file;
    const signal = this.#lifetime.until(options.signal);
    if (!scene!.features.some(({ kind }) => kind === 'skybox')) return null;
    const { loadSkybox } = await import('./sceneModules.ts');
    return freeIfAborted(loadSkybox(scene!, this.report, { ...options, signal }), signal, sky => sky?.dispose());
  }

  /**
   * Frees the GPU resources that the rig has created. Objects, textures and materials that the page
   * has added are kept (`disposeTree` would free them too). Removes `scene` from its parent and
   * aborts pending loads, which reject with an AbortError. The file stays usable.
   */
  dispose(): void {
    this.#lifetime.end();
    this.#mixer?.stopAllAction();
    this.#mixer?.uncacheRoot(this.scene);
    this.scene.removeFromParent();
    this.#textures.dispose();
    this.#procedural.dispose();
    for (const each of [...this.#own, ...this.#parts]) each.dispose();
  }
}

function camerasIn(root: Object3D): Camera[] {
  const cameras: Camera[] = [];
  root.traverse(object => void ('isCamera' in object && cameras.push(object as Camera)));
  return cameras;
}
