/**
 * The DER form of an ECDSA signature that came as r||s. OpenSSL verifies DER; asked to convert by itself it first
 * fetches the key's legacy form on every call, which costs a third of the verification (`npm run bench`).
 * The lengths fit one byte for every curve up to P-384.
 */
export function ecdsaDer(signature: Buffer): Buffer {
  const half = signature.length / 2
  const r = integer(signature.subarray(0, half))
  const s = integer(signature.subarray(half))
  return Buffer.from([0x30, r.length + s.length, ...r, ...s])
}

/** Shortest form, and a leading zero where the first bit would read as a sign. */
function integer(bytes: Buffer): number[] {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = [...bytes.subarray(start)]
  if ((digits[0] ?? 0) > 127) digits.unshift(0)
  return [2, digits.length, ...digits]
}
