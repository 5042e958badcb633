// A small writer of VGO 2.5 files for the demo and for tests, both in a page and in Node. The files
// are right-handed, have the texture origin at the top, and store JSON.

/** VGO's codes of data types. */
const TYPES = { u8: 0x10, u16: 0x20, u32: 0x30, vec2: 0x1250, vec3: 0x1350, vec4: 0x1450, joints: 0x1410, mat4: 0x2450 };
const WIDTHS = { u8: 1, u16: 1, u32: 1, vec2: 2, vec3: 3, vec4: 4, joints: 4, mat4: 16 };

/** Collects the binary data to which the accessors of a VGO layout refer. */
export class VgoResource {
  accessors = [];
  #pieces = [];
  #length = 0;

  /**
   * Adds an accessor for a typed array and returns its index. `kind`: what the array contains (1:
   * image, 2: node transforms, 3: mesh, 4: skin).
   */
  add(values, type, kind = 3) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.accessors.push({
      kind,
      byteOffset: this.#length,
      byteLength: bytes.length,
      byteStride: bytes.length / (values.length / WIDTHS[type]),
      dataType: TYPES[type],
      count: values.length / WIDTHS[type],
    });
    this.#put(bytes);
    return this.accessors.length - 1;
  }

  /**
   * Adds an accessor with three numbers per vertex and returns its index. The accessor is sparse if
   * that saves space.
   */
  addDeltas(values) {
    const places = [];
    for (let i = 0; i < values.length; i++) if (values[i] !== 0) places.push(i);
    if (places.length * 6 > values.byteLength * 0.8 || places.length === 0 || values.length > 65536) return this.add(values, 'vec3');
    const indices = Uint16Array.from(places);
    const numbers = Float32Array.from(places, place => values[place]);
    this.accessors.push({
      kind: 3,
      byteOffset: this.#length,
      byteLength: indices.byteLength + numbers.byteLength,
      dataType: TYPES.vec3,
      count: values.length / 3,
      sparseType: 2,
      sparseCount: places.length,
      sparseIndexDataType: TYPES.u16,
      sparseValueDataType: 0x50,
      sparseValueByteOffset: indices.byteLength,
    });
    this.#put(new Uint8Array(indices.buffer));
    this.#put(new Uint8Array(numbers.buffer));
    return this.accessors.length - 1;
  }

  bytes() {
    return concat(this.#pieces);
  }

  #put(bytes) {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
  }
}

