// Reads spring bones and rights from the VRM extensions of a glTF, for conversion. Features have the
// form that the reader of VGO gives them (rig/springGroups.ts). Data that has no such form becomes a
// feature of another kind, which writers report as lost.
import { listIn, member, numberIn, numbersIn, textIn } from '../core/properties.ts';
import { childrenOf } from '../core/tree.ts';
import type { Feature, Properties, PropertyValue, RigScene } from '../core/types.ts';
import type { VrmRows } from './vrm.ts';

/** Returns the features of spring bones and rights that a glTF with VRM extensions declares. */
export function vrmExtras(json: unknown, rows: VrmRows, scene: Pick<RigScene, 'nodes'>): Feature[] {
  const extensions = member(json as PropertyValue, 'extensions');
  const [vrm0, vrm1, springs] = ['VRM', 'VRMC_vrm', 'VRMC_springBone'].map(name => member(extensions, name));
  const others = unreadIn(json as PropertyValue);
  if (vrm1) return [...rightsOf(member(vrm1, 'meta'), RIGHTS_1), ...(springs ? springs1(springs, rows, scene) : []), ...others];
  if (!vrm0) return [];
  return [...rightsOf(member(vrm0, 'meta'), RIGHTS_0), ...springs0(member(vrm0, 'secondaryAnimation'), rows, scene), ...others];
}

/** Returns one feature for each part of the file that is not read: toon shading, constraints, and materials of expressions. */
function unreadIn(json: PropertyValue): Feature[] {
  const extensions = member(json, 'extensions');
  const [vrm0, vrm1] = [member(extensions, 'VRM'), member(member(extensions, 'VRMC_vrm'), 'expressions')];
  const withExtension = (list: string, name: string): number =>
    listIn(json, list).filter(each => member(member(each, 'extensions'), name) !== undefined).length;
  const expressions = ['preset', 'custom'].flatMap(kind => Object.values(Object(member(vrm1, kind)) as Record<string, PropertyValue>));
  const counts = {
    'toon shading of a material':
      withExtension('materials', 'VRMC_materials_mtoon') +
      listIn(vrm0, 'materialProperties').filter(each => textIn(each, 'shader') === 'VRM/MToon').length,
    'constraint of a node': withExtension('nodes', 'VRMC_node_constraint'),
    'material of an expression':
      expressions.reduce<number>(
        (sum, each) => sum + listIn(each, 'materialColorBinds').length + listIn(each, 'textureTransformBinds').length,
        0,
      ) +
      listIn(member(vrm0, 'blendShapeMaster'), 'blendShapeGroups').reduce<number>(
        (sum, each) => sum + listIn(each, 'materialValues').length,
        0,
      ),
  };
  return Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, (): Feature => ({ kind, name: '' })));
}

// ---------------------------------------------------------------- rights

const RIGHTS_0: Readonly<Record<string, string>> = {
  title: 'title',
  version: 'version',
  author: 'author',
  reference: 'distributionUrl',
  otherLicenseUrl: 'licenseUrl',
};
const RIGHTS_1: Readonly<Record<string, string>> = {
  name: 'title',
  version: 'version',
  authors: 'author',
  references: 'distributionUrl',
  otherLicenseUrl: 'licenseUrl',
  licenseUrl: 'licenseUrl',
};
/** Members of the metadata that describe no right. */
const NO_PERMISSIONS = ['texture', 'thumbnailImage', 'specVersion'];

/**
 * Returns the feature `right`, and the feature `permissions` with all other statements about rights,
 * such as who may use the avatar.
 */
function rightsOf(meta: PropertyValue | undefined, names: Readonly<Record<string, string>>): Feature[] {
  if (meta === null || typeof meta !== 'object' || Array.isArray(meta)) return [];
  const right: Properties = {};
  const permissions: Properties = {};
  const entries = Object.entries(meta);
  for (const [name, value] of Object.keys(names).flatMap(key => entries.filter(([name]) => name === key))) {
    const own = names[name] ?? '';
    const text = Array.isArray(value) ? value.filter(each => typeof each === 'string').join(', ') : value;
    if (typeof text === 'string' && text !== '' && !Object.hasOwn(right, own)) right[own] = text;
  }
  for (const [name, value] of entries)
    if (!Object.hasOwn(names, name) && !NO_PERMISSIONS.includes(name) && value !== '') permissions[name] = value as PropertyValue;
  return [
    ...(Object.keys(right).length > 0 ? [{ kind: 'right', name: '', properties: right }] : []),
    ...Object.keys(permissions).map((name): Feature => ({ kind: 'permission', name, properties: { [name]: permissions[name]! } })),
  ];
}

// ---------------------------------------------------------------- spring bones

interface Settings {
  hitRadius: number;
  stiffnessForce: number;
  gravityPower: number;
  gravityDirection: readonly number[];
  dragForce: number;
}

/** Maximum values that VGO allows (docs/formats/vgo.md, section 5.11). */
const LIMITS = { hitRadius: 0.5, stiffnessForce: 4, gravityPower: 2, dragForce: 1 } as const;

/** Collects the features of spring bones and their colliders. */
class SpringFeatures {
  readonly features: Feature[] = [];
  readonly #lost = new Map<string, number>();

  /** Adds colliders of a node. Returns the index by which groups refer to them. */
  addColliders(node: number, colliders: { offset: readonly number[]; radius: number }[]): number {
    const index = this.features.filter(({ kind }) => kind === 'springBoneColliderGroup').length;
    const properties = { index, colliders: colliders.map(({ offset, radius }) => ({ offset: [...offset], radius })) };
    this.features.push({ kind: 'springBoneColliderGroup', name: '', node, properties });
    return index;
  }

