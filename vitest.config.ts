// Configures three projects. `node` runs tests in Node with the real wasm module. `browser` runs
// tests in the installed Chromium (environment variable CHROMIUM_PATH, default /usr/bin/chromium).
// `pages` runs tests in Node that open complete pages in Chromium.
import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';

/** True if campaigns run completely (tests/support/campaign.ts), as in `npm run nightly`. */
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
          // By default, Vitest leaves one CPU core unused, which is half of a machine with two
          // cores.
          maxWorkers: availableParallelism(),
          include: ['tests/**/*.test.{ts,mjs}'],
          exclude: ['tests/web/browser/**', 'tests/site/{examples,people}.test.ts'],
          testTimeout: 30_000,
        },
      },
      // Node opens the pages of web/examples and the built site in Chromium. This is a separate
      // project, because it is slow.
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
        // All dependencies are listed, because Vite reloads the page, and interrupts the test, if
        // it discovers a dependency while a test is running.
        optimizeDeps: {
          include: [
            'three',
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
        // Allows access to the real files next to the repository, if there are any.
        server: { fs: { allow: ['.', '../shared/corpus'] } },
        test: {
          name: 'browser',
          provide,
          include: ['tests/web/browser/**/*.test.ts'],
          testTimeout: 120_000,
          setupFiles: ['tests/support/patience.ts'],
          expect: { poll: { timeout: 20_000 } },
          sequence: { groupOrder: 1 }, // a separate group, because projects in one group need the same number of workers
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
