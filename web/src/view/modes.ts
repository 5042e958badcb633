// Ways to look at a model that are not its own. For one frame its meshes wear other materials, and then their own again: nothing of the model is changed.
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
 * lit: as the file says. unlit: colours and textures without light. clay: shape alone. normals: seen from the eye. uv: a checker. colors: of vertices.
 * weights: of one bone, or how all bones share the surface. sections: a colour per material.
 */
export const VIEW_MODES = ['lit', 'unlit', 'clay', 'normals', 'uv', 'colors', 'weights', 'sections'] as const;
export type ViewMode = (typeof VIEW_MODES)[number];

/** What a material may have that its stand-in takes over. */
type Source = Material & { map?: Texture | null; color?: unknown; alphaMap?: Texture | null };
type Skinned = Mesh & { skinning?: Skinning | null };

/** Colours of sections lie as far apart as they can. */
const GOLDEN = 0.618034;

export class ViewModePass {
  mode: ViewMode = 'lit';
  /** Lines of all triangles over it. */
  wire = false;
  /** Of the lines. */
  readonly wireColor = new Color(0x2b5fa8);
  readonly #made = new Map<Material, Map<string, Material>>();
  readonly #worn: { mesh: Mesh; material: Material | Material[] }[] = [];
  #checker: Texture | null = null;
  #sections = new Map<Material, number>();

  get isPlain(): boolean {
    return this.mode === 'lit' && !this.wire;
  }

  /** Draws `content` with `draw`, which is called again for the lines: with true then, and only the content is to be drawn. */
  paint(content: Object3D | null, draw: (isOver: boolean) => void): void {
    if (!content || this.isPlain) return draw(false);
    if (this.mode !== 'lit') this.#enter(content, this.mode);
    try {
      draw(false);
    } finally {
      this.#leave();
    }
    if (!this.wire) return;
    this.#enter(content, 'wire');
    try {
      draw(true);
    } finally {
      this.#leave();
    }
  }

  /** Frees what was made for a model that is gone. */
  dispose(): void {
    for (const kinds of this.#made.values()) for (const material of kinds.values()) material.dispose();
    this.#made.clear();
    this.#sections.clear();
    this.#checker?.dispose();
    this.#checker = null;
  }

  #enter(content: Object3D, mode: ViewMode | 'wire'): void {
    content.traverse(object => {
      const mesh = object as Skinned;
      // Lines and hair are drawn by shaders of their own.
      if (!mesh.isMesh || 'isLineSegments2' in mesh || !mesh.material) return;
      const { material } = mesh;
      this.#worn.push({ mesh, material });
      const wear = (one: Material): Material => this.#standIn(one, mode, mesh);
      mesh.material = Array.isArray(material) ? material.map(wear) : wear(material);
    });
  }

  #leave(): void {
    for (const { mesh, material } of this.#worn) mesh.material = material;
    this.#worn.length = 0;
  }

  #standIn(source: Source, mode: ViewMode | 'wire', { skinning, geometry }: Skinned): Material {
    const hasColors = geometry.hasAttribute('color');
    const hasWeights = geometry.hasAttribute(WEIGHT_COLORS);
    const kind = `${mode} ${skinning?.eight} ${skinning?.dual} ${hasColors} ${hasWeights}`;
    let kinds = this.#made.get(source);
    if (!kinds) this.#made.set(source, (kinds = new Map()));
    let material = kinds.get(kind);
    if (!material) {
      material = this.#make(source, mode, hasColors, hasWeights);
      skinning?.extend(material);
      kinds.set(kind, material);
    }
    // A line around a material is none of its surface.
    material.visible = source.visible && !source.userData['outlineOf'];
    material.side = source.side;
    return material;
  }

  #make(source: Source, mode: ViewMode | 'wire', hasColors: boolean, hasWeights: boolean): Material {
    switch (mode) {
      case 'wire':
        return wireMaterial(this.wireColor);
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
  // Nearer than the surface that they lie on.
  patchShader(material, 'wire', {
    key: 'near',
    apply: shader => {
      shader.vertexShader = replaceChunk(
        shader.vertexShader,
        'project_vertex',
        '#include <project_vertex>\ngl_Position.z -= 0.0005 * gl_Position.w;',
      );
    },
  });
  return material;
}

/** In the colours that its vertices have been given; grey where no bones hold it. */
function weightMaterial(hasWeights: boolean): Material {
  const material = new MeshStandardMaterial({ color: hasWeights ? 0xffffff : 0x9a9a9a, roughness: 0.9 });
  if (!hasWeights) return material;
  patchShader(material, 'weights', {
    key: 'colors',
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

/** Eight by eight squares with names, so that one sees which way is up. */
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
