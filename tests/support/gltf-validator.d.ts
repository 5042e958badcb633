declare module 'gltf-validator' {
  interface Issue {
    code: string;
    message: string;
    /** Severity of the message: 0 error, 1 warning, 2 information, 3 hint. */
    severity: number;
    pointer?: string;
  }
  export function validateBytes(bytes: Uint8Array, options?: { maxIssues?: number }): Promise<{ issues: { messages: Issue[] } }>;
}
