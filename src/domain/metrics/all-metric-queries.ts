import { backups } from './backups.ts'
import { ended } from './booking-outcomes-per-day.ts'
import { jobs } from './job-failures.ts'
import type { Measure } from './metric-query.ts'
import { money, returned } from './received-and-returned-money.ts'
import { standbyCount, standbys, synchronousStandbys } from './standbys.ts'
import { undelivered, waiting } from './waiting-deliveries.ts'

/** The database queries that run each time a monitoring system reads the metrics. */
export const measures: Measure[] = [
  waiting,
  undelivered,
  ended,
  money,
  returned,
  jobs,
  standbys,
  standbyCount,
  synchronousStandbys,
  backups,
]
