// Data that panels display about the open files.
import { InstancedMesh, type Mesh, type Object3D, Vector3 } from 'three';
import type { RigFile } from '../core/open.ts';
import { textIn } from '../core/properties.ts';
import { reportOf } from '../core/report.ts';
import type { Clip, PropertyValue, RigScene } from '../core/types.ts';
import { levelOf, levelsIn } from '../core/levels.ts';
import { folderOf } from '../core/paths.ts';
import type { InputFile } from '../session/inputFile.ts';
import { type LibraryEntry, factsOf, mayBeRecording } from '../session/library.ts';
import { offeredIn, type PartOf, partsOf } from '../session/parts.ts';
import { hasNoSurface, type Model, wholeCharacter } from '../session/model.ts';
import { poseWeight, setPoseWeight } from '../session/clipAction.ts';
import type { LayeredAction } from '../session/layeredAction.ts';
import { compatibilityIn } from '../session/animationRows.ts';
import type { AnimationRow, OpenedFile } from '../session/openedFile.ts';
import { GIZMO_KINDS, meshesOf, particleFacts } from '../view/index.ts';
import { bytes, count } from './dom.ts';
import { type SecondaryModel, positionText } from './entries.ts';
import type { Openable } from './inspect/panel.ts';
import type { Page } from './page.ts';
import type { FileGroup, FileRow } from './panels/files.ts';
import type { WeightRow } from './panels/sliders.ts';
import type { RecordingFacts } from './recording/panel.ts';
import type { ReportSection } from './panels/report.ts';
import type { SceneLayer, Rights, SceneFacts } from './sceneFacts.ts';
import { doubtText, fitText } from './sentences.ts';
import type { Viewport } from './viewport.ts';
import { words } from './words/index.ts';

/** Maximum number of referenced files that the report lists. */
const MAX_PLACED = 50;
/** Maximum number of animation files that the report lists. */
const MAX_SOURCES = 60;

/**
 * Returns format, version and size of a file. PSK and PSA files do not store a version in their
 * header.
 */
const about = ({ format, version, byteLength }: RigFile): string =>
  [format?.toUpperCase(), /^ps[ka]/.test(format ?? '') ? '' : version, bytes(byteLength)].filter(Boolean).join(' · ');

/** Returns the report sections for the shown model, its parts and the files that it references. */
export function modelSections(model: Model, { view, recording }: Viewport): ReportSection[] {
  const { input, file, rig, parts } = model;
  const { clips, instances } = file.scene!;
  // Bones, materials and morph targets of a file count once, even if instances draw it several times.
  const scenes = [file.scene!, ...rig.instanceRigs.map(part => part.file.scene!)];
  const morphs = scenes.flatMap(scene => scene.meshes).reduce((total, mesh) => total + mesh.morphs.length, 0);
  const { vertices, triangles } = drawnCounts(model);
  const size = view.extent!.box.getSize(new Vector3());
  const isSomething = hasNoSurface(model) ? model.bones.length > 0 && size.length() > 0 : true;
  const names = words.facts;
  const facts: [string, string][] = recording
    ? [
        [names.length, words.clock(clips[0]?.duration ?? 0, 1)],
        [names.events, count(clips[0]?.events.length ?? 0)],
      ]
    : [
        [names.vertices, count(vertices)],
        [names.triangles, count(triangles)],
        [names.bones, count(scenes.reduce((total, { nodes }) => total + nodes.bones.filter(bone => bone >= 0).length, 0))],
        [names.materials, count(scenes.reduce((total, { materials }) => total + materials.length, 0))],
        [names.morphs, count(morphs)],
      ];
  if (!recording && isSomething) facts.push([names.size, metres(size.x, size.y, size.z)]);
  if (clips.length > 0) facts.push([names.animations, count(clips.length)]);
  if (instances.length > 0)
    facts.push(
      [names.instances, count(instances.reduce((total, { names: all }) => total + all.length, 0))],
      [names.files, count(scenes.length - 1)],
    );
  const placed = rig.instanceRigs.filter(part => part.report.items.length > 0).slice(0, MAX_PLACED);
  return [
    { name: input.file.name, about: about(file), facts, report: rig.report, file },
    ...parts.map(piece => sectionOf(piece, words.partOf(input.file.name))),
    ...placed.map(part => ({ name: part.file.name ?? '', about: words.placedBy(input.file.name), facts: [], report: part.report })),
  ];
}

