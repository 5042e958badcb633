// Shading modes. The materials of the content are replaced while a frame is drawn and restored
// afterwards.
import {
  CanvasTexture,
  Color,
  DoubleSide,
  type Material,
  type Mesh,
  MeshBasicMaterial,
  MeshNormalMaterial,
  MeshStandardMaterial,
  type Object3D,
  RepeatWrapping,
  type Texture,
} from 'three';
import { patchShader, replaceChunk } from '../three/materials/shaderPatch.ts';
import type { Skinning } from '../three/build/skinning.ts';
import { WEIGHT_COLORS } from './weights.ts';

/**
 * Shading modes: the materials of the model (`lit`), their colours and textures without lighting
 * (`unlit`), a grey material (`clay`), view-space normals (`normals`), a checker texture (`uv`),
 * vertex colours (`colors`), skin weights of one bone or of all bones (`weights`), one colour per
 * material (`sections`).
 */
export const VIEW_MODES = ['lit', 'unlit', 'clay', 'normals', 'uv', 'colors', 'weights', 'sections'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** Original material, with the properties that its replacement copies. */
type Source = Material & { map?: Texture | null; color?: unknown; alphaMap?: Texture | null };
type Skinned = Mesh & { skinning?: Skinning | null };

/** Golden ratio, used to give successive sections very different hues. */
const GOLDEN = 0.618034;

/** Distance by which wireframes are drawn in front of the surface, as a share of the depth range. */
const WIRE_OFFSET = 0.00025;

export class ViewModePass {
  mode: ViewMode = 'lit';
  /** True to draw a wireframe over the content. */
  wireframe = false;
  /** Colour of the wireframe. */
  readonly wireframeColor = new Color(0x2b5fa8);
  readonly #materials = new Map<Material, Map<string, Material>>();
  readonly #replaced: { mesh: Mesh; material: Material | Material[] }[] = [];
  #checker: Texture | null = null;
  #sections = new Map<Material, number>();

  get isDefault(): boolean {
    return this.mode === 'lit' && !this.wireframe;
  }

  /**
   * Draws a frame. Calls `draw(false)` with the materials of the current mode. If `wireframe` is
   * true, then calls `draw(true)`, which must draw only the content over the picture.
   */
  render(content: Object3D | null, draw: (isOver: boolean) => void): void {
    if (!content || this.isDefault) return draw(false);
    if (this.mode !== 'lit') this.#replaceMaterials(content, this.mode);
    try {
      draw(false);
    } finally {
      this.#restoreMaterials();
    }
    if (!this.wireframe) return;
    this.#replaceMaterials(content, 'wire');
    try {
      draw(true);
    } finally {
      this.#restoreMaterials();
    }
  }

  /** Disposes all replacement materials. Call this when a model is closed. */
  dispose(): void {
    for (const kinds of this.#materials.values()) for (const material of kinds.values()) material.dispose();
    this.#materials.clear();
    this.#sections.clear();
    this.#checker?.dispose();
    this.#checker = null;
  }

  #replaceMaterials(content: Object3D, mode: ViewMode | 'wire'): void {
    content.traverse(object => {
      const mesh = object as Skinned;
      // Keep the materials of lines and hair ribbons, which have their own shaders.
      if (!mesh.isMesh || 'isLineSegments2' in mesh || !mesh.material) return;
      const { material } = mesh;
      this.#replaced.push({ mesh, material });
      const replace = (one: Material): Material => this.#replacementOf(one, mode, mesh);
      mesh.material = Array.isArray(material) ? material.map(replace) : replace(material);
    });
  }

  #restoreMaterials(): void {
    for (const { mesh, material } of this.#replaced) mesh.material = material;
    this.#replaced.length = 0;
  }

  #replacementOf(source: Source, mode: ViewMode | 'wire', { skinning, geometry }: Skinned): Material {
    const hasColors = geometry.hasAttribute('color');
    const hasWeights = geometry.hasAttribute(WEIGHT_COLORS);
    const kind = `${mode} ${skinning?.eight} ${skinning?.dual} ${hasColors} ${hasWeights}`;
    let kinds = this.#materials.get(source);
    if (!kinds) this.#materials.set(source, (kinds = new Map()));
    let material = kinds.get(kind);
    if (!material) {
      material = this.#createMaterial(source, mode, hasColors, hasWeights);
      skinning?.extend(material);
      kinds.set(kind, material);
    }
    // Toon outlines are hidden, because they are not part of the surface.
    material.visible = source.visible && !source.userData['outlineOf'];
    material.side = source.side;
    return material;
  }

  #createMaterial(source: Source, mode: ViewMode | 'wire', hasColors: boolean, hasWeights: boolean): Material {
    switch (mode) {
      case 'wire':
        return wireMaterial(this.wireframeColor);
      case 'normals':
        return new MeshNormalMaterial();
      case 'uv':
        return new MeshBasicMaterial({ map: (this.#checker ??= makeChecker()), toneMapped: false });
      case 'colors':
        return new MeshBasicMaterial({ vertexColors: hasColors, color: hasColors ? 0xffffff : 0x808080, toneMapped: false });
      case 'weights':
        return weightMaterial(hasWeights);
      case 'sections': {
        if (!this.#sections.has(source)) this.#sections.set(source, this.#sections.size);
        const color = new Color().setHSL((0.08 + this.#sections.get(source)! * GOLDEN) % 1, 0.55, 0.5);
        return new MeshStandardMaterial({ color, roughness: 0.8 });
      }
      case 'unlit':
        return unlit(source);
      default:
        return new MeshStandardMaterial({ color: 0xb4aea4, roughness: 0.75 });
    }
  }
}

function unlit(source: Source): Material {
  const { map = null, alphaMap = null, alphaTest, transparent, opacity, vertexColors, depthWrite, blending } = source;
  const color = source.color instanceof Color ? source.color : 0xffffff;
  return new MeshBasicMaterial({
    map,
    alphaMap,
    color,
    alphaTest,
    transparent,
    opacity,
    vertexColors,
    depthWrite,
    blending,
    toneMapped: false,
  });
}

function wireMaterial(color: Color): Material {
  const material = new MeshBasicMaterial({ color, wireframe: true, transparent: true, opacity: 0.75, depthWrite: false, side: DoubleSide });
  material.toneMapped = false;
  // Moves the lines slightly towards the camera, so that the surface does not hide them.
  patchShader(material, 'nearer', {
    key: '',
    values: WIRE_OFFSET,
    apply: shader => {
      shader.vertexShader = replaceChunk(
        shader.vertexShader,
        'project_vertex',
        `#include <project_vertex>\ngl_Position.z -= ${2 * WIRE_OFFSET} * gl_Position.w;`,
      );
    },
  });
  return material;
}

/**
 * Creates a material that shows the weight colours of the vertices; grey for meshes without a skin.
 */
function weightMaterial(hasWeights: boolean): Material {
  const material = new MeshStandardMaterial({ color: hasWeights ? 0xffffff : 0x9a9a9a, roughness: 0.9 });
  if (!hasWeights) return material;
  patchShader(material, 'attributeColor', {
    key: WEIGHT_COLORS,
    values: WEIGHT_COLORS,
    apply: shader => {
      shader.vertexShader = replaceChunk(
        `attribute vec3 ${WEIGHT_COLORS};\nvarying vec3 vWeightColor;\n${shader.vertexShader}`,
        'begin_vertex',
        `#include <begin_vertex>\nvWeightColor = ${WEIGHT_COLORS};`,
      );
      shader.fragmentShader = replaceChunk(
        `varying vec3 vWeightColor;\n${shader.fragmentShader}`,
        'color_fragment',
        '#include <color_fragment>\ndiffuseColor.rgb *= vWeightColor;',
      );
    },
  });
  return material;
}

/** Creates a texture of 8 × 8 labelled squares. The labels show the orientation of the texture. */
function makeChecker(): Texture {
  const size = 512;
  const cell = size / 8;
  const canvas = Object.assign(document.createElement('canvas'), { width: size, height: size });
  const context = canvas.getContext('2d')!;
  context.font = `${cell * 0.36}px sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      const isDark = (x + y) % 2 === 1;
      context.fillStyle = `hsl(${(x * 45 + 200) % 360} ${isDark ? 42 : 30}% ${(isDark ? 38 : 78) - y * 2}%)`;
      context.fillRect(x * cell, y * cell, cell, cell);
      context.fillStyle = isDark ? '#ffffffcc' : '#000000aa';
      context.fillText(`${'ABCDEFGH'[y]}${x + 1}`, (x + 0.5) * cell, (y + 0.5) * cell);
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.flipY = false;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.colorSpace = 'srgb';
  texture.anisotropy = 4;
  return texture;
}
