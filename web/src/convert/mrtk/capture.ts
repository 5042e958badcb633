// Bytes that are a recording of IWER, which is text: told by how it begins.

/** As a file of MRTK, and how many of its inputs that leaves out; null where the source is anything else. */
export async function captureIn(source: unknown): Promise<{ bytes: Uint8Array<ArrayBuffer>; lost: number } | null> {
  const blob = source instanceof Blob ? source : isBytes(source) ? new Blob([source]) : null;
  if (!blob || !/^\s*\{\s*"(schema|frames)"/.test(await blob.slice(0, 64).text())) return null;
  const { parseIwer, recordingFromIwer } = await import('./fromIwer.ts');
  const found = parseIwer(await blob.text());
  if (!found) return null;
  const { binOf } = await import('./bin.ts');
  const { recording, lost } = recordingFromIwer(found);
  return { bytes: binOf(recording), lost };
}

const isBytes = (source: unknown): source is ArrayBuffer | Uint8Array<ArrayBuffer> =>
  source instanceof ArrayBuffer || source instanceof Uint8Array;
