// Expected results of `livingPoses` (tests/support/livingPoses.ts). For each case, there are sums
// over bones, morph targets and particles at six times within three seconds.
export const LIVING: Readonly<Record<string, readonly number[]>> = {
  'constraints and IK': [92.512513, -125.371493, 158.049519],
  'layers, springs, looking, blinking, expressions': [1253.345578, 32.103265, 1609.127199],
  'springs of a puppet': [228.323581, 102.610952, 397.647974],
  particles: [1144.652499, 38.590019, 2259.420362, 79],
  'a walk on another body': [1042.736519, 80.546575, 2592.981271],
  'a walk on an avatar': [1177.524176, 5.085002, 1696.614229],
  'recorded hands on fingers': [661.396079, 103.585975, 2310.613396],
};
