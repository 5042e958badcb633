// URLs of rigcast.wasm and the worker, and messages if they cannot be resolved.
import { describe, expect, it } from 'vitest';
import { resolveAsset } from '../../../web/src/core/assetUrl.ts';
import { compileWasm } from '../../../web/src/core/wasm.ts';

describe('resolveAsset', () => {
  it('finds the files of a module that Vite 7 has moved', () => {
    expect(resolveAsset('http://localhost:5173/node_modules/.vite/deps/worker.js?v=1', 'worker/worker.js')).toBe(
      'http://localhost:5173/node_modules/rigcast/dist/core/worker/worker.js',
    );
    expect(resolveAsset(new URL('http://a.b/app/node_modules/.vite/deps/wasm/rigcast.wasm'), 'wasm/rigcast.wasm')).toBe(
      'http://a.b/app/node_modules/rigcast/dist/core/wasm/rigcast.wasm',
    );
  });

  it.each(['http://a.b/assets/rigcast-1.wasm', 'file:///app/node_modules/rigcast/dist/core/wasm/rigcast.wasm', 'blob:http://a.b/1'])(
    'leaves %s',
    address => {
      expect(resolveAsset(address, 'wasm/rigcast.wasm')).toBe(address);
    },
  );
});

describe('a URL of a page, used on a server', () => {
  it('is rejected with advice', async () => {
    await expect(compileWasm('/_next/static/media/rigcast.wasm')).rejects.toThrow(
      '/_next/static/media/rigcast.wasm is not a valid URL on a server. Exclude rigcast from the bundle of the server (Next: serverExternalPackages: ["rigcast"]).',
    );
  });
});
