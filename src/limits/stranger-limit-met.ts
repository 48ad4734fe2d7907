import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../monitoring/metrics.ts'
import type { StrangerLimit } from '../protocol/limits.ts'
import { MINUTE } from '../time/units.ts'

/** Counts each refusal, and has the log say once a minute that a limit is met: whoever floods fills no disk either. */
export function strangerLimitAlarm({ strangerLimits }: Metrics, log: FastifyBaseLogger, clock: () => Date) {
  const lastLogged = new Map<StrangerLimit, number>()
  return (limit: StrangerLimit): void => {
    strangerLimits.inc({ limit })
    const now = clock().getTime()
    if (now - (lastLogged.get(limit) ?? Number.NEGATIVE_INFINITY) < MINUTE) return
    lastLogged.set(limit, now)
    log.warn({ limit: `limits.strangers.${limit}` }, 'strangers of one address have reached a limit')
  }
}
