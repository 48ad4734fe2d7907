/**
 * `npm run ha` runs the high-availability set-up of deploy/ha on this machine. You can try it, and stop single programs
 * to see the effect. Ctrl-C removes everything.
 */
import { fileURLToPath } from 'node:url'
import { describeSetUp } from './describe-set-up.ts'
import { missingPrograms } from './missing-programs.ts'
import { makeSetUp } from './set-up.ts'

const missing = missingPrograms()
if (missing.length > 0) {
  console.error(`There is no ${missing.join(', ')} here. deploy/ha/README.md says what to install.`)
  process.exit(1)
}
const business = fileURLToPath(new URL('../../examples/glamour-salon.yaml', import.meta.url))
let port = Number(process.env.USP_HA_PORT ?? 8500)

const setUp = await makeSetUp(async () => port++, process.env.USP_BUSINESS_FILE ?? business)

let isEnding = false
const end = async (code: number) => {
  if (isEnding) return
  isEnding = true
  console.log('Ending.')
  await setUp.stop()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0))

console.log('Starting etcd, PostgreSQL, PgBouncer and the servers; it takes half a minute.')
try {
  await setUp.start()
} catch (error) {
  if (!isEnding) console.error(error instanceof Error ? error.message : error)
  await end(1)
}
if (!isEnding) {
  console.log(describeSetUp(setUp))
  process.stdin.on('data', () =>
    console.log(`Started: ${setUp.startEnded().join(', ') || 'nothing, for all of it runs'}.`),
  )
}
// The detached programs do not keep this process running, but this timer does.
setInterval(() => {}, 1_000_000)
