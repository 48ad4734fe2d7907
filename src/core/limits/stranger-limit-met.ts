import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import { MINUTE } from '../../infra/time/units.ts'
import type { StrangerLimit, Unproven } from '../../protocol/limits.ts'

/** Counts each refusal, and has the log say once a minute that a limit is met: whoever floods fills no disk either. */
export function strangerLimitAlarm({ strangerLimits }: Metrics, log: FastifyBaseLogger, clock: () => Date) {
  const lastLogged = new Map<string, number>()
  return (whose: Unproven, limit: StrangerLimit): void => {
    strangerLimits.inc({ limit })
    const setting = `limits.${whose}.${limit}`
    const now = clock().getTime()
    if (now - (lastLogged.get(setting) ?? Number.NEGATIVE_INFINITY) < MINUTE) return
    lastLogged.set(setting, now)
    log.warn({ limit: setting }, `${whose} have reached a limit.`)
  }
}
