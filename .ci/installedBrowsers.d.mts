/** See installedBrowsers.mjs. */
export const programs: Record<'firefox' | 'webkit', string>;
export function isInstalled(browser: 'firefox' | 'webkit'): boolean;
