/** Returns the digest of bytes, or of the UTF-8 bytes of a text. */
export function digestOf(
  data: Uint8Array<ArrayBuffer> | string,
  algorithm: 'SHA-256' | 'SHA-512' = 'SHA-256',
): Promise<ArrayBuffer> {
  return crypto.subtle.digest(algorithm, typeof data === 'string' ? new TextEncoder().encode(data) : data)
}
