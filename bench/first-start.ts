/**
 * Measures the first start with a definition of 6 MB and 242,000 class times, each with a teacher and a room. Reports
 * when the server is ready, and when all class times exist. Then changes the timezone, which moves all class times, and
 * measures this too.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkTarget } from './support/check-target.ts'
import { gym } from './support/gym.ts'
import { openStage } from './support/stage.ts'

const SERVICES = Number(process.env.BENCH_SERVICES ?? 1_805)
const chain = (timezone: string) => gym({ services: SERVICES, days: 64, starts: [0, 120], timezone, described: 2_400 })

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const stage = await openStage()
try {
  const definition = chain('America/New_York')
  const begun = performance.now()
  const since = () => (performance.now() - begun) / 1000
  const { db } = await stage.serve('chain', definition)
  checkTarget('ready after', since(), { atMost: 30 }, 's')
  while (!(await isComplete())) await pass(500)
  checkTarget('all class times after', since(), { atMost: 120 }, 's')
  console.log(`${(JSON.stringify(definition).length / 1e6).toFixed(1)} MB, ${await count()} class times`)
  const file = join(tmpdir(), `usp-bench-chain-${process.pid}.json`)
  writeFileSync(file, JSON.stringify(chain('America/Chicago')))
  checkTarget('another time zone', await apply(file), { atMost: 200 }, 's')
  console.log(`${await count()} class times after it`)

  async function isComplete(): Promise<boolean> {
    const { rows } = await db.query('select version = sessions_version as complete from business')
    return rows[0].complete
  }
  async function count(): Promise<number> {
    const { rows } = await db.query('select count(*)::integer as count from sessions where wanted')
    return rows[0].count
  }
} finally {
  await stage.close()
}

async function apply(file: string): Promise<number> {
  const begun = performance.now()
  const env = { PATH: process.env.PATH, DATABASE_URL: stage.urlOf('chain'), USP_DATA_DIR: tmpdir() }
  const child = spawn(process.execPath, [main, 'apply', file], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`usp apply ended with ${code}`)
  return (performance.now() - begun) / 1000
}
