/**
 * Converts an ECDSA signature from r||s to DER, the form that OpenSSL verifies. When OpenSSL converts it, it fetches the
 * key's legacy form on every call, which costs a third of the verification (`npm run bench`).
 * The lengths fit one byte for every curve up to P-384.
 */
export function ecdsaDer(signature: Buffer): Buffer {
  const half = signature.length / 2
  const r = integer(signature.subarray(0, half))
  const s = integer(signature.subarray(half))
  return Buffer.from([0x30, r.length + s.length, ...r, ...s])
}

/** The shortest form. A leading zero byte prevents a negative number. */
function integer(bytes: Buffer): number[] {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = [...bytes.subarray(start)]
  if ((digits[0] ?? 0) > 127) digits.unshift(0)
  return [2, digits.length, ...digits]
}
