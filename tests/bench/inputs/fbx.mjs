// Writes the mesh of the benchmark as binary FBX 7.4: geometry by control points, and one cluster
// per bone. Arrays are not compressed, because FBXLoader then reads them fastest.
import { boneCount, chain } from './content.mjs';

/**
 * Encodes a value with its FBX type: text, 64-bit integer (bigint), 32-bit integer, double, or an
 * array of doubles or 32-bit integers.
 */
function property(value) {
  if (typeof value === 'string') return Buffer.concat([Buffer.from('S'), uint32(Buffer.byteLength(value)), Buffer.from(value)]);
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const type = value instanceof Float64Array ? 'd' : 'i';
    return Buffer.concat([Buffer.from(type), uint32(value.length), uint32(0), uint32(bytes.length), bytes]);
  }
  const buffer = Buffer.alloc(9);
  if (typeof value === 'bigint') {
    buffer.write('L');
    buffer.writeBigInt64LE(value, 1);
    return buffer;
  }
  if (Number.isInteger(value)) {
    buffer.write('I');
    buffer.writeInt32LE(value, 1);
    return buffer.subarray(0, 5);
  }
  buffer.write('D');
  buffer.writeDoubleLE(value, 1);
  return buffer;
}

function uint32(value) {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
}

/**
 * Returns a record of the file. `properties` are scalars, strings and typed arrays; the child
 * records follow them.
 */
const record = (name, properties = [], children = []) => ({ name, properties: properties.map(property), children });

const headerBytes = 13;
const sizeOf = ({ name, properties, children }) =>
  headerBytes +
  name.length +
  properties.reduce((sum, buffer) => sum + buffer.length, 0) +
  (children.length > 0 ? children.reduce((sum, child) => sum + sizeOf(child), headerBytes) : 0);

function writeRecord(node, start, parts) {
  const propertyBytes = node.properties.reduce((sum, buffer) => sum + buffer.length, 0);
  const end = start + sizeOf(node);
  parts.push(uint32(end), uint32(node.properties.length), uint32(propertyBytes), Buffer.from([node.name.length]), Buffer.from(node.name));
  parts.push(...node.properties);
  let at = start + headerBytes + node.name.length + propertyBytes;
  for (const child of node.children) {
    writeRecord(child, at, parts);
    at += sizeOf(child);
  }
  if (node.children.length > 0) parts.push(Buffer.alloc(headerBytes));
}

function writeFile(records) {
  const head = Buffer.concat([Buffer.from('Kaydara FBX Binary  \0\x1a\0', 'latin1'), uint32(7400)]);
  const parts = [head];
  let at = head.length;
  for (const node of records) {
    writeRecord(node, at, parts);
    at += sizeOf(node);
  }
  parts.push(Buffer.alloc(headerBytes), Buffer.alloc(176));
  return Buffer.concat(parts);
}

const translationMatrix = (x, y, z) => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);

export function writeFbx(tube) {
  const { points, positions, normals, joints, weights, pointOfVertex, uvs, triangles } = tube;
  const { offsets, positions: bonePositions, names } = chain();
  const polygons = new Int32Array(triangles.length);
  const uvIndex = new Int32Array(triangles.length);
  triangles.forEach((vertex, corner) => {
    polygons[corner] = corner % 3 === 2 ? ~pointOfVertex[vertex] : pointOfVertex[vertex];
    uvIndex[corner] = vertex;
  });
  const upUvs = Float64Array.from(uvs, (value, index) => (index % 2 ? 1 - value : value)); // v points up in FBX

  const counts = new Uint32Array(boneCount);
  for (const joint of joints) counts[joint]++;
  const clusters = Array.from(counts, count => ({ indexes: new Int32Array(count), weights: new Float64Array(count), used: 0 }));
  for (let influence = 0; influence < points * 4; influence++) {
    const cluster = clusters[joints[influence]];
    cluster.indexes[cluster.used] = influence >> 2;
    cluster.weights[cluster.used++] = weights[influence];
  }

  const geometryId = 1000n;
  const meshId = 1001n;
  const materialId = 1002n;
  const skinId = 1003n;
  const boneId = bone => 2000n + BigInt(bone);
  const clusterId = bone => 3000n + BigInt(bone);
  const named = (name, kind) => `${name}\0\x01${kind}`;
  const translation = (x, y, z) =>
    record('Properties70', [], [record('P', ['Lcl Translation', 'Lcl Translation', '', 'A', ...[x, y, z].map(value => value || 1e-300)])]);
  const mapping = (by, reference) => [record('MappingInformationType', [by]), record('ReferenceInformationType', [reference])];

  const objects = [
    record(
      'Geometry',
      [geometryId, named('tube', 'Geometry'), 'Mesh'],
      [
        record('Vertices', [Float64Array.from(positions)]),
        record('PolygonVertexIndex', [polygons]),
        record('LayerElementNormal', [0], [...mapping('ByVertice', 'Direct'), record('Normals', [Float64Array.from(normals)])]),
        record(
          'LayerElementUV',
          [0],
          [...mapping('ByPolygonVertex', 'IndexToDirect'), record('UV', [upUvs]), record('UVIndex', [uvIndex])],
        ),
        record('LayerElementMaterial', [0], [...mapping('AllSame', 'IndexToDirect'), record('Materials', [Int32Array.of(0)])]),
      ],
    ),
    record('Model', [meshId, named('tube', 'Model'), 'Mesh'], [translation(0, 0, 0)]),
    record('Material', [materialId, named('tube', 'Material'), ''], [record('ShadingModel', ['phong'])]),
    ...names.map((name, bone) =>
      record('Model', [boneId(bone), named(name, 'Model'), 'LimbNode'], [translation(...offsets.subarray(bone * 3, bone * 3 + 3))]),
    ),
    record('Deformer', [skinId, named('skin', 'Deformer'), 'Skin'], [record('Version', [101])]),
    ...clusters.map((cluster, bone) => {
      const [x, y, z] = bonePositions.subarray(bone * 3, bone * 3 + 3);
      return record(
        'Deformer',
        [clusterId(bone), named(names[bone], 'SubDeformer'), 'Cluster'],
        [
          record('Indexes', [cluster.indexes]),
          record('Weights', [cluster.weights]),
          record('Transform', [translationMatrix(-x, -y, -z)]),
          record('TransformLink', [translationMatrix(x, y, z)]),
        ],
      );
    }),
  ];
  const connect = (child, parent) => record('C', ['OO', child, parent]);
  const connections = [
    connect(meshId, 0n),
    connect(geometryId, meshId),
    connect(materialId, meshId),
    connect(skinId, geometryId),
    ...names.flatMap((_, bone) => [
      connect(boneId(bone), bone === 0 ? 0n : boneId(bone - 1)),
      connect(clusterId(bone), skinId),
      connect(boneId(bone), clusterId(bone)),
    ]),
  ];
  return writeFile([record('Objects', [], objects), record('Connections', [], connections)]);
}
