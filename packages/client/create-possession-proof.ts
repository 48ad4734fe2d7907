import canonicalize from 'canonicalize'
import { base64url } from './base64url.ts'
import { digestOf } from './compute-digest.ts'
import type { PlatformKey } from './platform-key.ts'

export interface ProofContents {
  credential?: string | undefined
  /** The last nonce that the business sent. The platform's next proof must contain this nonce. */
  nonce?: string | undefined
}

/** Creates the proof for the DPoP header (RFC 9449). The proof is valid for one method and address, with any query. */
export function requestProof(key: PlatformKey, method: string, url: string, attached: ProofContents): Promise<string> {
  const { origin, pathname } = new URL(url)
  return proof(key, 'dpop+jwt', { htm: method, htu: origin + pathname }, attached)
}

/**
 * Creates the proof for a call of an MCP tool. The proof is valid for one tool of one business, with exactly these
 * arguments.
 */
export async function toolProof(
  key: PlatformKey,
  { audience, tool, parameters }: { audience: string; tool: string; parameters: object },
  attached: ProofContents,
): Promise<string> {
  const digest = base64url(await digestOf(canonicalize(parameters) ?? ''))
  return proof(key, 'usp-pop+jwt', { usp_m: tool, aud: audience, usp_p: digest }, attached)
}

async function proof(
  key: PlatformKey,
  typ: string,
  call: object,
  { credential, nonce }: ProofContents,
): Promise<string> {
  const claims = {
    ...call,
    iat: Math.floor(Date.now() / 1000),
    jti: crypto.randomUUID(),
    ...(credential !== undefined && { ath: base64url(await digestOf(credential)) }),
    ...(nonce !== undefined && { nonce }),
  }
  const text = `${encoded({ typ, alg: key.algorithm, jwk: key.jwk })}.${encoded(claims)}`
  return `${text}.${base64url(await key.sign(text))}`
}

const encoded = (value: object) => base64url(JSON.stringify(value))
