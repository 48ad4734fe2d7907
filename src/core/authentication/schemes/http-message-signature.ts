import type { InnerList } from 'structured-headers'
import type { Agent } from '../../../protocol/caller-types.ts'
import type { Call } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { standalone } from '../../../protocol/deployment-modes.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import type { PlatformProfile } from '../../../protocol/types.generated.ts'
import { type PublicJwk, type VerificationKey, verificationKey } from '../../keys/public-keys.ts'
import type { PlatformProfiles, ProfileOptions } from '../../profiles/platform-profiles.ts'
import { declared, type Policy, type Proven, type Scheme } from '../authentication-policy.ts'
import { failed, MECHANISM, signatureBase } from './signature-base.ts'
import {
  isAlgorithmOfKey,
  isBotSignature,
  isInnerListItem,
  presentsSignature,
  refuseStrangeComponents,
  signaturesIn,
} from './signature-input.ts'

/**
 * The maximum number of published keys that the server tries for one signature, if several keys have the same id. Each
 * try takes CPU time.
 */
const MOST_KEYS_PER_ID = 4

/**
 * Authenticates a platform by its HTTP message signature (RFC 9421). The platform's profile publishes the key of the
 * signature.
 */
export const httpMessageSignature: Scheme = {
  mechanism: MECHANISM,
  async authenticate(attempt) {
    const isDeclared = declared(attempt.call)?.mechanism === MECHANISM
    return isDeclared || presentsSignature(attempt.call.headers) ? proveSignature(attempt) : undefined
  },
}

/**
 * The input of a signature check. `call.agent` is the platform that must have signed the request. The profile of this
 * platform must publish the signing key.
 */
export interface SignedAttempt {
  call: Pick<Call, 'headers' | 'http' | 'peer' | 'deployment'> & {
    operation?: Pick<Call['operation'], 'protocol'>
    agent?: Pick<Agent, 'url' | 'profile'>
  }
  dependencies: Dependencies<'config'> & { profiles: PlatformProfiles }
  policy: Pick<Policy, 'signatureAge'> & {
    dated?: true
  }
  now: Date
}

type SignedCall = SignedAttempt['call']

/**
 * Finds a complete and valid signature of the request, and returns the signer. Throws an error if no signature is
 * valid.
 */
export async function proveSignature(attempt: SignedAttempt): Promise<Proven> {
  const { headers, http } = attempt.call
  if (!http || headers.signature === undefined || headers['signature-input'] === undefined)
    throw failed('signature_missing', 'Send both Signature and Signature-Input.')

  let failure: ProtocolError | undefined
  for (const { input, signature } of signaturesIn(headers)) {
    if (isBotSignature(input)) continue
    try {
      return await proveOne(attempt, input, signature)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      failure = error
    }
  }
  throw failure ?? failed('signature_missing', 'There is no complete signature.')
}

/** Verifies one signature of the request, independently of all other signatures. */
async function proveOne(attempt: SignedAttempt, input: unknown, signature: unknown): Promise<Proven> {
  if (!isInnerListItem(input)) throw failed('signature_invalid', 'Signature-Input must list the covered components.')
  refuseUncovered(attempt.call, input)
  refuseStrangeComponents(input)
  refuseStale(attempt, input)
  if (!(signature instanceof ArrayBuffer)) throw failed('signature_invalid', 'Signature must be a byte sequence.')
  const key = await findKey(attempt, input[1].get('keyid'))
  if (!isAlgorithmOfKey(input[1].get('alg'), key))
    throw failed('signature_invalid', 'The alg parameter does not match the key.')
  if (!key.verifies(Buffer.from(signatureBase(input, attempt.call, attempt.dependencies)), Buffer.from(signature)))
    throw failed('signature_invalid', 'The signature does not verify.')
  return { principal: `key:${key.thumbprint}`, thumbprint: key.thumbprint }
}

/**
 * Refuses a signature that does not cover all important parts of the request, such as the path and the body. The caller
 * gets the same error code as for a missing signature.
 */
