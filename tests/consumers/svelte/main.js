import { mount } from 'svelte';
import Hero from './Hero.svelte';
mount(Hero, { target: document.body });
