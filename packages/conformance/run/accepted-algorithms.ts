import { Caller } from '../caller/caller.ts'
import type { Algorithm } from '../caller/key-pair.ts'
import type { PlatformHost } from '../platform/platform-host.ts'
import type { Target } from '../target/target.ts'

/** The use of a platform's key: proofs of possession, or HTTP message signatures. */
export type KeyUse = 'proof' | 'signature'

/** The algorithms that the business accepts for each use. The suite's platforms use the first one. */
export type AcceptedAlgorithms = Record<KeyUse, [Algorithm, ...Algorithm[]]>

const CANDIDATES: Algorithm[] = ['ES256', 'EdDSA']
const mechanisms = { proof: 'platform_key_pop', signature: 'http_message_signature' } as const
/** The algorithms that the protocol demands of each business. */
const demanded = { proof: 'EdDSA', signature: 'ES256' } as const
const UNKNOWN_BOOKING = 'bkg_conformance_unknown'

/**
 * Finds the algorithms that the business accepts. Its profile can list the algorithms of proofs. Otherwise the suite
 * tries each algorithm with a call that changes nothing.
 */
export async function findAcceptedAlgorithms(target: Target, host: PlatformHost): Promise<AcceptedAlgorithms> {
  const known = CANDIDATES.filter((algorithm) => target.listedProofAlgorithms?.includes(algorithm))
  return {
    proof: orDemanded('proof', target.listedProofAlgorithms ? known : await tryEach('proof', target, host)),
    signature: orDemanded('signature', await tryEach('signature', target, host)),
  }
}

/** Without an accepted algorithm, the suite uses the demanded one. Its checks then report the refusals. */
function orDemanded(use: KeyUse, [first, ...others]: Algorithm[]): [Algorithm, ...Algorithm[]] {
  return first === undefined ? [demanded[use]] : [first, ...others]
}

async function tryEach(use: KeyUse, target: Target, host: PlatformHost): Promise<Algorithm[]> {
  if (!target.mechanisms.includes(mechanisms[use]) || !target.capability('services.bookings')) return []
  const accepted: Algorithm[] = []
  for (const algorithm of CANDIDATES) {
    const identity = host.add({ algorithm })
    const caller = new Caller({ target, binding: target.firstBinding, identity, authentication: use, record: () => {} })
    const answer = await caller.call('getBooking', { booking_id: UNKNOWN_BOOKING }).catch(() => undefined)
    // Only an authenticated caller gets this error.
    if (answer?.error?.code === 'booking_not_found') accepted.push(algorithm)
  }
  return accepted
}
