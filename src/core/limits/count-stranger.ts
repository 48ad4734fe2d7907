import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { StrangerLimit } from '../../protocol/limits.ts'
import type { Call } from '../../protocol/operation.ts'
import { countInMinute, headersOf } from './rate-limits.ts'
import { PUBLISH_KEY_HINT } from './stranger-quota.ts'

/** An instruction for agents with own keys: their platform cannot publish all of these keys. */
const PUBLISHED_KEY_HINT =
  'Prove or sign these calls with a key that your profile publishes, or ask the business for an API key or a higher ' +
  '`limits.strangers.beside_keys`.'

/**
 * Counts a stranger's call for its network. Also counts a write by a key that the named profile does not publish: another
 * party may own that profile.
 */
export async function countStranger(
  { caller, operation }: Call,
  { db, clock }: Dependencies<'db' | 'clock'>,
): Promise<void> {
  const stranger = caller?.stranger
  if (!stranger) return
  const { network, limits, profileDigest, reportLimit } = stranger
  const countOne = async (limit: StrangerLimit, key: string) => {
    const allowance = await countInMinute(db, key, limits[limit], clock())
    if (allowance.remaining >= 0) return
    reportLimit(limit)
    const message =
      limit === 'beside_keys'
        ? `More than ${limits[limit]} changes in a minute by keys that your platform profile does not publish. ${PUBLISHED_KEY_HINT}`
        : `More than ${limits[limit]} calls in a minute. ${PUBLISH_KEY_HINT}`
    throw new ProtocolError('rate_limited', message, {
      retryAfter: allowance.reset,
      headers: headersOf(allowance),
    })
  }
  await Promise.all([
    countOne('calls', `strangers ${network}`),
    profileDigest !== undefined && operation.effect !== 'read'
      ? countOne('beside_keys', `strangers ${network} ${profileDigest}`)
      : undefined,
  ])
}
