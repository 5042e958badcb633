// Values of materials that the visitor has set. The session stores them for all models. They
// replace the values of a file beside the model, and are used whenever a model is shown or converted.
import type { NamedMaterialValues } from '../textures/materialValues.ts';

/** All values of the materials of a model. */
export interface ModelMaterialValues {
  /** Path of the model's file. */
  readonly path: string;
  /** Empty if the visitor has reset all values, including those of a file beside the model. */
  readonly values: readonly NamedMaterialValues[];
}

/** Returns the values of a model; null if the visitor has not set any. */
export const valuesFor = (all: readonly ModelMaterialValues[], path: string): readonly NamedMaterialValues[] | null =>
  all.find(each => each.path === path)?.values ?? null;

/** Replaces the values of a model. */
export const withModelValues = (all: readonly ModelMaterialValues[], added: ModelMaterialValues): readonly ModelMaterialValues[] => [
  ...all.filter(({ path }) => path !== added.path),
  added,
];
