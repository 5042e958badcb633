import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import RunBlock from './RunBlock.vue';
import './style.css';

/** The landing page shows the model of README's first example. */
const hero = () => h(RunBlock, { path: '/run/README-md-1.html', running: true });

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': hero }),
  enhanceApp: ({ app }) => void app.component('RunBlock', RunBlock),
};
