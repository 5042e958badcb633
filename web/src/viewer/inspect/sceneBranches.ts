// Creates the tree of the scene: meshes, bones, materials, animations and all other content of the
// files.
import { type Material, type Mesh, type Object3D, Texture } from 'three';
import type { RigFile } from '../../core/open.ts';
import type { Clip, RigScene } from '../../core/types.ts';
import type { InputFile } from '../../session/inputFile.ts';
import { type Model, displayName, wholeCharacter } from '../../session/model.ts';
import { type Part, partsOf } from '../../view/index.ts';
import type { Rig } from '../../three/index.ts';
import { bytes, count } from '../dom.ts';
import { type SecondaryModel, positionText } from '../entries.ts';
import { words } from '../words/index.ts';
import { type Branch, colorFact, type Fact, factsIn, group, MAX_ROWS, numbers, numberText, type SmallPicture } from './branch.ts';
import { cameraBranches, featureGroups, lightBranches } from './components.ts';
import { nodeBranches } from './nodes.ts';

/** Value of `kind` for branches that contain animations. */
export const CLIPS = 'heading clips';

/**
 * Returns a group for each kind of content, and a group for the animations of `files`. If there are
 * secondary models, each model has its own branch with these groups.
 */
export function sceneBranches(
  model: Model,
  secondaryModels: readonly SecondaryModel[],
  files: readonly { input: InputFile; file: RigFile }[],
): Branch[] {
  const models = [...wholeCharacter(model), ...secondaryModels.map(secondary => secondary.model)];
  const clipGroups = files.flatMap(({ input, file }) => {
    const clips = file.scene?.clips ?? [];
    if (clips.length === 0 || models.some(part => part.file === file)) return [];
    const name = words.inspect.animationsOf(input.file.name);
    return [group(name, clips.slice(0, MAX_ROWS).map(clipBranch), clips.length, CLIPS)!];
  });
  if (models.length === 1) return [...groupsOf(model), ...clipGroups];
  const parts = models.map((part): Branch => {
    const groups = groupsOf(part);
    const secondary = secondaryModels.find(each => each.model === part);
    return { kind: 'file', name: part.input.file.name, detail: secondary ? positionText(secondary) : '', children: () => groups };
  });
  return [...parts, ...clipGroups];
}

function groupsOf({ rig, file }: Model): Branch[] {
  const scene = file.scene!;
  const { groups } = words.inspect;
  return [
    group(groups.meshes, meshBranches(rig)),
    group(groups.bones, nodeBranches(rig, scene), scene.nodes.length - 1),
    group(groups.materials, materialBranches(rig, scene)),
    group(groups.images, imageBranches(scene)),
    group(groups.animations, scene.clips.slice(0, MAX_ROWS).map(clipBranch), scene.clips.length, CLIPS),
    group(groups.expressions, expressionBranches(scene)),
    ...featureGroups(scene),
    group(groups.lights, lightBranches(rig, scene)),
    group(groups.cameras, cameraBranches(rig, scene)),
    group(groups.references, referenceBranches(scene)),
  ].filter(branch => branch !== null);
}

// ---------------------------------------------------------------- meshes

function meshBranches(rig: Rig): Branch[] {
  return partsOf(rig.scene, displayName).slice(0, MAX_ROWS).map(meshBranch);
}

function meshBranch(part: Part): Branch {
  // Omit the material if it is the only one and has the same name as the mesh.
  const [only] = part.children;
  const inside = part.children.length > 1 || (only && only.name !== part.name) ? part.children : [];
  const children = inside.map((child): Branch => ({ ...partRow(child), facts: () => [trianglesOf(child)] }));
  return { ...partRow(part), facts: () => meshFacts(part), ...(children.length > 0 && { children: () => children }) };
}

const partRow = (part: Part): Branch => ({
  kind: part.kind,
  name: part.name,
  detail: words.triangleCount(part.triangles),
  object: part.object,
  shown: {
    get: () => part.visible,
    set: on => {
      part.setVisible(on);
      part.visible = on;
    },
  },
});

const trianglesOf = ({ triangles }: Part): Fact => ({ label: words.facts.triangles, text: count(triangles) });

