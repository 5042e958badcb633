// A new worker: where its script is, and how pages under a policy take that address.
import { placed } from '../place.ts';
import { settings } from '../settings.ts';

/** The literal that bundlers look for. */
function literal(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'rigcast' });
}

type Place = ConstructorParameters<typeof Worker>;

let place: Place | undefined;

/**
 * Where the worker's script is, and of which kind bundlers made it. Only the literal is rewritten by them, so both are taken from that very
 * call, with a stand-in for the constructor while it runs (synchronously, so no other code sees it).
 */
function findPlace(): Place {
  const original = globalThis.Worker;
  globalThis.Worker = class {
    constructor(...args: Place) {
      place = args;
    }
  } as unknown as typeof Worker;
  try {
    literal();
  } finally {
    globalThis.Worker = original;
  }
  return place!;
}

/** Throws where no policy of the page allows a worker, or where there are none. */
export function newWorker(): Worker {
  const { worker } = settings;
  if (typeof worker === 'function') return worker();
  const [found, options]: Place = worker === undefined ? (place ?? findPlace()) : [worker, { type: 'module', name: 'rigcast' }];
  const address = placed(found, 'worker/worker.js');
  try {
    return new Worker(trusted(address), options);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
  }
  // A script on another origin cannot be a worker, but a module of our own origin may import it.
  const script = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' }));
  setTimeout(() => URL.revokeObjectURL(script), 60_000);
  return new Worker(trusted(script), { type: 'module', name: 'rigcast' });
}

interface Policy {
  createScriptURL(address: string): string;
}

let allowed = '';

let policy: Policy | null | undefined;

/** The address as a page under Trusted Types takes it: by a policy named `rigcast`, which allows that of the worker and no other. */
function trusted(address: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
  allowed = address;
  if (policy === undefined) {
    const createScriptURL = (asked: string): string => {
      if (asked !== allowed) throw new TypeError(asked);
      return asked;
    };
    try {
      policy = trustedTypes?.createPolicy('rigcast', { createScriptURL }) ?? null;
    } catch {
      policy = null; // the page allows no such policy; perhaps it asks for none either
    }
  }
  return policy ? policy.createScriptURL(address) : address;
}