/** Returns the numbers of drawn vertices and triangles of a model, including its instances. */
function drawnCounts({ file, rig }: Model): { vertices: number; triangles: number } {
  let { vertices, triangles } = factsOf(file);
  if (file.scene!.instances.length === 0) return { vertices, triangles };
  const own = new Set<Object3D | null>(rig.meshes);
  for (const mesh of meshesOf(rig.scene)) {
    if (own.has(mesh) || 'isLineSegments2' in mesh) continue;
    const copies = mesh instanceof InstancedMesh ? mesh.count : 1;
    const corners = mesh.geometry.getAttribute('position')?.count ?? 0;
    vertices += corners * copies;
    triangles += ((mesh.geometry.index?.count ?? corners) / 3) * copies;
  }
  return { vertices, triangles };
}

/** Returns the report sections of the secondary models. */
export const secondarySections = (secondaryModels: readonly SecondaryModel[]): ReportSection[] =>
  secondaryModels.map(secondary => sectionOf(secondary.model, positionText(secondary)));

/**
 * Returns the report section of a part or secondary model. `where`: text that describes how this
 * model relates to the shown model.
 */
function sectionOf({ input, file, rig }: Model, where: string): ReportSection {
  const { vertices, triangles, bones } = factsOf(file);
  const names = words.facts;
  const facts: [string, string][] = [
    [names.vertices, count(vertices)],
    [names.triangles, count(triangles)],
    [names.bones, count(bones)],
  ];
  return { name: input.file.name, about: [about(file), where].join(' · '), facts, report: rig.report, file };
}

/**
 * Returns a report section with the findings from binding the current animation to the model; empty
 * if there are none.
 */
export function playedSections(played: LayeredAction | null, row: AnimationRow | undefined): ReportSection[] {
  if (!played || !row) return [];
  const inFile = row.source.file.report.items;
  const own = played.findings.filter(({ code }) => !inFile.some(item => item.code === code));
  if (own.length === 0) return [];
  return [{ name: played.name, about: words.playedHere(row.source.input.file.name), facts: [], report: reportOf(own) }];
}

/** Returns the report sections of the animation files. Excludes the file of the shown model. */
export function sourceSections(sources: readonly OpenedFile[], model: Model | null): ReportSection[] {
  return sources
    .filter(({ input }) => input !== model?.input)
    .slice(0, MAX_SOURCES)
    .map(({ input, file }) => {
      const clips = file.scene?.clips ?? [];
      const facts: [string, string][] = [
        [words.facts.animations, count(clips.length)],
        [
          words.facts.length,
          words.clock(
            clips.reduce((total, clip) => total + clip.duration, 0),
            1,
          ),
        ],
      ];
      return { name: input.file.name, about: about(file), facts, report: file.report, file };
    });
}

/**
 * Returns the files that the inspector can show: the files of the model, its parts, the secondary
 * models and the animations.
 */
export function openFiles({ shownModel, secondaryModels, session }: Pick<Page, 'shownModel' | 'secondaryModels' | 'session'>): Openable[] {
  const model = shownModel.value;
  const all = model ? [...wholeCharacter(model), ...secondaryModels.value.map(secondary => secondary.model)] : [];
  const modelFiles = [...new Map(all.map(({ input, file }) => [input, { input, file }])).values()];
  const sources = session.value.animationFiles.filter(({ input }) => !modelFiles.some(one => one.input === input));
  return [...modelFiles, ...sources.slice(0, MAX_SOURCES)];
}

/** Returns the facts of a recording; null if the model is not a recording. */
export function recordingFacts(model: Model | null, { recording, tools }: Viewport): RecordingFacts | null {
  const clip = model?.file.scene?.clips[0];
  if (!recording || !clip) return null;
  return {
    duration: clip.duration,
    hands: tools.recording?.handSpans(clip) ?? [],
    events: clip.events,
    hasCamera: recording.camera !== null,
  };
}

/**
 * Returns the button that shows a file in addition to the shown one: a model beside the shown model,
 * or a recording that is compared with the shown recording. Returns null for a recording and a model.
 */
function besideOf(page: Page, entry: LibraryEntry): FileRow['beside'] {
  const { path, file } = entry.input;
  if (mayBeRecording(entry) !== (page.recorded.value !== null)) return null;
  if (mayBeRecording(entry))
    return {
      title: words.recording.compareWith(file.name),
      isOn: page.other.value?.entry.input === entry.input,
      set: isOn => void page.compareRecording(isOn ? entry : null),
    };
  return {
    title: words.addToScene(file.name),
    isOn: page.session.value.secondaryModels.includes(path),
    set: isOn => void page.showBeside(entry, isOn),
  };
}

