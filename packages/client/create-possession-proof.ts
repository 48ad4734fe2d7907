import { hash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { PlatformKey } from './platform-key.ts'

export interface ProofContents {
  credential?: string | undefined
  /** The last nonce that the business sent. The platform's next proof must contain this nonce. */
  nonce?: string | undefined
}

/** Creates the proof for the DPoP header (RFC 9449). The proof is valid for one method and address, with any query. */
export function requestProof(key: PlatformKey, method: string, url: string, attached: ProofContents): string {
  const { origin, pathname } = new URL(url)
  return proof(key, 'dpop+jwt', { htm: method, htu: origin + pathname }, attached)
}

/**
 * Creates the proof for a call of an MCP tool. The proof is valid for one tool of one business, with exactly these
 * arguments.
 */
export function toolProof(
  key: PlatformKey,
  { audience, tool, parameters }: { audience: string; tool: string; parameters: object },
  attached: ProofContents,
): string {
  const digest = hash('sha256', canonicalize(parameters) ?? '', 'base64url')
  return proof(key, 'usp-pop+jwt', { usp_m: tool, aud: audience, usp_p: digest }, attached)
}

function proof(key: PlatformKey, typ: string, call: object, { credential, nonce }: ProofContents): string {
  const claims = {
    ...call,
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    ...(credential !== undefined && { ath: hash('sha256', credential, 'base64url') }),
    ...(nonce !== undefined && { nonce }),
  }
  const text = `${encoded({ typ, alg: key.algorithm, jwk: key.jwk })}.${encoded(claims)}`
  return `${text}.${key.sign(text).toString('base64url')}`
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
