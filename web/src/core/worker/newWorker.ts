// Creates workers: locates the script and satisfies the page's Trusted Types policy.
import { resolveAsset } from '../assetUrl.ts';
import { settings } from '../settings.ts';
import { invalidArgument } from '../error.ts';

/** Creates the worker. Bundlers detect this expression and rewrite it. */
function literal(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'rigcast' });
}

type WorkerArguments = ConstructorParameters<typeof Worker>;

let capturedArguments: WorkerArguments | undefined;

/**
 * Returns the URL and options of the worker as rewritten by the bundler. Bundlers rewrite only the
 * literal call in `literal`, so this function captures its arguments by replacing the constructor
 * during the call. The call is synchronous, so no other code is affected.
 */
function findScript(): WorkerArguments {
  const original = globalThis.Worker;
  globalThis.Worker = class {
    constructor(...args: WorkerArguments) {
      capturedArguments = args;
    }
  } as unknown as typeof Worker;
  try {
    literal();
  } finally {
    globalThis.Worker = original;
  }
  return capturedArguments!;
}

/** Creates a worker. Throws if the page's policies forbid workers or if workers are unavailable. */
export function newWorker(): Worker {
  const { worker } = settings;
  if (typeof worker === 'function') return worker();
  const [found, options]: WorkerArguments =
    worker === undefined ? (capturedArguments ?? findScript()) : [worker, { type: 'module', name: 'rigcast' }];
  const address = resolveAsset(found, 'worker/worker.js');
  try {
    return new Worker(trusted(address), options);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
  }
  // The script of a worker cannot be on another origin, but a module on the page's origin may
  // import it.
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' }));
  setTimeout(() => URL.revokeObjectURL(script), 60_000);
  return new Worker(trusted(script), { type: 'module', name: 'rigcast' });
}

interface Policy {
  createScriptURL(address: string): string;
}

let allowed = '';

let policy: Policy | null | undefined;

/**
 * Returns the URL as a trusted URL, if the browser supports Trusted Types. It is created by a
 * policy named `rigcast`, which allows only this URL.
 */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  allowed = address;
  if (policy === undefined) {
    const createScriptURL = (requested: string): string => {
      if (requested !== allowed) throw invalidArgument(requested);
      return requested;
    };
    try {
      policy = trustedTypes?.createPolicy('rigcast', { createScriptURL }) ?? null;
    } catch {
      policy = null; // the page forbids this policy; the URL still works if the page does not enforce Trusted Types
    }
  }
  return policy ? policy.createScriptURL(address) : address;
}
