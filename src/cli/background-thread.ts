import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { Occupancy } from '../infra/db/occupancy.ts'
import { BEAT } from './background-beat.ts'
import { runBackground } from './run-background.ts'

if (parentPort) {
  let occupancyOf: (() => Occupancy) | undefined
  parentPort.postMessage('loaded')
  setInterval(() => parentPort?.postMessage(occupancyOf?.() ?? 'alive'), BEAT).unref()
  await runBackground(workerData, once(parentPort, 'message'), (db) => {
    occupancyOf = () => db.driver.occupancy
  })
}
