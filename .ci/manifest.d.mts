/** See manifest.mjs. */
export function customElementsOf(manual: object): object;
export function attributeManual(syntaxes: object, source: string): Record<string, { group: string; text: string; syntax: unknown }>;
