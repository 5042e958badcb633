// Detects IWER recordings by the first characters of their JSON, and converts them.

/**
 * Converts an IWER recording to an MRTK file. Returns the bytes of the file and the number of lost
 * inputs, or null if the source is not an IWER recording.
 */
export async function captureIn(source: unknown): Promise<{ bytes: Uint8Array<ArrayBuffer>; lost: number } | null> {
  const text = async (end?: number): Promise<string> => {
    if (source instanceof Blob) return source.slice(0, end).text();
    return isBytes(source)
      ? new TextDecoder().decode((source instanceof ArrayBuffer ? new Uint8Array(source) : source).subarray(0, end))
      : '';
  };
  if (!/^\s*\{\s*"(schema|frames)"/.test(await text(64))) return null;
  const { parseIwer, recordingFromIwer } = await import('./fromIwer.ts');
  const found = parseIwer(await text());
  if (!found) return null;
  const { binOf } = await import('./bin.ts');
  const { recording, lost } = recordingFromIwer(found);
  return { bytes: binOf(recording), lost };
}

const isBytes = (source: unknown): source is ArrayBuffer | Uint8Array<ArrayBuffer> =>
  source instanceof ArrayBuffer || source instanceof Uint8Array;
