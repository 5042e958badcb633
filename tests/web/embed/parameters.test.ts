// Validation of the parameters of embed.html. Anyone can write a link to this page.
import { describe, expect, it } from 'vitest';
import { PARAMETERS, parametersOf } from '../../../web/src/embed/parameters.ts';
import { ATTRIBUTES } from '../../../web/src/element/attributes.ts';

const BASE = 'https://models.example/site/embed.html';
/** Replaces CSS.supports, which exists only in browsers. */
const isColor = (text: string): boolean => /^(#[0-9a-f]{3,8}|\w+|rgb\([\d, ]+\))$/.test(text);
const read = (search: string, roots: readonly string[] = ['https:']) => parametersOf(search, { base: BASE, roots, isColor });
const attributes = (search: string) => Object.fromEntries(read(search).attributes);

describe('parameters of embed.html', () => {
  it('are the attributes of the element except those that a link must not set', () => {
    expect(Object.keys(ATTRIBUTES).filter(name => !PARAMETERS.some(each => each === name))).toEqual([
      'credentials',
      'allow-origins',
      'loading',
    ]);
    for (const name of ['credentials=include', 'allow-origins=https://a.example', 'onload=alert(1)', 'style=color:red', 'constructor=1'])
      expect(read(`?${name}`)).toMatchObject({
        attributes: new Map(),
        problems: [expect.stringContaining('is not a parameter') as string],
      });
  });

  it('resolve URLs relative to the page', () => {
    expect(attributes('?src=hero.psk')).toEqual({ src: 'https://models.example/site/hero.psk' });
    expect(attributes('?src=https%3A%2F%2Fcdn.example%2Fa%20b.psk')).toEqual({ src: 'https://cdn.example/a%20b.psk' });
    expect(attributes('?files=run.psa+walk.psa&files=textures/')).toEqual({
      files: 'https://models.example/site/run.psa https://models.example/site/walk.psa https://models.example/site/textures/',
    });
  });

  it('lang is the language of the element', () => {
    expect(read('?lang=ja')).toMatchObject({ language: 'ja', problems: [], attributes: new Map() });
    expect(read('?lang=pt-BR').language).toBe('pt-BR');
    expect(read('?src=a.psk').language).toBeNull();
    expect(read('?lang=%22%3E')).toMatchObject({ language: null, problems: [expect.stringContaining('a language') as string] });
  });

  it('check the URLs and the placement of extra models', () => {
    const models = (list: object[]): string => `?extra-models=${encodeURIComponent(JSON.stringify(list))}`;
    expect(attributes(models([{ src: 'a.psk', files: 'b.png c.png', bone: 'hand', scale: '2' }]))).toEqual({
      'extra-models': JSON.stringify([
        {
          src: 'https://models.example/site/a.psk',
          files: 'https://models.example/site/b.png https://models.example/site/c.png',
          bone: 'hand',
          scale: '2',
        },
      ]),
    });
    for (const wrong of [
      [{ src: 'javascript:alert(1)' }],
      [{ src: 'a.psk', files: 'data:,' }],
      [{ src: '' }],
      [{ src: 'a', href: 'b' }],
      [{ src: 1 }],
      [null],
      [{ src: 'a.psk', position: '1m high' }],
      [{ src: 'a.psk', orientation: '90deg' }],
      [{ src: 'a.psk', scale: '0' }],
    ])
      expect(read(models(wrong as object[]))).toMatchObject({
        attributes: new Map(),
        problems: [expect.stringContaining('a JSON list of models is expected') as string],
      });
    expect(read(models([{ src: 'https://other.example/a.psk' }]), ['./']).attributes.size).toBe(0);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/plain,x',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'https://me:secret@a.example/',
    'https://:secret@a.example/',
    'https://me@a.example/',
    'http://',
    '',
  ])('refuse %j as an address', address => {
    for (const name of ['src', 'files', 'poster', 'environment-image']) {
      const { attributes: given, problems: wrong } = read(`?${name}=${encodeURIComponent(address)}`);
      expect([...given.keys()]).toEqual([]);
      expect(wrong).toHaveLength(1);
    }
  });

  it('accept URLs only below the folders that the page allows', () => {
    const isAllowed = (src: string, ...roots: string[]): boolean => {
      const { attributes: given, problems: wrong } = read(`?src=${encodeURIComponent(src)}`, roots);
      expect(wrong).toHaveLength(given.has('src') ? 0 : 1);
      return given.has('src');
    };
    const site = 'https://models.example';
    expect(['hero.psk', 'deep/er/hero.psk', `${site}/site/hero.psk?x=../../y`].filter(src => !isAllowed(src, './'))).toEqual([]);
    const outside = ['../hero.psk', '/api/user', `${site}/sitewide.psk`, `${site}:8443/site/a.psk`, 'http://models.example/site/a.psk'];
    const disguised = [
      'deep/../../a.psk',
      'deep/%2e%2e/%2E%2e/a.psk',
      '..%2fapi',
      'deep/..%5C..%5Capi',
      '..\\api',
      '//other.example/site/a.psk',
    ];
    expect([...outside, ...disguised, 'https://other.example/a.psk'].filter(src => isAllowed(src, './'))).toEqual([]);
    // A folder matches with and without a slash. A folder whose name starts with its name does not.
    for (const root of ['/models', '/models/', `${site}/models`])
      expect([isAllowed('/models/a.psk', root), isAllowed('/models2/a.psk', root), isAllowed('a.psk', root)]).toEqual([true, false, false]);
    expect(isAllowed('https://cdn.example/m/a.psk', './', 'https://cdn.example/m/')).toBe(true);
    expect([isAllowed('https://any.example/a.psk', 'https:'), isAllowed('http://any.example/a.psk', 'https:')]).toEqual([true, false]);
    expect(isAllowed('a.psk')).toBe(false);
    // URLs that are allowed or rejected.
    for (const name of ['files', 'poster', 'environment-image'])
      expect(read(`?${name}=/api`, ['./', '/models']).problems[0]).toContain(
        'below https://models.example/site/ or https://models.example/models',
      );
  });

  it('accept flags, numbers, keywords and colours', () => {
    expect(attributes('?autoplay&controls=1&ground=false&skeleton=no')).toEqual({ autoplay: '', controls: '' });
    expect(read('?autoplay=yes&ground=false&skeleton=no&controls=0')).toEqual({
      attributes: new Map([['autoplay', '']]),
      problems: [],
      language: null,
    });
    expect(attributes('?speed=%202%20&src=%20hero.psk%0A')).toEqual({ speed: '2', src: 'https://models.example/site/hero.psk' });
    expect(attributes('?speed=-0.5&time=1e1&exposure=2')).toEqual({ speed: '-0.5', time: '1e1', exposure: '2' });
    expect(attributes('?loop=pingpong&view=front&background=%23fff')).toEqual({ loop: 'pingpong', view: 'front', background: '#fff' });
    expect(attributes('?format-options=%7B%22unreal%22%3A%7B%22unitScale%22%3A1%7D%7D')).toEqual({
      'format-options': '{"unreal":{"unitScale":1}}',
    });
    for (const wrong of [
      'controls=maybe',
      'speed=fast',
      'speed=',
      'speed=Infinity',
      'loop=forever',
      'background=url(x)',
      'format-options=[1]',
    ])
      expect(read(`?${wrong}`).problems).toHaveLength(1);
  });

  it('are ignored if they are invalid, with a message that quotes them', () => {
    const { attributes: given, problems: wrong } = read(`?src=a.psk&src=b.psk&speed=${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    expect([...given]).toEqual([['src', 'https://models.example/site/a.psk']]);
    expect(wrong).toEqual(['“src” appears twice.', 'speed=<img src=x onerror=alert(1)>: a number is expected.']);
    expect(read(`?animation=${'x'.repeat(5000)}`).problems[0]).toMatch(/^animation=x{60}…: at most 4096 characters/);
  });
});