/** Returns the library in groups: models, animations and other files. */
export function fileGroups(page: Page): FileGroup[] {
  const { library, shown, animationFiles, partChoices } = page.session.value;
  const of = (role: LibraryEntry['role']): LibraryEntry[] => library.filter(entry => entry.role === role);
  const rowOf = ({ input, facts }: LibraryEntry, detail: string, isShown: boolean, pick: FileRow['pick']): FileRow => ({
    name: input.file.name,
    folder: folderOf(input.path).join('/'),
    detail,
    isShown,
    size: input.file.size,
    picture: null,
    isDamaged: facts?.isDamaged ?? false,
    pick,
    beside: null,
  });
  // A single model needs no thumbnail. An empty string in the map means that the thumbnail could
  // not be drawn.
  const pictureOf = ({ input }: LibraryEntry): string | null => {
    const made = page.pictures.value.get(input);
    return made === '' || of('model').length < 2 ? null : (made ?? '');
  };
  const attached = page.attached.value.map(({ entry }) => entry.input);
  const parts = shown ? partsOf(shown.input, library, partChoices) : [];
  // Visible parts are listed only below their model, not as models.
  const on = new Set(parts.filter(({ isOn }) => isOn).map(({ entry }) => entry.input));
  const shownFiles = new Set([...(shown ? [shown.input] : []), ...attached]);
  const listed = of('model').filter(({ input }) => !on.has(input));
  const models = levelsIn(listed, ({ input }) => input.path).map(levels => {
    const entry = levels.find(({ input }) => shownFiles.has(input)) ?? levels[0]!;
    const { facts, input } = entry;
    const attachedModel = page.attached.value.find(attached => attached.entry.input === input);
    const size = facts ? words.modelFacts(facts.bones, facts.triangles) : bytes(input.file.size);
    const detail = attachedModel ? positionText(attachedModel) : size;
    const row = {
      ...rowOf(entry, detail, shownFiles.has(input), () => page.showEntry(entry)),
      picture: pictureOf(entry),
      beside: shown && !shownFiles.has(input) ? besideOf(page, entry) : null,
      ...(input === shown?.input && parts.length > 0 && { parts: partRows(page, parts) }),
    };
    if (levels.length === 1) return row;
    const others = levels.map(level => ({
      level: levelOf(level.input.path),
      isShown: shownFiles.has(level.input),
      pick: () => page.showEntry(level),
    }));
    return { ...row, levels: others };
  });
  const animations = of('animation').map(entry => {
    // If there are copies of a file in several folders, only one is opened.
    const isCopy = ({ file }: InputFile): boolean => file.name === entry.input.file.name && file.size === entry.input.file.size;
    const source = animationFiles.find(({ input }) => input === entry.input) ?? animationFiles.find(({ input }) => isCopy(input));
    const { fit, misfit } = fitText(source ? compatibilityIn(page.session.value, source) : null);
    const row = page.rows.value.findIndex(one => one.source === source);
    const own = page.rows.value[page.session.value.selected];
    const made = rowOf(
      entry,
      fit || misfit || (source ? bytes(entry.input.file.size) : words.notOpen(entry.input.file.size)),
      own !== undefined && own.source === source,
      row >= 0 ? () => page.select(row) : source ? null : () => page.showEntry(entry),
    );
    return { ...made, isDamaged: (source?.file.report.errors ?? 0) > 0 };
  });
  const others = of('companion').map(entry => rowOf(entry, bytes(entry.input.file.size), false, null));
  return [
    { title: words.models(models.length + on.size), rows: models, isOpen: true },
    { title: words.animationFiles(animations.length), rows: animations, isOpen: true },
    { title: words.otherFiles(others.length), rows: others, isOpen: false },
  ];
}

/** Returns the rows for the parts of the shown model, including suggested parts. */
function partRows(page: Page, parts: readonly PartOf[]): NonNullable<FileRow['parts']> {
  const offered = offeredIn(parts).map(({ entry }) => entry);
  return {
    rows: parts.map(({ entry, isOn, doubt }) => ({
      name: entry.input.file.name,
      path: entry.input.path,
      detail: doubt ? doubtText(doubt) : '',
      isOn,
      set: (to: boolean) => void page.switchParts([entry], to),
    })),
    offer: offered.length > 0 ? { parts: offered.length, add: () => void page.switchParts(offered, true) } : null,
  };
}

