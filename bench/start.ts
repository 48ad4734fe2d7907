/**
 * Measures the time from `npm start` until the first answer: once with an empty data folder, then five times with the
 * same folder.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const PORT = '18080'
const folder = join(tmpdir(), `usp-start-${randomUUID()}`)

async function timeStart(): Promise<number> {
  const begun = performance.now()
  const env = { ...process.env, PORT, USP_DATA_DIR: folder, USP_DEMO_DATA: 'off' }
  const npm = spawn('npm', ['start'], { env, stdio: 'ignore', detached: true })
  while (
    !(await fetch(`http://127.0.0.1:${PORT}/usp/v1/services/svc_haircut`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await setTimeout(5)
  const taken = performance.now() - begun
  // Ends the whole process group, as Ctrl-C in a terminal does.
  process.kill(-(npm.pid ?? 0), 'SIGINT')
  await once(npm, 'close')
  return taken
}

const first = await timeStart()
const warm: number[] = []
for (let run = 0; run < 5; run++) warm.push(await timeStart())
rmSync(folder, { recursive: true, force: true })
const median = warm.sort((a, b) => a - b)[2] ?? 0
console.log(`first start ${(first / 1000).toFixed(2)} s, warm start ${(median / 1000).toFixed(2)} s (median of 5)`)
