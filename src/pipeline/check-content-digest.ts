import { hash, timingSafeEqual } from 'node:crypto'
import { parseDictionary } from 'structured-headers'
import type { Call } from '../protocol/define-operation.ts'
import { ProtocolError } from '../protocol/errors.ts'

/**
 * Checks that the received body matches the digest in the header `Content-Digest` (RFC 9530). The check also applies to
 * requests without a signature.
 */
export function checkDigest({ headers, http }: Pick<Call, 'headers' | 'http'>): void {
  const header = headers['content-digest']
  if (header === undefined || !http) return
  const digests = parse(String(header))
  if (!digests.has('sha-256')) throw mismatch('Content-Digest must have a sha-256 member.')
  for (const [name, algorithm] of [
    ['sha-256', 'sha256'],
    ['sha-512', 'sha512'],
  ] as const) {
    const [sentDigest] = digests.get(name) ?? []
    if (sentDigest === undefined) continue
    const computed = hash(algorithm, http.body, 'buffer')
    if (
      !(sentDigest instanceof ArrayBuffer) ||
      sentDigest.byteLength !== computed.length ||
      !timingSafeEqual(Buffer.from(sentDigest), computed)
    )
      throw mismatch('Content-Digest does not match the body.')
  }
}

function parse(header: string) {
  try {
    return parseDictionary(header)
  } catch {
    throw mismatch('Content-Digest must be a structured dictionary.')
  }
}

const mismatch = (message: string) => new ProtocolError('digest_mismatch', message)
