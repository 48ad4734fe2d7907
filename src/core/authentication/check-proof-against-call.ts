import { hash } from 'node:crypto'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Call } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { standalone } from '../../protocol/deployment-modes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { canonical } from '../../protocol/parse-json-safely.ts'
import { publicOrigin } from '../egress/own-public-address.ts'
import { type Attempt, declared } from './authentication-policy.ts'
import { refuseReplay } from './refuse-replayed-proofs.ts'
import { type Expected, verifyProof } from './verify-proof-jwt.ts'

/**
 * Returns the proof that the caller has a certain private key. A REST call sends the proof in the header `DPoP`. A tool
 * call sends the proof in `_meta.usp.authorization.proof`.
 */
export function presentedProof(call: Call): string | undefined {
  if (call.binding === 'mcp') return declared(call)?.proof
  const header = call.headers.dpop
  return header === undefined ? undefined : String(header)
}

/**
 * Verifies a proof that the caller has a certain private key, and returns the thumbprint of the key. If the call also
 * contains a credential, the proof must contain the digest of this credential.
 */
export async function checkProof(
  { call, dependencies, policy, now }: Attempt,
  proof: string,
  credential?: Expected['credential'],
): Promise<string> {
  const proven = verifyProof(proof, {
    ...(call.binding === 'mcp' ? bindingOfTool(call, dependencies) : bindingOfRequest(call, dependencies)),
    credential,
    now,
    checkNonce: (nonce) => policy.nonces && dependencies.nonces.check(nonce, now),
  })
  await refuseReplay(dependencies.db, proven, now)
  return proven.thumbprint
}

export const missingProof = () =>
  new ProtocolError('pop_proof_missing', 'This call requires a proof of possession of the key.', {
    mechanism: 'platform_key_pop',
  })

/**
 * The JWT claims that connect a caller's proof with one HTTP request (RFC 9449): the method, and the URL without its
 * query.
 */
export function bindingOfRequest(
  { http, headers }: Pick<Call, 'http' | 'headers'>,
  { config }: Dependencies<'config'>,
): Pick<Expected, 'typ' | 'claims'> {
  const { method = '', target = '' } = http ?? {}
  const address = publicOrigin(config, headers.host) + (target.split('?')[0] ?? '')
  return {
    typ: 'dpop+jwt',
    claims: {
      htm: (htm) => htm === method,
      htu: (htu) => typeof htu === 'string' && comparable(htu) === comparable(address),
    },
  }
}

function comparable(address: string): string | undefined {
  const url = parseUrl(address)
  return url ? url.origin + url.pathname : undefined
}

/**
 * The JWT claims that connect a caller's proof with one tool call: the name of the tool, a digest of the arguments, and
 * the URL of the business profile.
 */
function bindingOfTool(
  { operation, input, meta, headers, deployment = standalone }: Call,
  { config }: Dependencies<'config'>,
): Pick<Expected, 'typ' | 'claims'> {
  return {
    typ: 'usp-pop+jwt',
    claims: {
      aud: (aud) => aud === publicOrigin(config, headers.host) + deployment.profilePath,
      usp_m: (tool) => tool === operation.tool,
      usp_p: (digest) => digest === argumentsDigest({ ...asRecord(input), _meta: meta }),
    },
  }
}

/**
 * The SHA-256 digest of the tool arguments as canonical JSON (RFC 8785). The digest leaves out the property
 * `_meta.usp.authorization`, because it contains the proof itself.
 */
export function argumentsDigest(parameters: Record<string, unknown>): string {
  const { authorization: _, ...usp } = asRecord(asRecord(parameters._meta).usp)
  const bare = { ...parameters, _meta: { ...asRecord(parameters._meta), usp } }
  return hash('sha256', canonical(bare), 'base64url')
}
