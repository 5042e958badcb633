// Vue: a rig is held by shallowRef, and by ref as well, which makes proxies of plain objects.
import { open } from 'rigcast';
import { RigcastLoader } from 'rigcast/three';
import { createApp, h, onMounted, ref, shallowRef } from 'vue';
import Viewer from './Viewer.vue';

globalThis.openFile = open;

createApp({
  setup() {
    const deep = ref(null);
    const shallow = shallowRef(null);
    onMounted(async () => {
      const loader = new RigcastLoader().setFiles(['hero.psk', 'run.psa', 'hero_D.png']);
      deep.value = await loader.loadAsync('./hero.psk');
      shallow.value = deep.value.bind(await loader.loadAsync('./run.psa'));
    });
    return () => h('p', shallow.value ? `${deep.value.nodes.length} nodes, ${shallow.value.animations.length} clips` : '');
  },
}).mount('#says');

createApp(Viewer).mount('#app');
