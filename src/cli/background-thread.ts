import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { BEAT } from './background-beat.ts'
import { runBackground } from './run-background.ts'

if (parentPort) {
  parentPort.postMessage('loaded')
  setInterval(() => parentPort?.postMessage('alive'), BEAT).unref()
  await runBackground(workerData, once(parentPort, 'message'))
}
