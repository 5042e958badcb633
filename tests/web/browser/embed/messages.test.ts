// Control of embed.html by messages. The frames are on another origin than the page of the test:
// `localhost` instead of `127.0.0.1`.
import { afterEach, expect, it } from 'vitest';

interface Message {
  rigcast: string;
  paused?: boolean;
  time?: number;
  duration?: number;
  animation?: string[];
  animations?: { name: string; duration: number }[];
  message?: string;
}

const here = new URL(location.origin);
const elsewhere = new URL(location.origin);
elsewhere.hostname = 'localhost';

/**
 * URL of this module. It is kept in a variable, because Vite would resolve a literal `new URL(…,
 * import.meta.url)` at build time.
 */
const module = import.meta.url;
/** Folder of the pages. Vite serves the files below `/@fs` as they are. */
const pages = `/@fs${new URL('pages/', module).pathname}`;

interface Frame {
  element: HTMLIFrameElement;
  received: Message[];
  send(message: unknown): void;
}

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach(clean => clean()));

/** Opens embed.html in a frame, with a model and its animations. */
async function open(page: 'anyParent' | 'otherParent', base: URL = elsewhere, { model = 'Pip.psk', more = '' } = {}): Promise<Frame> {
  const address = new URL(`${pages}${page}.html`, base);
  const demo = '/web/src/viewer/demo';
  address.search = `?src=${demo}/${model}&files=${demo}/Pip.psa&animation=Hop${more}`;
  const element = document.createElement('iframe');
  const received: Message[] = [];
  const listener = ({ source, origin, data }: MessageEvent<Message>): void => {
    if (source !== element.contentWindow) return;
    expect(origin).toBe(base.origin);
    received.push(data);
  };
  addEventListener('message', listener);
  cleanups.push(() => {
    removeEventListener('message', listener);
    element.remove();
  });
  element.src = address.href;
  document.body.append(element);
  await new Promise(resolve => element.addEventListener('load', resolve, { once: true }));
  return { element, received, send: message => element.contentWindow!.postMessage(message, base.origin) };
}

const until = async (frame: Frame, test: (message: Message) => boolean): Promise<Message> => {
  await expect.poll(() => frame.received.some(test), { timeout: 60_000 }).toBe(true);
  return frame.received.find(test)!;
};
const named =
  (name: string) =>
  ({ rigcast }: Message): boolean =>
    rigcast === name;

it('a page of another origin plays, pauses, seeks and selects an animation', async () => {
  expect(elsewhere.origin).not.toBe(location.origin);
  const frame = await open('anyParent');
  frame.send({ rigcast: 'connect' });
  const ready = await until(frame, named('ready'));
  expect(ready).toMatchObject({ paused: true, time: 0, animation: ['Hop'] });
  expect(ready.animations!.map(({ name }) => name)).toEqual(['Wave', 'Hop']);
  expect(ready.duration).toBeCloseTo(ready.animations![1]!.duration, 5);
  frame.send({ rigcast: 'play' });
  expect(await until(frame, named('play'))).toMatchObject({ paused: false });
  expect((await until(frame, ({ rigcast, time }) => rigcast === 'timeupdate' && time! > 0)).paused).toBe(false);
  frame.send({ rigcast: 'pause' });
  expect(await until(frame, named('pause'))).toMatchObject({ paused: true });
  frame.send({ rigcast: 'seek', time: 0.25 });
  await until(frame, ({ rigcast, time }) => rigcast === 'timeupdate' && Math.abs(time! - 0.25) < 1e-3);
  frame.send({ rigcast: 'animation', animation: 'Wave' });
  expect(await until(frame, named('animationchange'))).toMatchObject({ animation: ['Wave'] });
});

it('sends nothing before the first command, and explains an invalid one', async () => {
  const [silent, frame] = (await Promise.all([1, 2].map(() => open('anyParent', elsewhere, { more: '&autoplay' })))) as [Frame, Frame];
  frame.send('rigcast');
  frame.send({ type: 'play' });
  frame.send({ rigcast: 'destroy' });
  expect((await until(frame, named('error'))).message).toContain('Unknown command');
  await until(frame, named('ready'));
  await until(frame, named('timeupdate'));
  expect(frame.received.filter(named('error'))).toHaveLength(1);
  expect(silent.received).toEqual([]);
});

it('ignores commands of another window than the one that contains the frame', async () => {
  const frame = await open('anyParent');
  frame.element.id = 'target';
  frame.send({ rigcast: 'connect' });
  await until(frame, named('ready'));
  const sibling = document.createElement('iframe');
  cleanups.push(() => sibling.remove());
  sibling.srcdoc = `<script>
    parent.document.querySelector('#target').contentWindow.postMessage({ rigcast: 'seek', time: 0.5 }, '*');
  </script>`;
  document.body.append(sibling);
  await new Promise(resolve => sibling.addEventListener('load', resolve, { once: true }));
  // Messages are delivered in order, so the answer to a later command follows the ignored one.
  frame.send({ rigcast: 'seek', time: 0.25 });
  await until(frame, ({ rigcast, time }) => rigcast === 'timeupdate' && time! > 0);
  expect(frame.received.filter(named('timeupdate')).map(({ time }) => time!.toFixed(2))).toEqual(['0.25']);
});

it('ignores commands of an origin that the page does not list, but accepts its own', async () => {
  const [other, own] = await Promise.all([open('otherParent'), open('otherParent', here)]);
  for (const frame of [other, own]) frame.send({ rigcast: 'connect' });
  for (const frame of [other, own]) frame.send({ rigcast: 'play' });
  await until(own, named('ready'));
  await until(own, named('timeupdate'));
  expect(other.received).toEqual([]);
});

it('reports that a model can’t be loaded, also to a page that connects later', async () => {
  const frame = await open('anyParent', here, { model: 'Missing.psk' });
  const viewer = (): Element | null => frame.element.contentDocument!.querySelector('rigcast-viewer:state(error)');
  await expect.poll(viewer, { timeout: 60_000 }).not.toBeNull();
  frame.send({ rigcast: 'connect' });
  expect((await until(frame, named('error'))).message).toContain('Missing.psk');
});

it('shows texts in the language of the parameter `lang`, or of the browser', async () => {
  const languageOf = async (more: string): Promise<string> => {
    const frame = await open('anyParent', here, { more: `&controls${more}` });
    const page = (): Document => frame.element.contentDocument!;
    await expect.poll(() => page().querySelector('rigcast-viewer')).not.toBeNull();
    return page().documentElement.lang;
  };
  expect(await languageOf('&lang=ja')).toBe('ja');
  expect(await languageOf('')).toBe(navigator.language);
  const frame = await open('anyParent', here, { more: '&lang=ja&typo' });
  const problems = (): HTMLElement | null => frame.element.contentDocument!.querySelector('.problems');
  await expect.poll(problems).not.toBeNull();
  expect([problems()!.lang, problems()!.textContent]).toEqual(['en', expect.stringContaining('typo')]); // messages for authors are English
});
