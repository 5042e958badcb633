// Minimal type declarations for the Khronos glTF renderer, which has none of its own.
declare module '@khronosgroup/gltf-viewer/dist/gltf-viewer.module.js' {
  interface Gltf {
    animations: readonly object[];
    scenes: readonly { applyTransformHierarchy(gltf: Gltf): void }[];
  }

  interface State {
    gltf: Gltf;
    sceneIndex: number;
    environment: object;
    renderingParameters: { useIBL: boolean; renderEnvironmentMap: boolean; clearColor: number[] };
    userCamera: { perspective: { aspectRatio: number }; resetView(gltf: Gltf, scene: number): void };
    animationTimer: { setFixedTime(seconds: number): void };
    animationIndices: number[];
  }

  type Library = () => Promise<object>;

  export class GltfView {
    constructor(context: WebGL2RenderingContext);
    createState(): State;
    createResourceLoader(draco: Library, ktx: Library, libraries: string): { loadGltf(data: ArrayBuffer): Promise<Gltf> };
    renderFrame(state: State, width: number, height: number): void;
    gatherStatistics(state: State): { faceCount: number };
  }
}

declare module '@khronosgroup/gltf-viewer/dist/libs/mikktspace_bg.wasm?url' {
  const address: string;
  export default address;
}
