// The component of docs/start.md and, in the page with ?assets, the element with copies of the WebAssembly module and the worker.
import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { configure } from 'rigcast';
import { Hero } from './hero';

if (location.search === '?assets') {
  configure({ wasm: '/rigcast/rigcast.wasm', worker: '/rigcast/worker.js' });
  document.body.innerHTML = '<rigcast-viewer src="/hero.psk" files="/run.psa /hero_D.png" autoplay></rigcast-viewer>';
  void import('rigcast/element');
} else void bootstrapApplication(Hero, { providers: [provideZonelessChangeDetection()] });