function concat(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const json = value => new TextEncoder().encode(JSON.stringify(value));
const code = id => (id.charCodeAt(0) | (id.charCodeAt(1) << 8) | (id.charCodeAt(2) << 16) | (id.charCodeAt(3) << 24)) >>> 0;

/**
 * Builds a VGO file. `assetInfo` and `layout` have the structure that the format specifies.
 * `layoutBson`: the layout as BSON bytes, instead of `layout`. `resource`: a VgoResource.
 * `external`: path of the resource if it is a separate file. `encrypt(bytes)` encrypts the accessor
 * list. `crypt`: information about the encryption that the file stores (iv, optionally key, as
 * base64).
 */
export function encodeVgo({ assetInfo, layout, layoutBson, resource, encrypt, crypt, external }) {
  const list = json(resource.accessors);
  const data = resource.bytes();
  const chunks = [['AIPJ', json(assetInfo)], layoutBson ? ['LAPB', layoutBson] : ['LAPJ', json(layout)]];
  if (encrypt) chunks.push(['RACJ', encrypt(list)], ['CRAJ', json({ algorithms: 'AES', cipherMode: 1, paddingMode: 2, ...crypt })]);
  else chunks.push(['RAPJ', list]);
  chunks.push(external ? ['REPJ', json({ uri: external, byteLength: data.length })] : ['REPb', data]);

  const slots = [
    'AIPJ',
    '',
    layoutBson ? 'LAPB' : 'LAPJ',
    '',
    encrypt ? 'RACJ' : 'RAPJ',
    encrypt ? 'CRAJ' : '',
    external ? 'REPJ' : 'REPb',
    '',
  ];
  const composer = new Uint8Array(32);
  const composerView = new DataView(composer.buffer);
  slots.forEach((id, slot) => composerView.setUint32(4 * slot, id ? code(id) : 0, true));
  chunks.unshift(['COMP', composer]);

  return container(Uint8Array.of(2, 5, 1, 1, encrypt ? 1 : 0, encrypt && !crypt.key ? 1 : 0, 0, 0), chunks);
}

/** Joins header, chunk index and chunks of a VGO file. `facts`: second half of the header. */
function container(facts, chunks) {
  const header = new Uint8Array(16);
  const index = new Uint8Array(8 + 16 * chunks.length);
  header.set([0x56, 0x47, 0x4f, 0, 8, 0, 0, 0, ...facts]);
  const view = new DataView(index.buffer);
  view.setUint32(0, code('IDX\0'), true);
  view.setUint32(4, 16 * chunks.length, true);
  const pieces = [header, index];
  let at = header.length + index.length;
  chunks.forEach(([id, payload], entry) => {
    const padding = payload.length % 2;
    const chunk = new Uint8Array(8 + payload.length + padding);
    const chunkView = new DataView(chunk.buffer);
    chunkView.setUint32(0, code(id), true);
    chunkView.setUint32(4, payload.length + padding, true);
    chunk.set(payload, 8);
    if (padding) chunk[chunk.length - 1] = ['AIPJ', 'LAPJ', 'RAPJ', 'REPJ'].includes(id) ? 0x20 : 0;
    view.setUint32(8 + 16 * entry, code(id), true);
    view.setUint32(12 + 16 * entry, at, true);
    view.setUint32(16 + 16 * entry, chunk.length, true);
    view.setUint8(20 + 16 * entry, padding);
    pieces.push(chunk);
    at += chunk.length;
  });
  return concat(pieces);
}

/**
 * Encrypts the accessor list of an unencrypted VGO file. `encrypt(bytes)` encrypts the list.
 * `crypt`: information about the encryption that the file stores (iv, optionally key).
 */
export function encryptVgo(bytes, encrypt, crypt) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks = [];
  for (let entry = 24; entry < 24 + view.getUint32(20, true); entry += 16) {
    const at = view.getUint32(entry + 4, true);
    const id = String.fromCharCode(...bytes.subarray(at, at + 4));
    let payload = bytes.slice(at + 8, at + view.getUint32(entry + 8, true) - bytes[entry + 12]);
    if (id === 'COMP') {
      const composer = new DataView(payload.buffer);
      const list = composer.getUint32(16, true);
      composer.setUint32(16, list === code('RAPB') ? code('RACB') : code('RACJ'), true);
      composer.setUint32(20, code('CRAJ'), true);
      composer.setUint32(28, code('CRAJ'), true); // as the reference writes it, although nothing else is encrypted
    }
    if (id.startsWith('RAP')) {
      payload = encrypt(payload);
      chunks.push([id.replace('P', 'C'), payload], ['CRAJ', json({ algorithms: 'AES', cipherMode: 1, paddingMode: 2, ...crypt })]);
    } else {
      chunks.push([id, payload]);
    }
  }
  const facts = bytes.slice(8, 16);
  facts[4] = 1;
  facts[5] = crypt.key ? 0 : 1;
  return container(facts, chunks);
}

/**
 * Builds the smallest visible VGO file, which contains only a cube with a side of 2. `over`:
 * additional members of the layout.
 */
export function cubeVgo(over = {}, options = {}) {
  const resource = new VgoResource();
  const positions = [];
  const normals = [];
  const indices = [];
  for (const axis of [0, 1, 2]) {
    for (const sign of [1, -1]) {
      const first = positions.length / 3;
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const point = [0, 0, 0];
        const normal = [0, 0, 0];
        point[axis] = normal[axis] = sign;
        point[(axis + 1) % 3] = a * sign;
        point[(axis + 2) % 3] = b;
        positions.push(...point);
        normals.push(...normal);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  const attributes = {
    POSITION: resource.add(Float32Array.from(positions), 'vec3'),
    NORMAL: resource.add(Float32Array.from(normals), 'vec3'),
  };
  const mesh = { name: 'cube', attributes, subMeshes: [resource.add(Uint16Array.from(indices), 'u16')] };
  const nodes = [
    { name: 'root', isRoot: true, children: [1] },
    { name: 'cube', meshRenderer: { name: 'cube', mesh: 0, materials: [0] } },
  ];
  const layout = {
    nodes,
    meshes: [mesh],
    materials: [{ name: 'paint', shaderName: 'Standard', colorProperties: { _Color: [0.8, 0.2, 0.1, 1] } }],
    ...over,
  };
  const unit = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  resource.add(Float32Array.from(layout.nodes.flatMap(() => unit)), 'mat4', 2);
  return {
    bytes: encodeVgo({ assetInfo: { generator: { name: 'rigcast tests', version: '1' } }, layout, resource, ...options }),
    resource,
  };
}
