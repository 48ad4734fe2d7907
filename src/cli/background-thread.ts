import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { BEAT } from './background-beat.ts'

enableCompileCache()
const { runBackground } = await import('./run-background.ts')
if (parentPort) {
  parentPort.postMessage('loaded')
  setInterval(() => parentPort?.postMessage('alive'), BEAT).unref()
  await runBackground(workerData, once(parentPort, 'message'))
}
