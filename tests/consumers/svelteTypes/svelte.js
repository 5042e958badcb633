import { mount } from 'svelte';
import Rigs from './Svelte.svelte';
import Viewer from './Viewer.svelte';

mount(Rigs, { target: document.querySelector('#says') });
mount(Viewer, { target: document.querySelector('#app') });
