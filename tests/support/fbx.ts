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
