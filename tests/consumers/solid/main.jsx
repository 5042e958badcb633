import { render } from 'solid-js/web';
import { Hero } from './hero.jsx';
render(Hero, document.querySelector('#app'));
