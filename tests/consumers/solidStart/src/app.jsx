import 'rigcast/element/solid';
export default () => <rigcast-viewer src="/hero.psk" files="/run.psa /hero_D.png" autoplay controls />;