  add(rootBones: number[], { gravityDirection, ...settings }: Settings, colliderGroups: number[]): void {
    const clamped = Object.fromEntries(
      Object.entries(LIMITS).map(([name, most]) => {
        const value = settings[name as keyof typeof LIMITS];
        if (!(value >= 0 && value <= most)) this.lose('springBone setting outside the range of VGO');
        return [name, Math.min(Math.max(value, 0), most)];
      }),
    );
    const properties: Properties = { ...clamped, gravityDirection: [...gravityDirection], rootBones, colliderGroups };
    this.features.push({ kind: 'springBone', name: '', properties });
  }

  lose(what: string): void {
    this.#lost.set(what, (this.#lost.get(what) ?? 0) + 1);
  }

  all(): Feature[] {
    const lost = [...this.#lost].flatMap(([kind, count]) => Array.from({ length: count }, (): Feature => ({ kind, name: '' })));
    return [...this.features, ...lost];
  }
}

function springs0(secondary: PropertyValue | undefined, rows: VrmRows, scene: Pick<RigScene, 'nodes'>): Feature[] {
  const found = new SpringFeatures();
  const vector = (value: PropertyValue | undefined, y: number): [number, number, number] => [
    numberIn(value, 'x', 0),
    numberIn(value, 'y', y),
    numberIn(value, 'z', 0),
  ];
  const groups = listIn(secondary, 'colliderGroups').map(group => {
    const node = rows.node(numberIn(group, 'node', -1));
    const spheres = listIn(group, 'colliders').map(each => {
      const [x, y, z] = vector(member(each, 'offset'), 0);
      return { offset: [x, y, -z], radius: numberIn(each, 'radius', 0) }; // offsets are left-handed
    });
    return node > 0 ? found.addColliders(node, spheres) : -1;
  });
  const children = childrenOf(scene);
  for (const group of listIn(secondary, 'boneGroups')) {
    const roots = listIn(group, 'bones')
      .map(bone => rows.node(Number(bone)))
      .filter(row => row > 0)
      .flatMap(row => chainRoots(row, children));
    const settings = {
      hitRadius: numberIn(group, 'hitRadius', 0),
      stiffnessForce: numberIn(group, 'stiffiness', 1), // the specification spells it like this
      gravityPower: numberIn(group, 'gravityPower', 0),
      gravityDirection: vector(member(group, 'gravityDir'), -1),
      dragForce: numberIn(group, 'dragForce', 0.4),
    };
    const colliders = listIn(group, 'colliderGroups').map(index => groups[Number(index)] ?? -1);
    if (roots.length > 0)
      found.add(
        roots,
        settings,
        colliders.filter(index => index >= 0),
      );
  }
  return found.all();
}

/**
 * Returns the roots of the chains that cover a bone and all its descendants, which move in VRM 0.x.
 * A chain continues with the first child of each bone.
 */
function chainRoots(root: number, children: readonly (readonly number[])[]): number[] {
  const roots = [root];
  for (let k = 0; k < roots.length; k++)
    for (let row: number | undefined = roots[k]; row !== undefined; row = children[row]?.[0])
      roots.push(...(children[row]?.slice(1) ?? []));
  return roots;
}

function springs1(springs: PropertyValue, rows: VrmRows, scene: Pick<RigScene, 'nodes'>): Feature[] {
  const found = new SpringFeatures();
  const colliders = listIn(springs, 'colliders').map(each => {
    const sphere = member(member(each, 'shape'), 'sphere');
    const node = rows.node(numberIn(each, 'node', -1));
    if (!sphere) found.lose('springBone collider that is not a sphere');
    return sphere && node > 0 ? { node, offset: numbersIn(sphere, 'offset', [0, 0, 0]), radius: numberIn(sphere, 'radius', 0) } : null;
  });
  // A group of VGO belongs to one node, so the colliders of a group are divided by node.
  const groups = listIn(springs, 'colliderGroups').map(group => {
    const own = listIn(group, 'colliders').flatMap(index => colliders[Number(index)] ?? []);
    return [...new Set(own.map(({ node }) => node))].map(node =>
      found.addColliders(
        node,
        own.filter(each => each.node === node),
      ),
    );
  });
  const children = childrenOf(scene);
  for (const spring of listIn(springs, 'springs')) {
    const joints = listIn(spring, 'joints').map(joint => ({ joint, row: rows.node(numberIn(joint, 'node', -1)) }));
    const [first] = joints;
    if (!first || first.row <= 0) continue;
    if (joints.some(({ row }, k) => k > 0 && children[joints[k - 1]!.row]?.[0] !== row) || children[joints.at(-1)!.row]?.length)
      found.lose('springBone chain that is not the first child of each bone');
    const settings = settingsOf(first.joint);
    const isEven = joints.slice(0, -1).every(({ joint }) => JSON.stringify(settingsOf(joint)) === JSON.stringify(settings));
    if (!isEven) found.lose('springBone settings of single joints');
    const used = listIn(spring, 'colliderGroups').flatMap(index => groups[Number(index)] ?? []);
    if (member(spring, 'center') !== undefined) found.lose('springBone center');
    found.add([first.row], settings, used);
  }
  return found.all();
}

const settingsOf = (joint: PropertyValue): Settings => ({
  hitRadius: numberIn(joint, 'hitRadius', 0),
  stiffnessForce: numberIn(joint, 'stiffness', 1),
  gravityPower: numberIn(joint, 'gravityPower', 0),
  gravityDirection: numbersIn(joint, 'gravityDir', [0, -1, 0]),
  dragForce: numberIn(joint, 'dragForce', 0.5),
});
