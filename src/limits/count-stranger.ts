import { ProtocolError } from '../protocol/errors.ts'
import type { StrangerLimit } from '../protocol/limits.ts'
import type { Means } from '../protocol/means.ts'
import type { Call } from '../protocol/operation.ts'
import { count, headersOf } from './rate-limits.ts'
import { BECOME_KNOWN } from './stranger-quota.ts'

/** All calls of strangers from one network; and what they change under a profile whose owner may be somebody else. */
export async function countStranger({ caller, operation }: Call, { db, clock }: Means<'db' | 'clock'>): Promise<void> {
  const stranger = caller?.stranger
  if (!stranger) return
  const { network, limits, besideKeys, met } = stranger
  const countOne = async (limit: StrangerLimit, key: string) => {
    const allowance = await count(db, key, limits[limit], clock())
    if (allowance.remaining >= 0) return
    met(limit)
    throw new ProtocolError('rate_limited', `More than ${limits[limit]} calls in a minute. ${BECOME_KNOWN}`, {
      retryAfter: allowance.reset,
      headers: headersOf(allowance),
    })
  }
  await Promise.all([
    countOne('calls', `strangers ${network}`),
    besideKeys !== undefined && operation.effect !== 'read'
      ? countOne('beside_keys', `strangers ${network} ${besideKeys}`)
      : undefined,
  ])
}
