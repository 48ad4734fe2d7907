import { randomUUID } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import { type KeyPair, sha256 } from './key-pair.ts'

export interface ProofContents {
  credential?: string | undefined
  /** The nonce that the business demands in the proof. */
  nonce?: string | undefined
  /** Claims that a check adds to the proof, or replaces. */
  claims?: object | undefined
  /** Members that a check adds to the header of the proof, or replaces. */
  header?: object | undefined
  /** Changes the proof after signing. A proof is a compact JWS. */
  change?: ((proof: string) => string) | undefined
}

/** Creates the value of the DPoP header (RFC 9449) for a REST request. */
export function requestProof(key: KeyPair, method: string, url: string, contents: ProofContents): string {
  const { origin, pathname } = new URL(url)
  return signProof(key, 'dpop+jwt', { htm: method, htu: origin + pathname }, contents)
}

export interface ToolCall {
  tool: string
  /** The tool arguments without the proof itself. */
  parameters: object
  /** The address of the business profile. */
  audience: string
}

/** Creates the member `proof` of a tool call. */
export function toolProof(key: KeyPair, { tool, parameters, audience }: ToolCall, contents: ProofContents): string {
  const digest = sha256(canonicalJson(parameters)).toString('base64url')
  return signProof(key, 'usp-pop+jwt', { usp_m: tool, aud: audience, usp_p: digest }, contents)
}

function signProof(key: KeyPair, typ: string, call: object, contents: ProofContents): string {
  const { credential, nonce, claims, header, change = (proof) => proof } = contents
  const payload = {
    ...call,
    iat: Math.floor(Date.now() / 1000),
    jti: randomUUID(),
    ...(credential !== undefined && { ath: sha256(credential).toString('base64url') }),
    ...(nonce !== undefined && { nonce }),
    ...claims,
  }
  const text = `${encode({ typ, alg: key.algorithm, jwk: key.jwk, ...header })}.${encode(payload)}`
  return change(`${text}.${key.sign(text).toString('base64url')}`)
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
