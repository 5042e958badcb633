/** Builds the bundles for browsers in `folder/browser` from the compiled package in `folder`. */
export function bundleForBrowsers(folder?: string): Promise<Set<string>>;
