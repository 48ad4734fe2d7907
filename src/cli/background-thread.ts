import { once } from 'node:events'
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

enableCompileCache()
const { runBackground } = await import('./run-background.ts')
if (parentPort) {
  parentPort.postMessage('loaded')
  await runBackground(workerData, once(parentPort, 'message'))
}
