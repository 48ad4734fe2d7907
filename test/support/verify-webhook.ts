import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { verify as verifyBySig } from 'http-message-sig'
import { httpbis } from 'http-message-signatures'
import type { Received } from './receiver.ts'

type Published = (JsonWebKey & { kid: string })[]

/** What two libraries that know nothing of this server make of a request, given the keys of the business profile alone. */
export async function verified(request: Received, host: string, keys: Published) {
  const url = `https://${host}${request.path}`
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const key = (kid: unknown): KeyObject | undefined => {
    const jwk = keys.find((one) => one.kid === kid)
    return jwk && createPublicKey({ key: jwk, format: 'jwk' })
  }
  const isBy = (kid: unknown, data: Buffer, signature: Buffer) => {
    const known = key(kid)
    return known !== undefined && verify('sha256', data, { key: known, dsaEncoding: 'ieee-p1363' }, signature)
  }
  const digest = `sha-256=:${hash('sha256', request.raw, 'base64')}:`
  return {
    digest: headers['content-digest'] === digest,
    httpMessageSignatures: await httpbis
      .verifyMessage(
        {
          keyLookup: async ({ keyid }) =>
            key(keyid)
              ? {
                  id: String(keyid),
                  algs: ['ecdsa-p256-sha256'],
                  verify: async (data, value) => isBy(keyid, data, value),
                }
              : null,
          requiredParams: ['created', 'keyid'],
          requiredFields: ['@method', '@authority', '@path', 'content-digest', 'content-type'],
          // The tests' clock is their own.
          notAfter: new Date('2100-01-01'),
        },
        { method: request.method, url, headers },
      )
      .catch(() => false),
    httpMessageSig: await verifyBySig({ method: request.method, url, headers }, (data, signature, { keyid }) =>
      isBy(keyid, Buffer.from(data), Buffer.from(signature)),
    ).catch(() => false),
  }
}

export const ALL_WELL = { digest: true, httpMessageSignatures: true, httpMessageSig: true }
