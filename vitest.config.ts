// Configures seven projects. `node` runs tests in Node with the real wasm module. `browser` and
// `fresh` run tests in the installed Chromium (.ci/chromium.mjs): files of `browser` share a page, and
// each file of `fresh` has a new one.
// `webgpu` runs the tests of views that draw with WebGPU, in the same Chromium with other arguments.
// `pages` runs tests in Node that open complete pages in Chromium. `firefox` and `webkit` run a part
// of the tests of `browser` and `fresh`, in the Firefox of the system and in the WebKit of Playwright.
import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { BrowserProviderOption } from 'vitest/node';
import { chromiumPath } from './.ci/chromium.mjs';
import { isInstalled } from './.ci/installedBrowsers.mjs';
import { installedBrowser } from './tests/support/installedBrowser.ts';
import { largeFiles } from './tests/support/largePsa.ts';
import { slowServer } from './tests/support/slowServer.ts';

/** True if campaigns run completely (tests/support/campaign.ts), as in `npm run nightly`. */
const provide = { isLong: Boolean(process.env.RIGCAST_LONG) };

/** Also the browser of the tests in Node that open pages. */
const executablePath = (process.env.CHROMIUM_PATH = chromiumPath());

/** Tests that draw to canvases with WebGPU. */
const webgpuTests = ['tests/web/browser/{element,viewer}/webgpu.test.ts'];

/**
 * Arguments of Chromium for canvases with WebGPU without a graphics card. With fewer arguments, canvases
 * lose their device. Other tests do not use them, because WebGL is then several times slower.
 */
const softwareWebGPU = ['--enable-features=Vulkan', '--use-vulkan=swiftshader', '--use-angle=swiftshader'];

/**
 * Tests of the first visit to a page, tests that count what is left on it, and tests that change what
 * all its models use, such as the node materials.
 */
const freshTests = [
  'core/{modules,prepare,worker}',
  'element/{firstLight,many,words}',
  'three/{exportAndWebgpu,sameWithWebGPU,webgpuNodes}',
  'viewer/address',
].map(files => `tests/web/browser/${files}.test.ts`);

/** Tests of the element, the reader and the loader that need no control over the browser. */
const smoke = ['core/{modules,poses,prepare,worker}', 'element/{element,otherFormats}', 'three/{loader,rig}'].map(
  files => `tests/web/browser/${files}.test.ts`,
);

interface BrowserProject {
  provider: BrowserProviderOption;
  browser: 'chromium' | 'firefox' | 'webkit';
  exclude?: string[];
  /** False if the test files share a page, so that it loads each module once. Default: true. */
  isolate?: boolean;
}

/** Returns a project that runs test files in a browser. */
const inBrowser = (name: string, include: string[], { provider, browser, exclude = [], isolate = true }: BrowserProject) =>
  ({
    plugins: [slowServer(), largeFiles()],
    worker: { format: 'es' },
    // All dependencies are listed, because Vite reloads the page, and interrupts the test, if
    // it discovers a dependency while a test is running.
    optimizeDeps: {
      include: [
        'three',
        '@noble/ciphers/aes.js',
        'axe-core',
        'fflate',
        'gifenc',
        'mediabunny',
        'react',
        'react-dom/client',
        'react-dom/server',
        '@khronosgroup/gltf-viewer/dist/gltf-viewer.module.js',
        '@pixiv/three-vrm-materials-mtoon',
        'three/tsl',
        'three/webgpu',
        'three/addons/exporters/GLTFExporter.js',
        'three/addons/exporters/USDZExporter.js',
        'three/addons/lights/RectAreaLightUniformsLib.js',
        'three/addons/loaders/DRACOLoader.js',
        'three/addons/loaders/GLTFLoader.js',
        'three/addons/loaders/KTX2Loader.js',
        'three/addons/loaders/USDLoader.js',
        'three/addons/controls/OrbitControls.js',
        'three/addons/environments/RoomEnvironment.js',
        'three/addons/lines/LineMaterial.js',
        'three/addons/lines/LineSegments2.js',
        'three/addons/lines/LineSegmentsGeometry.js',
        'three/addons/lines/webgpu/LineSegments2.js',
        'three/addons/utils/SkeletonUtils.js',
      ],
    },
    // Allows access to the real files next to the repository, if there are any.
    server: { fs: { allow: ['.', '../shared/corpus'] } },
    test: {
      name,
      provide,
      include,
      exclude,
      isolate,
      testTimeout: 120_000,
      setupFiles: ['tests/support/patience.ts', 'tests/support/emptyPage.ts'],
      expect: { poll: { timeout: 20_000 } },
      // Groups run one after the other. Projects in one group need the same number of workers.
      sequence: { groupOrder: isolate ? 2 : 1 },
      browser: { enabled: true, headless: true, screenshotFailures: false, api: { host: '127.0.0.1' }, provider, instances: [{ browser }] },
    },
  }) satisfies TestProjectInlineConfiguration;

const chromium = (args: string[]): BrowserProject => ({
  provider: playwright({ launchOptions: { executablePath, args: ['--no-sandbox', '--enable-unsafe-webgpu', ...args] } }),
  browser: 'chromium',
});

/**
 * Arguments of Chromium for canvases with WebGL. The software rasteriser draws only the canvases, not
 * the rest of the page. This saves 7 % of the processor time. Most tests of canvases with WebGPU fail with it.
 */
const softwareWebGL = ['--disable-gpu-compositing'];

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
          // Test files share the modules that a worker has loaded, which halves the processor time.
          isolate: false,
          include: ['tests/**/*.test.{ts,mjs}'],
          exclude: ['tests/web/browser/**', 'tests/site/{compressed,examples,people}.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      // Node opens the pages of web/examples and the built site in Chromium. This is a separate
      // project, because it is slow.
      {
        test: {
          name: 'pages',
          maxWorkers: availableParallelism(),
          include: ['tests/site/{compressed,examples,people}.test.ts'],
          testTimeout: 30_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      inBrowser('browser', ['tests/web/browser/**/*.test.ts'], {
        ...chromium(softwareWebGL),
        exclude: [...freshTests, ...webgpuTests],
        isolate: false,
      }),
      inBrowser('fresh', freshTests, chromium(softwareWebGL)),
      inBrowser('webgpu', webgpuTests, chromium(softwareWebGPU)),
      inBrowser('firefox', smoke, { provider: installedBrowser('firefox'), browser: 'firefox' }),
      inBrowser('webkit', smoke, { provider: isInstalled('webkit') ? installedBrowser('webkit') : playwright(), browser: 'webkit' }),
    ],
  },
});