function meshFacts(part: Part): Fact[] {
  const { inspect, facts } = words;
  const mesh = part.object as Mesh & { skeleton?: { bones: readonly Object3D[] } };
  const { attributes, morphAttributes } = mesh.geometry;
  const uvs = Object.keys(attributes).filter(name => /^uv\d*$/.test(name)).length;
  return [
    { label: facts.vertices, text: count(attributes['position']?.count ?? 0) },
    trianglesOf(part),
    ...(mesh.skeleton ? [{ label: inspect.boundTo, text: inspect.bones(mesh.skeleton.bones.length) }] : []),
    { label: inspect.uvSets, text: count(uvs) },
    ...('color' in attributes ? [{ label: inspect.colors, text: inspect.yes }] : []),
    ...(morphAttributes.position?.length ? [{ label: facts.morphs, text: count(morphAttributes.position.length) }] : []),
    { label: inspect.attributes, text: Object.keys(attributes).join(', ') },
    ...(mesh.parent ? [{ label: inspect.parent, text: displayName(mesh.parent) || words.noName }] : []),
  ];
}

// ---------------------------------------------------------------- materials and images

function materialBranches(rig: Rig, { materials, textures, images }: RigScene): Branch[] {
  return materials.slice(0, MAX_ROWS).map((material, row): Branch => {
    const drawn = rig.materialsOf(row);
    const nameOfTexture = (texture: number | undefined): string => {
      const { name, image } = textures[texture ?? -1] ?? { name: '' };
      return name || images[image ?? -1]?.name || images[image ?? -1]?.path || '';
    };
    return {
      kind: 'material',
      name: material.name,
      detail: material.model,
      material: { rig, row },
      facts: () => [
        { label: words.inspect.shadingModel, text: material.model },
        colorFact(words.inspect.color, material.color),
        ...(material.emissive.some(value => value > 0) ? [colorFact(words.inspect.emissive, material.emissive)] : []),
        { label: words.inspect.metallic, text: numberText(material.metalness) },
        { label: words.inspect.roughness, text: numberText(material.roughness) },
        { label: words.inspect.alpha, text: words.inspect.alphaModes[material.alphaMode] },
        { label: words.inspect.side, text: words.inspect.sides[material.side] },
        ...material.slots.map(({ slot, source, texture, color }) => ({
          ...(color ? colorFact('', color) : {}),
          label: source && source !== slot ? `${slot} (${source})` : slot,
          text: [texture === undefined ? '' : nameOfTexture(texture) || words.noName, color ? numbers(color) : '']
            .filter(Boolean)
            .join(' · '),
        })),
        ...factsIn(material.properties),
      ],
      images: () => drawn.flatMap(texturesOf),
    };
  });
}

/** Returns the textures of a material. Each texture is listed once. */
function texturesOf(material: Material): { label: string; image: SmallPicture; about: string }[] {
  const seen = new Set<unknown>();
  return Object.entries(material).flatMap(([label, texture]: [string, unknown]) => {
    if (!(texture instanceof Texture) || seen.has(texture)) return [];
    seen.add(texture);
    const image: unknown = texture.image;
    if (!isDrawable(image)) return [];
    return [{ label, image, about: `${image.width} × ${image.height}${texture.colorSpace === 'srgb' ? ' · sRGB' : ''}` }];
  });
}

const DRAWABLE = ['ImageBitmap', 'HTMLImageElement', 'HTMLCanvasElement', 'OffscreenCanvas'] as const;

const isDrawable = (image: unknown): image is SmallPicture =>
  DRAWABLE.some(name => name in globalThis && image instanceof (globalThis[name] as unknown as new () => object));

function imageBranches({ images }: RigScene): Branch[] {
  return images
    .slice(0, MAX_ROWS)
    .map((image): Branch => ({
      kind: 'image',
      name: image.name || image.path || '',
      detail: image.bytes ? bytes(image.bytes.byteLength) : '',
      facts: () => [
        { label: words.inspect.stored, text: image.bytes ? words.inspect.inFile : words.inspect.inSeparateFile },
        ...(image.path ? [{ label: words.finding.path, text: image.path }] : []),
        ...(image.mimeType ? [{ label: words.inspect.kind, text: image.mimeType }] : []),
        ...(image.bytes ? [{ label: words.facts.size, text: words.inspect.bytes(image.bytes.byteLength) }] : []),
      ],
    }));
}

