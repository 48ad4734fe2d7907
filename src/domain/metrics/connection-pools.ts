import { Gauge, type Registry } from 'prom-client'
import type { PoolUsage, PoolUsages } from '../../infra/db/connection-pool-usage.ts'

const poolMetrics: { name: string; help: string; read: (occupancy: PoolUsage) => number }[] = [
  {
    name: 'usp_database_connections',
    help: 'Open connections of this server to the database, by pool: calls, background or standby',
    read: ({ open }) => open,
  },
  {
    name: 'usp_database_connections_idle',
    help: 'Open connections to the database that are idle, by pool',
    read: ({ idle }) => idle,
  },
  {
    name: 'usp_database_connections_most',
    help: 'Limit of connections to the database, by pool: DATABASE_POOL for calls, half of it for background work',
    read: ({ most }) => most,
  },
  {
    name: 'usp_database_queue',
    help: 'Calls and background work that wait for a connection or a transaction slot, by pool',
    read: ({ waiting }) => waiting,
  },
]

export function poolGauges(registry: Registry, pools: PoolUsages): void {
  for (const { name, help, read } of poolMetrics)
    new Gauge({
      name,
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        // Removes the old values. Otherwise, the metric would still show values of a thread that has ended.
        this.reset()
        for (const [pool, occupancyOf] of pools) {
          const occupancy = occupancyOf()
          if (occupancy) this.set({ pool }, read(occupancy))
        }
      },
    })
}
