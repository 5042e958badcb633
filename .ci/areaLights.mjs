// The tables of three's area lights as 16-bit floats, deflated: 27 KB instead of 100 KB gzipped, and a seventh of the bytes in the package. As texts of numbers, of which three
// makes 32-bit textures, they would be the second largest file of all; on devices that filter no such textures three draws with 16 bits itself.
import { deflateRawSync } from 'node:zlib';

export const hasAreaTables = path => path.endsWith('/three/examples/jsm/lights/RectAreaLightUniformsLib.js');

/** Neighbours are alike: what differs is packed, channel by channel, high bytes before low ones. */
function packed(values) {
  const channels = [0, 1, 2, 3].flatMap(channel => Array.from(values).filter((_, i) => i % 4 === channel));
  const steps = channels.map((value, i) => (value - (channels[i - 1] ?? 0)) & 0xffff);
  return Buffer.from([...steps.map(step => step >> 8), ...steps.map(step => step & 0xff)]);
}

/** A module in place of three's, which does the same but takes a moment to do it. */
export async function areaTables() {
  const { RectAreaLightTexturesLib } = await import('three/addons/lights/RectAreaLightTexturesLib.js');
  const { LTC_HALF_1, LTC_HALF_2 } = RectAreaLightTexturesLib.init();
  const tables = Buffer.concat([packed(LTC_HALF_1.image.data), packed(LTC_HALF_2.image.data)]);
  return `
    import { DataTexture, HalfFloatType, LinearFilter, NearestFilter, RGBAFormat, UniformsLib } from 'three';
    const deflated = '${deflateRawSync(tables, { level: 9 }).toString('base64')}';
    const size = 64;
    const count = 4 * size * size;
    function texture(bytes) {
      const values = new Uint16Array(count);
      let value = 0;
      for (let i = 0; i < count; i++) {
        value += 256 * bytes[i] + bytes[count + i];
        values[4 * (i % (size * size)) + Math.floor(i / (size * size))] = value;
      }
      const made = new DataTexture(values, size, size, RGBAFormat, HalfFloatType);
      made.magFilter = LinearFilter;
      made.minFilter = NearestFilter;
      made.needsUpdate = true;
      return made;
    }
    export const RectAreaLightUniformsLib = {
      async init() {
        const bytes = Uint8Array.from(atob(deflated), letter => letter.charCodeAt(0));
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
        const tables = new Uint8Array(await new Response(stream).arrayBuffer());
        UniformsLib.LTC_FLOAT_1 = UniformsLib.LTC_HALF_1 = texture(tables);
        UniformsLib.LTC_FLOAT_2 = UniformsLib.LTC_HALF_2 = texture(tables.subarray(2 * count));
      },
    };`;
}
