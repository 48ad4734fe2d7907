import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { verify as verifyBySig } from 'http-message-sig'
import { httpbis, type VerifyConfig } from 'http-message-signatures'
import type { Received } from './receiver.ts'

type Published = (JsonWebKey & { kid: string })[]

/** Verifies a request with two independent libraries and the keys of the business profile. */
export async function verified(request: Received, host: string, keys: Published) {
  const message = { method: request.method, url: `https://${host}${request.path}`, headers: textOf(request.headers) }
  return judged(message, request.raw, ['@method', '@authority', '@path', 'content-digest', 'content-type'], keys)
}

export interface AnswerReceived {
  status: number
  headers: Record<string, string | string[] | undefined>
  raw: Buffer
}

export async function verifiedAnswer({ status, headers, raw }: AnswerReceived, keys: Published) {
  return judged({ status, headers: textOf(headers) }, raw, ['@status', 'content-digest', 'content-type'], keys)
}

const textOf = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

type Message = { headers: Record<string, string> } & ({ method: string; url: string } | { status: number })

async function judged(message: Message, raw: Buffer, requiredFields: string[], keys: Published) {
  const key = (kid: unknown): KeyObject | undefined => {
    const jwk = keys.find((one) => one.kid === kid)
    return jwk && createPublicKey({ key: jwk, format: 'jwk' })
  }
  const isBy = (kid: unknown, data: Buffer, signature: Buffer) => {
    const known = key(kid)
    return known !== undefined && verify('sha256', data, { key: known, dsaEncoding: 'ieee-p1363' }, signature)
  }
  const byKey: VerifyConfig = {
    keyLookup: async ({ keyid }) =>
      key(keyid)
        ? {
            id: String(keyid),
            algs: ['ecdsa-p256-sha256'],
            verify: async (data, value) => isBy(keyid, data, value),
          }
        : null,
    requiredParams: ['created', 'keyid'],
    requiredFields,
    // The tests run on a simulated clock.
    notAfter: new Date('2100-01-01'),
  }
  // Two overloads, one for each kind of message.
  const asked = 'status' in message ? httpbis.verifyMessage(byKey, message) : httpbis.verifyMessage(byKey, message)
  return {
    digest: message.headers['content-digest'] === `sha-256=:${hash('sha256', raw, 'base64')}:`,
    httpMessageSignatures: await asked.catch(() => false),
    httpMessageSig: await verifyBySig(message, (data, signature, { keyid }) =>
      isBy(keyid, Buffer.from(data), Buffer.from(signature)),
    ).catch(() => false),
  }
}

export const ALL_WELL = { digest: true, httpMessageSignatures: true, httpMessageSig: true }
