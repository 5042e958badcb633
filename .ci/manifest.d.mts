/** See manifest.mjs. */
export function customElementsOf(manual: object): object;
export function htmlDataOf(manual: object, urls: { file: (path: string) => string }): object;
export function webTypesOf(manual: object, manifest: { name: string; version: string }, urls: { file: (path: string) => string }): object;
export function attributeManual(syntaxes: object, source: string): Record<string, { group: string; text: string; syntax: unknown }>;
