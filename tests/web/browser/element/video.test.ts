// `toVideo` renders the selected animation and a turn of the camera, frame by frame.
import { afterEach, expect, it } from 'vitest';
import { movieFacts, pixelsOfImage, zipFiles } from '../encode/support.ts';
import { add, demo } from './support.ts';

afterEach(() => document.body.replaceChildren());

const fox = (attributes: Record<string, string> = {}): ReturnType<typeof add> =>
  add({ src: demo('Pip.psk'), files: `${demo('Pip.psa')} ${demo('Pip_D.png')}`, shadow: 'none', ...attributes });

it('renders each frame of the animation once, and continues at the same time', async () => {
  const element = fox({ animation: '0', time: '0.2' });
  await element.ready;
  const { frameRate, duration } = element.animations[0]!;
  const progress: string[] = [];
  const blob = await element.toVideo({
    format: 'webm',
    width: 64,
    height: 48,
    onFrame: (done, count) => progress.push(`${done}/${count}`),
  });
  const count = Math.round(duration * frameRate) + 1;
  const facts = await movieFacts(blob);
  expect([facts.frames, facts.size]).toEqual([count, [64, 48]]);
  expect(progress.at(-1)).toBe(`${count}/${count}`);
  expect(element.time).toBeCloseTo(0.2);
});

it('renders equal frames for equal options, and other ones after a turn of the camera', async () => {
  const element = fox({ animation: '' });
  await element.ready;
  const frames = async (): Promise<string[]> => {
    const zip = await element.toVideo({ format: 'png', turn: 1, frameRate: 3, width: 64, height: 48, isTransparent: true });
    return Promise.all(Array.from((await zipFiles(zip)).values(), async blob => (await pixelsOfImage(blob)).data.join()));
  };
  const first = await frames();
  expect(new Set(first).size).toBe(3);
  expect(await frames()).toEqual(first);
});

it('rejects for unknown options and formats, odd sizes, frame rates that are too high, an aborted signal, and without a model', async () => {
  await expect(add().toVideo()).rejects.toMatchObject({ code: 'NO_MODEL' });
  const element = fox({ animation: '' });
  await element.ready;
  await expect(element.toVideo({ fps: 30 } as object)).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining('toVideo: unknown option "fps" (expected one of: format, width,') as string,
  });
  await expect(element.toVideo({ format: 'mov' as 'mp4' })).rejects.toMatchObject({ name: 'TypeError', code: 'INVALID_ARGUMENT' });
  await expect(element.toVideo({ format: 'webm', width: 63, height: 48 })).rejects.toThrow(RangeError);
  await expect(element.toVideo({ format: 'gif', frameRate: 60 })).rejects.toThrow(RangeError);
  await expect(element.toVideo({ format: 'png', signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop');
});