function refuseUncovered({ headers, http, deployment = standalone }: SignedCall, [items]: InnerList) {
  const covered = new Set(items.filter(([, parameters]) => parameters.size === 0).map(([name]) => name))
  const body = http !== undefined && http.body.length > 0
  const agentHeaders = deployment.agentHeaders.map((name) => name.toLowerCase())
  const signed = [...agentHeaders, 'idempotency-key', 'content-digest', 'content-type']
  const needed = [
    ...['@method', '@authority', '@path'],
    ...(http?.target.includes('?') ? ['@query'] : []),
    ...(body ? ['content-digest'] : []),
    ...signed.filter((name) => headers[name] !== undefined),
  ]
  const open = needed.filter((name) => !covered.has(name))
  if (open.length > 0)
    throw failed('signature_missing', `The signature must also cover ${[...new Set(open)].join(', ')}.`)
}

/** How many seconds the clock of a signing caller may be ahead of the server's clock. */
const MOST_AHEAD_SECONDS = 60

function refuseStale({ now, policy }: SignedAttempt, [, parameters]: InnerList) {
  const seconds = now.getTime() / 1000
  const expires = parameters.get('expires')
  const created = parameters.get('created')
  if ([created, expires].some((instant) => instant !== undefined && typeof instant !== 'number'))
    throw failed('signature_invalid', 'created and expires must be numbers of seconds.')
  if (policy.dated && created === undefined)
    throw failed('signature_invalid', 'created is missing: it must be the time of the signature.')
  if (typeof expires === 'number' && expires < seconds) throw failed('signature_expired', 'The signature has expired.')
  if (policy.signatureAge !== undefined && typeof created === 'number' && created < seconds - policy.signatureAge)
    throw failed('signature_expired', `The signature is older than ${policy.signatureAge} seconds.`)
  // The server refuses a creation time in the future, because such a signature would be valid for longer than the
  // maximum age.
  if (policy.signatureAge !== undefined && typeof created === 'number' && created > seconds + MOST_AHEAD_SECONDS)
    throw failed('signature_invalid', 'created is in the future.')
}

async function findKey({ call, dependencies }: SignedAttempt, keyid: unknown): Promise<VerificationKey> {
  const { agent } = call
  if (typeof keyid !== 'string' || !agent) throw failed('key_not_found', 'The signature must name its key in keyid.')
  const known = candidates(agent.profile, keyid)
  // The signing key and all other data of the platform must come from the same profile document. Therefore the rest of
  // the call also uses the new version of the profile.
  if (known.length === 0)
    call.agent = { ...agent, profile: await dependencies.profiles.refresh(agent.url, askerOf(call)) }
  const found = known.length > 0 ? known : candidates(call.agent?.profile ?? agent.profile, keyid)
  if (found.length === 0) throw failed('key_not_found', `The platform profile has no key ${keyid}.`)
  const usable = firstUsable(found)
  if (!usable)
    throw failed('algorithm_unsupported', `The key ${keyid} has an unsupported type. ES256 is always supported.`)
  return usable
}

const askerOf = ({ peer, deployment = standalone, operation }: SignedAttempt['call']): ProfileOptions => ({
  address: peer.address,
  members: deployment.platformMembers,
  ...(operation?.protocol && { protocol: operation.protocol }),
})

/**
 * Returns the first key of the list with a supported type. A platform profile can contain any number of keys with the
 * same id. The function tries only a few keys, because each key takes CPU time.
 */
function firstUsable(found: PublicJwk[]): VerificationKey | undefined {
  for (const jwk of found.slice(0, MOST_KEYS_PER_ID)) {
    const key = verificationKey(jwk)
    if (key) return key
  }
  return undefined
}

const candidates = ({ keys = [], signing_keys = [] }: PlatformProfile, keyid: string) => {
  const withKeyId = (list: typeof keys) => list.filter(({ kid, use }) => kid === keyid && use !== 'enc')
  const published = withKeyId(keys)
  return published.length > 0 ? published : withKeyId(signing_keys)
}
