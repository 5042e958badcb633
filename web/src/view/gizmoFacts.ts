// Texts that describe objects without a surface, such as particle systems. Their outlines are in
// gizmos.ts.
import { member, numberIn, textIn } from '../core/properties.ts';
import type { Feature, RigScene } from '../core/types.ts';

export type GizmoKind = 'colliders' | 'lights' | 'particles';

export const GIZMO_KINDS: readonly GizmoKind[] = ['colliders', 'lights', 'particles'];

/** Returns true if the scene may contain objects to outline. */
export const mayHaveGizmos = ({ features, lights }: RigScene): boolean => features.length > 0 || lights.length > 0;

const SHAPES = [
  'sphere',
  'sphere',
  'hemisphere',
  'hemisphere',
  'cone',
  'box',
  'mesh',
  'cone',
  'cone',
  'cone',
  'circle',
  'circle',
  'edge',
  'mesh',
  'skinned mesh',
  'box',
  'box',
  'donut',
  'rectangle',
  'sprite',
  'sprite',
];

/** Returns the main settings of a particle system as pairs of label and value. */
export function particleFacts({ properties }: Feature): [label: string, value: string][] {
  const main = member(properties, 'main');
  const emission = member(properties, 'emission');
  const shape = member(properties, 'shape');
  const renderer = member(properties, 'renderer');
  const facts: [string, string][] = [];
  const add = (label: string, value: string): void => void (value && facts.push([label, value]));
  add('Lifetime', amount(member(main, 'startLifetime'), ' s'));
  add('Speed', amount(member(main, 'startSpeed'), ' m/s'));
  add('Size', amount(member(main, 'startSize') ?? member(main, 'startSizeX'), ' m'));
  if (member(emission, 'enabled') === true) add('Rate', amount(member(emission, 'rateOverTime'), ' per second'));
  if (member(shape, 'enabled') === true) add('Shape', SHAPES[numberIn(shape, 'shapeType', 0)] ?? '');
  add('Max particles', String(numberIn(main, 'maxParticles', 0) || ''));
  add('Duration', `${numberIn(main, 'duration', 0)} s${member(main, 'loop') === true ? ', looping' : ''}`);
  add(
    'Render mode',
    member(renderer, 'enabled') === true
      ? (['billboards', 'stretched billboards', 'horizontal billboards', 'vertical billboards', 'meshes', ''][
          numberIn(renderer, 'renderMode', 0)
        ] ?? '')
      : '',
  );
  add('Name', textIn(properties, 'name'));
  return facts;
}

/** Formats the value of a particle system's curve. */
function amount(curve: Parameters<typeof member>[0], unit: string): string {
  if (curve === null || curve === undefined) return '';
  const number = (name: string): string => String(Number(numberIn(curve, name, -1).toFixed(3)));
  switch (numberIn(curve, 'mode', 0)) {
    case 0:
      return `${number('constant')}${unit}`;
    case 3:
      return `${number('constantMin')} to ${number('constantMax')}${unit}`;
    default:
      return `by a curve, up to ${number('curveMultiplier')}${unit}`;
  }
}
