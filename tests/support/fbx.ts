// Builds an FBX 7.4 text file with a skeleton. Y points up, lengths are in centimetres, and all
// rest rotations are the identity.
export function fbxFile(
  bones: readonly (readonly [name: string, parent: string, metres: readonly [number, number, number]])[],
): ArrayBuffer {
  const idOf = (name: string): number => 2000 + bones.findIndex(([own]) => own === name);
  const models = bones.map(([name, parent, at]) => {
    const above = bones.find(([own]) => own === parent)?.[2] ?? [0, 0, 0];
    const offset = at.map((value, c) => 100 * (value - (above[c] ?? 0)));
    return `\tModel: ${idOf(name)}, "Model::${name}", "LimbNode" {
\t\tVersion: 232
\t\tProperties70:  {
\t\t\tP: "Lcl Translation", "Lcl Translation", "", "A",${offset.join(',')}
\t\t}
\t}`;
  });
  const text = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
\tFBXHeaderVersion: 1003
\tFBXVersion: 7400
}
GlobalSettings:  {
\tVersion: 1000
\tProperties70:  {
\t\tP: "UpAxis", "int", "Integer", "",1
\t\tP: "UnitScaleFactor", "double", "Number", "",1
\t}
}
Objects:  {
${models.join('\n')}
}
Connections:  {
${bones.map(([name, parent]) => `\tC: "OO",${idOf(name)},${parent === '' ? 0 : idOf(parent)}`).join('\n')}
}
`;
  return new TextEncoder().encode(text).buffer;
}

/**
 * Returns an FBX 7.4 text file with a triangle of 100 by 200 centimetres with a texture, a camera
 * without an aspect ratio, and an animation of 1 s that moves the triangle up by 50 centimetres.
 * `image`: bytes of the texture in base64, which are stored in the file; if undefined, the file
 * refers to `skin.png` by the path of another computer.
 */
export function fbxTriangle(image?: string): ArrayBuffer {
  const second = 46_186_158_000;
  const content = image === undefined ? '' : `\n\t\tContent: , \n\t\t\t"${image}"`;
  const curve = (id: number, last: number): string => `\tAnimationCurve: ${id}, "AnimCurve::", "" {
\t\tDefault: 0
\t\tKeyVer: 4009
\t\tKeyTime: *2 {
\t\t\ta: 0,${second}
\t\t}
\t\tKeyValueFloat: *2 {
\t\t\ta: 0,${last}
\t\t}
\t}`;
  const text = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
\tFBXHeaderVersion: 1003
\tFBXVersion: 7400
}
GlobalSettings:  {
\tVersion: 1000
\tProperties70:  {
\t\tP: "UpAxis", "int", "Integer", "",1
\t\tP: "UnitScaleFactor", "double", "Number", "",1
\t}
}
Objects:  {
\tNodeAttribute: 50, "NodeAttribute::Eye", "Camera" {
\t\tTypeFlags: "Camera"
\t\tGeometryVersion: 124
\t}
\tModel: 51, "Model::Eye", "Camera" {
\t\tVersion: 232
\t}
\tGeometry: 10, "Geometry::Leaf", "Mesh" {
\t\tVertices: *9 {
\t\t\ta: 0,0,0,100,0,0,0,200,0
\t\t}
\t\tPolygonVertexIndex: *3 {
\t\t\ta: 0,1,-3
\t\t}
\t\tLayerElementUV: 0 {
\t\t\tVersion: 101
\t\t\tName: "map1"
\t\t\tMappingInformationType: "ByPolygonVertex"
\t\t\tReferenceInformationType: "IndexToDirect"
\t\t\tUV: *6 {
\t\t\t\ta: 0,0,1,0,0,0.75
\t\t\t}
\t\t\tUVIndex: *3 {
\t\t\t\ta: 0,1,2
\t\t\t}
\t\t}
\t}
\tModel: 11, "Model::Leaf", "Mesh" {
\t\tVersion: 232
\t}
\tMaterial: 12, "Material::Green", "" {
\t\tVersion: 102
\t\tShadingModel: "phong"
\t}
\tVideo: 13, "Video::skin", "Clip" {
\t\tType: "Clip"
\t\tFilename: "C:\\work\\skin.png"
\t\tRelativeFilename: "..\\textures\\skin.png"${content}
\t}
\tTexture: 14, "Texture::skin", "" {
\t\tType: "TextureVideoClip"
\t\tFileName: "C:\\work\\skin.png"
\t\tRelativeFilename: "..\\textures\\skin.png"
\t}
\tAnimationStack: 20, "AnimStack::Rise", "" {
\t}
\tAnimationLayer: 21, "AnimLayer::Base", "" {
\t}
\tAnimationCurveNode: 22, "AnimCurveNode::T", "" {
\t}
${[0, 1, 2].map(axis => curve(23 + axis, axis === 1 ? 50 : 0)).join('\n')}
}
Connections:  {
\tC: "OO",51,0
\tC: "OO",50,51
\tC: "OO",11,0
\tC: "OO",10,11
\tC: "OO",12,11
\tC: "OP",14,12,"DiffuseColor"
\tC: "OO",13,14
\tC: "OO",21,20
\tC: "OO",22,21
\tC: "OP",22,11,"Lcl Translation"
${[0, 1, 2].map(axis => `\tC: "OP",${23 + axis},22,"d|${'XYZ'[axis]}"`).join('\n')}
}
`;
  return new TextEncoder().encode(text).buffer;
}

/**
 * Returns the FBX of `fbxTriangle` with a skin. `weights`: for each of the three vertices, the
 * weights of the bones `Bone0`, `Bone1` …
 */
export function fbxSkin(weights: readonly (readonly number[])[]): ArrayBuffer {
  const list = (name: string, values: readonly number[]): string => `\t\t${name}: *${values.length} {\n\t\t\ta: ${values.join(',')}\n\t\t}`;
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const bones = Array.from({ length: Math.max(...weights.map(({ length }) => length)) }, (_, bone) => bone);
  const objects = bones.map(bone => {
    const rows = [...weights.keys()].filter(vertex => weights[vertex]![bone] !== undefined);
    const own = rows.map(vertex => weights[vertex]![bone]!);
    return `\tModel: ${100 + bone}, "Model::Bone${bone}", "LimbNode" {
\t\tVersion: 232
\t}
\tDeformer: ${200 + bone}, "SubDeformer::", "Cluster" {
${[list('Indexes', rows), list('Weights', own), list('Transform', identity), list('TransformLink', identity)].join('\n')}
\t}`;
  });
  const links = bones.map(bone => `\tC: "OO",${100 + bone},0\n\tC: "OO",${200 + bone},90\n\tC: "OO",${100 + bone},${200 + bone}`);
  const skin = '\tDeformer: 90, "Deformer::", "Skin" {\n\t\tVersion: 101\n\t}';
  const text = new TextDecoder()
    .decode(fbxTriangle())
    .replace('}\nConnections:  {', `${[...objects, skin].join('\n')}\n}\nConnections:  {\n\tC: "OO",90,10\n${links.join('\n')}`);
  return new TextEncoder().encode(text).buffer;
}
