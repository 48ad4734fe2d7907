import { test } from 'vitest'
import { soak } from './soak.ts'

/** A round takes about five minutes. */
const ROUNDS = Number(process.env.USP_SOAK_ROUNDS ?? 4)

test(
  '[EVT-046] [EVT-051] no mail and no event is lost or given up in twenty minutes of faults',
  () =>
    soak({
      connectionLimit: { seconds: 45, connections: 5 },
      restarts: { count: 30, secondsApart: 5 },
      kills: 10,
      rounds: ROUNDS,
    }),
  3_600_000,
)
