import { Gauge, type Registry } from 'prom-client'
import type { PoolUsage, PoolUsages } from '../../infra/db/pool-usage.ts'

const poolMetrics: { name: string; help: string; of: (occupancy: PoolUsage) => number }[] = [
  {
    name: 'usp_database_connections',
    help:
      'Connections to the database that this server has, by what for: calls, background (what nobody waits for, as it was ' +
      'seconds ago) or standby',
    of: ({ open }) => open,
  },
  { name: 'usp_database_connections_idle', help: 'Those of them that nobody uses', of: ({ idle }) => idle },
  {
    name: 'usp_database_connections_most',
    help: 'Those that it may have: DATABASE_POOL, and half as many for the background',
    of: ({ most }) => most,
  },
  {
    name: 'usp_database_queue',
    help: 'Who waits for a connection or for the turn of a change',
    of: ({ waiting }) => waiting,
  },
]

export function poolGauges(registry: Registry, pools: PoolUsages): void {
  for (const { name, help, of } of poolMetrics)
    new Gauge({
      ...{ name, help, labelNames: ['pool'], registers: [registry] },
      collect() {
        // A thread that ended has no connections.
        this.reset()
        for (const [pool, occupancyOf] of pools) {
          const occupancy = occupancyOf()
          if (occupancy) this.set({ pool }, of(occupancy))
        }
      },
    })
}
