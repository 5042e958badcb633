// With a release of three.js whose shaders are unknown, rigcast draws without shader patches and
// reports the difference.
import { Mesh, MeshBasicMaterial, ShaderLib, type WebGLProgramParametersWithUniforms } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Rig, type RigSkinnedMesh } from '../../../web/src/three/index.ts';
import { patchShader, replaceChunk, replaceText } from '../../../web/src/three/materials/shaderPatch.ts';
import { chainScene } from '../../support/chainScene.ts';

const standard = ShaderLib.standard.vertexShader;
beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());
afterEach(() => {
  ShaderLib.standard.vertexShader = standard;
  vi.restoreAllMocks();
});

const compile = (material: MeshBasicMaterial, vertexShader: string) => {
  const shader = { vertexShader, fragmentShader: '', uniforms: {} } as unknown as WebGLProgramParametersWithUniforms;
  material.onBeforeCompile(shader, null!);
  return shader.vertexShader;
};

describe('a three.js whose shaders have changed', () => {
  it('draws four linear influences instead of eight, and reports it', async () => {
    expect(((await Rig.make({ scene: chainScene(8) })).meshes[0] as RigSkinnedMesh).skinning).toMatchObject({ eight: true, dual: false });
    ShaderLib.standard.vertexShader = standard.replace('#include <skinbase_vertex>', '#include <skin_vertex>');
    const rig = await Rig.make({ scene: chainScene(8) });
    expect((rig.meshes[0] as RigSkinnedMesh).skinning).toBeNull();
    expect(rig.report.items).toEqual([
      {
        code: 'SKINNING_REDUCED',
        severity: 'warning',
        offset: null,
        path: 'ribbon',
        count: 1,
        detail: 'up to 8 influences, drawn with four linear influences, because the shaders of this three.js release are unknown',
      },
    ]);
  });

  it('keeps a shader unchanged if a patch does not fit, and applies all others', () => {
    const { material } = new Mesh(undefined, new MeshBasicMaterial());
    patchShader(material, 'half', {
      key: '',
      apply: shader => {
        shader.vertexShader = replaceText(shader.vertexShader, 'void main', 'float half; void main');
        shader.vertexShader = replaceChunk(shader.vertexShader, 'uv_vertex', 'gone');
      },
    });
    patchShader(material, 'fits', { key: '', apply: shader => void (shader.vertexShader += ' // fits') });
    expect(compile(material, 'void main() {}')).toBe('void main() {} // fits');
    compile(material, 'void main() {}');
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      ['rigcast: the shaders of this three.js release are unknown ("#include <uv_vertex>" is missing): "half" is not drawn.'],
    ]);
    expect(compile(material, 'void main() { #include <uv_vertex> }')).toBe('float half; void main() { gone } // fits');
  });
});
