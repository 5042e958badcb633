// The page as it is served: what `?src=` names is opened instead of the demo.
import { afterAll, expect, it } from 'vitest';
import { addStyle } from './support.ts';

const address = location.href;
afterAll(() => history.replaceState(null, '', address));

it('opens what the address names', async () => {
  await addStyle();
  const app = document.createElement('div');
  app.id = 'app';
  document.body.append(app);
  const demo = (name: string): string => new URL(`../../../../web/src/viewer/demo/${name}`, import.meta.url).href;
  history.replaceState(
    null,
    '',
    `?${new URLSearchParams([
      ['src', demo('Pip.psk')],
      ['src', demo('Pip.psa')],
    ])}`,
  );
  const { viewer } = await import('../../../../web/src/viewer/main.ts');
  await viewer.idle;
  expect(app.querySelector('.title')!.textContent).toBe('Pip.psk');
  expect(viewer.motionNames).toEqual(['Wave', 'Hop']);
  viewer.dispose();
}, 120_000);
