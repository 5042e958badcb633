// Converts the model of an element with all its animations to GLB. Imported when the file is
// requested.
import { codeTable, sharedCodes } from '../convert/common/codes.ts';
import type { ImageSource } from '../convert/common/imageSource.ts';
import { runConversion } from '../convert/conversion.ts';
import { gltf } from '../convert/gltf/target.ts';
import type { RigFile } from '../core/open.ts';
import type { TextureSource } from '../textures/sources.ts';
import type { Rig } from '../three/rig.ts';
import type { ExportedModel } from './types.ts';

/** The only target of elements, so that pages load no other writer. */
const GLB = { name: 'glb', row: gltf.targets.glb, codes: codeTable([...sharedCodes, ...gltf.codes]) };

/**
 * Converts a model. `sources`: rigs of which only the animations are used. `original`: returns the
 * file of the model if it is already a GLB; it is then returned unchanged unless animations have to
 * be added.
 */
export async function exportGlb(
  { rig, sources, original }: { rig: Rig; sources: readonly Rig[]; original: (() => Promise<Blob>) | null },
  additive: string | null,
  signal: AbortSignal,
): Promise<ExportedModel> {
  const name = `${stemOf(rig.file.name ?? '') || 'model'}.glb`;
  const animations = sources.filter(({ file }) => file.scene!.clips.length > 0);
  if (original && animations.length === 0 && rig.materialValues.length === 0)
    return { name, blob: await original(), report: { losses: 0, guesses: 0, approximations: 0, notes: 0, items: [] } };
  await Promise.all([rig, ...animations].map(each => each.loadClips(each.file.scene!.clips, { signal })));
  const parts = [rig, ...rig.instanceRigs];
  const files = [...parts.map(({ file }) => file as RigFile), ...animations.map(animationsOf)];
  const converted = await runConversion(
    GLB,
    files.map(file => ({ file, path: file.name })),
    {
      name: stemOf(name),
      images: imagesOf(
        parts.flatMap(({ textureSources }) => textureSources),
        rig.materialValues,
      ),
      ...(additive === 'as-stated' || additive === 'rest' ? { additive } : {}),
      signal,
    },
  );
  return { name, blob: new Blob([...converted.files[0]!.pieces()], { type: 'model/gltf-binary' }), report: converted.report };
}

/** Returns a file without its meshes, so that it counts as animations of the model. */
function animationsOf({ file }: Rig): RigFile {
  return { ...(file as RigFile), scene: { ...file.scene!, renderers: [], instances: [] } };
}

/** Combines sources of images. The first one that has an image is used. */
function imagesOf(sources: readonly TextureSource[], values: Rig['materialValues']): ImageSource {
  const first = async <T>(find: (source: TextureSource) => Promise<T | null>): Promise<T | null> => {
    for (const source of sources) {
      const found = await find(source);
      if (found !== null) return found;
    }
    return null;
  };
  const listed = sources.find(({ names }) => names !== null);
  return {
    image: path => first(source => source.image(path)),
    text: (name, folder) => first(source => source.text(name, folder)),
    names: listed?.names ?? null,
    ...(listed?.sameFolder && { beside: listed.sameFolder }),
    hasOtherModels: listed?.hasOtherModels ?? false,
    ...(values.length > 0 && { values }),
  };
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');
