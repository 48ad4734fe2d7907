import { test } from 'vitest'
import { soak } from './soak.ts'

test(
  '[EVT-046] [EVT-051] no mail and no event is lost or given up while connections are few, the database restarts and servers die',
  () =>
    soak({
      connectionLimit: { seconds: 8, connections: 5 },
      restarts: { count: 4, secondsApart: 3 },
      kills: 2,
      rounds: 1,
    }),
  600_000,
)