// ---------------------------------------------------------------- animations

function clipBranch(clip: Clip): Branch {
  const { inspect, facts } = words;
  return {
    kind: 'clip',
    name: clip.name,
    detail: words.clock(clip.duration),
    facts: () => [
      { label: facts.length, text: words.clock(clip.duration) },
      ...(clip.frameRate > 0 ? [{ label: inspect.frames, text: `${count(clip.frameCount)} · ${words.rate(clip.frameRate)}` }] : []),
      { label: inspect.tracks, text: count(clip.tracks.length) },
      ...(clip.keysUnread ? [{ label: inspect.keyCount, text: inspect.keysUnread }] : []),
      ...(clip.events.length > 0 ? [{ label: words.sections.events, text: count(clip.events.length) }] : []),
      { label: words.commands.loop.title, text: clip.loop ? inspect.yes : inspect.no },
      ...clip.overrides.map(({ node, mode, includesNode, ...over }) => ({
        label: inspect.override,
        text: inspect.overridden(
          mode,
          node,
          (['translation', 'rotation', 'scale'] as const).filter(what => over[what]).join(', '),
          includesNode,
        ),
      })),
      ...factsIn(clip.properties),
    ],
    ...(clip.tracks.length > 0 && !clip.keysUnread && { children: () => trackBranches(clip) }),
  };
}

const made = new WeakMap<Clip, Branch[]>();

function trackBranches(clip: Clip): Branch[] {
  const known = made.get(clip);
  if (known) return known;
  const { inspect } = words;
  const branches = Array.from({ length: Math.min(clip.tracks.length, MAX_ROWS) }, (_, at): Branch => {
    const track = clip.tracks.get(at);
    const { target, property, path, component, times, interpolation, mode, blendWeight } = track;
    const what = component >= 0 && component < 4 ? `${path}.${'xyzw'[component]!}` : path;
    return {
      kind: 'track',
      name: [target || property || words.noName, what].join(' · '),
      detail: inspect.keys(times.length),
      facts: () => [
        { label: inspect.target, text: [target, property, what].filter(Boolean).join(' · ') },
        { label: inspect.keyCount, text: count(times.length) },
        ...(times.length > 0 ? [{ label: words.time, text: `${words.clock(times[0]!)} – ${words.clock(times[times.length - 1]!)}` }] : []),
        { label: inspect.interpolation, text: interpolation },
        { label: inspect.mode, text: mode },
        ...(mode === 'additive' ? [{ label: words.weight, text: numberText(blendWeight) }] : []),
      ],
    };
  });
  made.set(clip, branches);
  return branches;
}

// ---------------------------------------------------------------- other content

function expressionBranches({ expressions, renderers, meshes }: RigScene): Branch[] {
  return expressions.slice(0, MAX_ROWS).map(({ name, preset, bindings }) => ({
    kind: 'expression',
    name,
    detail: preset ?? '',
    facts: () =>
      bindings.map(({ renderer, morph, weight }) => {
        const mesh = meshes[renderers[renderer]?.mesh ?? -1];
        return { label: mesh?.morphs[morph]?.name ?? words.noName, text: `${numberText(weight)} · ${mesh?.name ?? ''}` };
      }),
  }));
}

const referenceBranches = ({ references }: RigScene): Branch[] =>
  references
    .slice(0, MAX_ROWS)
    .map((reference): Branch => ({
      kind: 'reference',
      name: reference.name,
      detail: reference.kind,
      facts: () => [
        { label: words.inspect.kind, text: reference.kind },
        { label: words.inspect.required, text: reference.required ? words.inspect.yes : words.inspect.no },
        { label: words.inspect.found, text: reference.supplied ? words.inspect.yes : words.inspect.no },
        ...factsIn(reference.properties),
      ],
    }));