/** Returns the content of a file other than meshes and animations; null if there is none. */
export function sceneFacts({ rig, file, lights, sky }: Model, { gizmos, view }: Viewport): SceneFacts | null {
  const { features, nodes, asset } = file.scene!;
  const layers: { id: SceneLayer; detail: string; on: boolean }[] = [];
  if (sky) layers.push({ id: 'sky', detail: '', on: view.sky !== null });
  if (lights.length > 0) layers.push({ id: 'fileLights', detail: count(lights.length), on: view.lighting === 'content' });
  for (const kind of GIZMO_KINDS) {
    const some = gizmos?.count(kind) ?? 0;
    if (some > 0) layers.push({ id: kind, detail: count(some), on: gizmos!.isShown(kind) });
  }
  const rights: Rights[] = [
    rightsOf('', asset.properties?.['right'], asset),
    ...features.flatMap(({ kind, node, properties }) => (kind === 'right' ? [rightsOf(nodes.names[node ?? 0] ?? '', properties)] : [])),
  ].filter(({ rows }) => rows.length > 0);
  const facts: SceneFacts = {
    springs: rig.springs?.bones.length ?? 0,
    rigging: (rig.rigging?.parts ?? []).map(part => ({
      name: part.name,
      kind: part.kind,
      get: () => part.isOn,
      set: on => void (part.isOn = on),
    })),
    layers,
    particles: features.flatMap(feature =>
      feature.kind === 'particleSystem' ? [{ name: nodes.names[feature.node ?? 0] ?? '', facts: particleFacts(feature) }] : [],
    ),
    rights,
  };
  return Object.values(facts).some(value => (Array.isArray(value) ? value.length > 0 : value > 0)) ? facts : null;
}

const RIGHTS = ['title', 'author', 'organization', 'version', 'createdDate', 'updatedDate', 'distributionUrl', 'licenseUrl'] as const;

/**
 * Returns the rows about licence and author. `right`: rights that the content declares. `asset`:
 * metadata of the file, which provides the fields that `right` lacks.
 */
function rightsOf(of: string, right: PropertyValue | undefined, asset: Partial<RigScene['asset']> = {}): Rights {
  const rows = RIGHTS.flatMap((member): [string, string][] => {
    const text = textIn(right, member).trim();
    return text ? [[words.rights[member], text]] : [];
  });
  for (const member of ['author', 'copyright', 'generator'] as const) {
    const label = words.rights[member];
    const text = (asset[member] ?? '').trim();
    if (text && !rows.some(([other]) => other === label)) rows.push([label, text]);
  }
  return { of, rows };
}

/** Returns the meshes with morph targets. */
export function morphedMeshes(model: Model): Mesh[] {
  return wholeCharacter(model)
    .flatMap(({ rig }) => meshesOf(rig.scene))
    .filter(mesh => mesh.morphTargetInfluences?.length);
}

/**
 * Returns one row per morph target name. The meshes of a face often have morph targets with the
 * same names, which are controlled together.
 */
export function morphRows(meshes: readonly Mesh[]): WeightRow[] {
  const byName = new Map<string, { influences: number[]; index: number; maximum: number }[]>();
  for (const mesh of meshes) {
    for (const [name, index] of Object.entries(mesh.morphTargetDictionary ?? {})) {
      const places = byName.get(name) ?? [];
      const { maximum = 1 } = (mesh.userData['morphs'] as { maximum: number }[] | undefined)?.[index] ?? {};
      places.push({ influences: mesh.morphTargetInfluences!, index, maximum });
      byName.set(name, places);
    }
  }
  return [...byName].map(([name, places]) => ({
    name,
    maximum: Math.max(0, ...places.map(({ maximum }) => maximum)) || 1,
    get: () => places[0]!.influences[places[0]!.index] ?? 0,
    set: value => {
      for (const { influences, index, maximum } of places) influences[index] = Math.min(value, maximum);
    },
  }));
}

/** Returns one row per pose, whose weight applies to all parts of the model. */
export function poseRows(model: Model, poses: readonly Clip[]): WeightRow[] {
  const rigs = wholeCharacter(model).map(({ rig }) => rig);
  return poses.map(pose => ({
    name: pose.name,
    maximum: 1,
    get: () => poseWeight(rigs, pose),
    set: weight => setPoseWeight(rigs, pose, weight),
  }));
}

/** Formats width, height and depth in metres, or in centimetres if all are below 0.1 m. */
function metres(...sizes: number[]): string {
  const largest = Math.max(...sizes);
  const [factor, digits, unit] =
    largest >= 100 ? ([1, 0, 'm'] as const) : largest >= 0.1 ? ([1, 2, 'm'] as const) : ([100, 1, 'cm'] as const);
  return `${sizes.map(size => (size * factor).toFixed(digits)).join(' × ')} ${unit}`;
}
