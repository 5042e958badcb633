// Three projects: `node` runs against the real wasm, `browser` in the machine's own Chromium (CHROMIUM_PATH overrides where it is), `pages` opens whole pages there.
import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

/** Campaigns of tests run whole (tests/support/campaign.ts): `npm run nightly` wants that. */
const provide = { isLong: Boolean(process.env.RIGCAST_LONG) };

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export default defineConfig({
  test: {
    passWithNoTests: true,
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    testTimeout: 30_000,
    projects: [
      {
        test: {
          name: 'node',
          provide,
          // Vitest leaves one core free, which is half of a machine that has two.
          maxWorkers: availableParallelism(),
          include: ['tests/**/*.test.{ts,mjs}'],
          exclude: ['tests/web/browser/**', 'tests/site/{examples,people}.test.ts'],
          testTimeout: 30_000,
        },
      },
      // Node drives Chromium over the pages of web/examples and the built site: a step of its own, since it is slow.
      {
        test: {
          name: 'pages',
          maxWorkers: availableParallelism(),
          include: ['tests/site/{examples,people}.test.ts'],
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        worker: { format: 'es' },
        // Found while a test runs, a dependency would make Vite reload the page under it.
        optimizeDeps: {
          include: [
            'three',
            'axe-core',
            '@noble/ciphers/aes.js',
            'axe-core',
            'fflate',
            '@khronosgroup/gltf-viewer/dist/gltf-viewer.module.js',
            '@pixiv/three-vrm-materials-mtoon',
            'three/webgpu',
            'three/addons/exporters/GLTFExporter.js',
            'three/addons/lights/RectAreaLightUniformsLib.js',
            'three/addons/loaders/GLTFLoader.js',
            'three/examples/jsm/controls/OrbitControls.js',
            'three/examples/jsm/environments/RoomEnvironment.js',
            'three/addons/lines/LineMaterial.js',
            'three/addons/lines/LineSegments2.js',
            'three/addons/lines/LineSegmentsGeometry.js',
            'three/addons/utils/SkeletonUtils.js',
          ],
        },
        // Real files to try, where they lie beside the repository.
        server: { fs: { allow: ['.', '../shared/corpus'] } },
        test: {
          name: 'browser',
          provide,
          include: ['tests/web/browser/**/*.test.ts'],
          testTimeout: 120_000,
          setupFiles: ['tests/support/patience.ts'],
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 1 }, // projects of one group need the same number of workers
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            api: { host: '127.0.0.1' },
            provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox', '--enable-unsafe-webgpu'] } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
