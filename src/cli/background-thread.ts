import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { PoolUsage } from '../infra/db/connection-pool-usage.ts'
import { HEARTBEAT_MS } from './background-heartbeat.ts'
import { releaseUnusedMemory } from './release-unused-memory.ts'
import { runBackground } from './run-background-work.ts'

/** After this time, all background workers have run once, so all modules are loaded. */
const LOADED_AFTER_MS = 5_000

if (parentPort) {
  let occupancyOf: (() => PoolUsage) | undefined
  parentPort.postMessage('loaded')
  setInterval(() => parentPort?.postMessage(occupancyOf?.() ?? 'alive'), HEARTBEAT_MS).unref()
  setTimeout(releaseUnusedMemory, LOADED_AFTER_MS).unref()
  await runBackground(workerData, once(parentPort, 'message'), (db) => {
    occupancyOf = () => db.driver.usage
  })
}
