/**
 * Runs all benchmarks one after another, or only the named ones, such as `npm run bench -- pooled race`. Continues after
 * a failure.
 */
import { spawnSync } from 'node:child_process'
import { SKIPPED_EXIT_CODE } from './support/require-or-skip.ts'

const all = [
  ...[
    'verify',
    'start',
    'availability',
    'tracing',
    'pooled',
    'two-servers',
    'large-business',
    'pages',
    'desk',
    'writes',
    'race',
  ],
  ...[
    'assistant',
    'calendars',
    'events',
    'mails',
    'registry',
    'registry-feed',
    'service-times',
    'simulate',
    'waitlist',
  ],
  ...['apply', 'first-start', 'cancel-class', 'checkout', 'feed', 'install'],
]
const named = process.argv.slice(2)

const ended = (named.length > 0 ? named : all).map((name) => {
  console.log(`\n== ${name}`)
  return { name, ...spawnSync(process.execPath, [`${import.meta.dirname}/${name}.ts`], { stdio: 'inherit' }) }
})
const names = (some: typeof ended) => some.map(({ name }) => name).join(', ') || 'none'
const left = ended.filter(({ status }) => status === SKIPPED_EXIT_CODE)
const failed = ended.filter(({ status }) => status !== 0 && status !== SKIPPED_EXIT_CODE)
console.log(`\npassed over: ${names(left)}\nmissed a target or failed: ${names(failed)}`)
if (failed.length > 0) process.exitCode = 1
