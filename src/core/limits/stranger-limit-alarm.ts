import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import { MINUTE } from '../../infra/time/units.ts'
import type { StrangerLimit, UnprovenCaller } from '../../protocol/limits.ts'

/** Counts each refusal in the metrics. Logs each limit at most once a minute, because a flood must not fill the disk. */
export function strangerLimitAlarm({ strangerLimits }: Metrics, log: FastifyBaseLogger, clock: () => Date) {
  const lastLogged = new Map<string, number>()
  return (whose: UnprovenCaller, limit: StrangerLimit): void => {
    strangerLimits.inc({ limit })
    const setting = `limits.${whose}.${limit}`
    const now = clock().getTime()
    if (now - (lastLogged.get(setting) ?? Number.NEGATIVE_INFINITY) < MINUTE) return
    lastLogged.set(setting, now)
    log.warn({ limit: setting }, `${whose} have reached a limit.`)
  }
}
