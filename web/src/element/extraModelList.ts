// Parses the attribute `extra-models`. The models are loaded by extraModels.ts.

/** A model in the attribute `extra-models`. All values have the syntax of the attribute with the same name. */
export interface ExtraModel {
  readonly src: string;
  readonly files?: string;
  readonly animation?: string;
  /** Name of the bone to which the model is attached. */
  readonly bone?: string;
  /** Position in metres relative to the scene or the bone, such as `1m 0m 0m`. */
  readonly position?: string;
  readonly orientation?: string;
  readonly scale?: string;
}

const KEYS = { src: true, files: true, animation: true, bone: true, position: true, orientation: true, scale: true } satisfies Record<
  keyof ExtraModel,
  true
>;

/** Maximum number of models. */
const MAX_MODELS = 64;

/** Returns the models in a JSON list. Returns null if the text is not a list of models. */
export function parseExtraModels(text: string): ExtraModel[] | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  return Array.isArray(found) && found.length <= MAX_MODELS && found.every(isExtraModel) ? found : null;
}

function isExtraModel(value: unknown): value is ExtraModel {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    /\S/.test(String((value as ExtraModel).src ?? '')) &&
    entries.every(([key, word]) => Object.hasOwn(KEYS, key) && typeof word === 'string')
  );
}
