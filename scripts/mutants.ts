/**
 * Plants faults into a copy of the sources, one at a time, and says how many of them the tests catch. Which ones follows
 * from the seed. `npm run mutants -- --sample 20 src/waitlist` plants twenty in one room.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { limitConcurrency } from '../src/basics/concurrency-limit.ts'
import { openCompiler } from './mutants/compiler.ts'
import { copyOf } from './mutants/copy.ts'
import { type Fault, nameOf } from './mutants/fault.ts'
import { plant } from './mutants/plant.ts'
import { endTests, runTests } from './mutants/run-tests.ts'
import { sample } from './mutants/sample.ts'
import { sharedPostgres } from './mutants/shared-postgres.ts'
import { testsOf } from './mutants/which-tests.ts'

/** Where faults are planted, and where what these rooms do is tested. */
const ROOMS = names(`
  authentication availability bookings checkouts deliveries desk egress events jobs keys ledger limits net payments pipeline
  profiles replies waitlist`)
const TESTS = names(`
  access/ authentication/ availability/ bookings/ calendar/ checkouts/ config/ desk/ egress/ events/ feed/ jobs/ keys/ ledger/ limits/
  oauth/ pages/ payments/ pipeline/ profiles/ protocol/ tokens/ waitlist/
  bindings/generated cli/housekeeping cli/reseal cli/verify`).map((name) => `test/${name}`)
const KNOWN = 'test/mutants/survivors.md'
const HOUR = 3_600_000
/** Longer than the slowest machine takes: only what never ends is ended. */
const LONGEST = 15 * 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '150' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: TESTS },
    /** Seconds of tests that one fault is worth. */
    patience: { type: 'string', default: '120' },
    'at-once': { type: 'string', default: '2' },
    /** Of a hundred; with fewer it fails. */
    least: { type: 'string', default: '92' },
  },
})
const [atOnce, patience] = [Number(values['at-once']), Number(values.patience) * 1000]
const repository = join(import.meta.dirname, '..')
const folder = copyOf(repository)
process.on('exit', () => {
  endTests()
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const faults = choose()
plant(folder, faults)
console.log(`${faults.length} faults are planted. The tests run once, with none of them on.`)
const seen = join(folder, 'tmp', 'seen')
const postgres = await sharedPostgres(join(folder, 'tmp'))
const well = await runTests(folder, {
  ...{ files: values.tests, workers: atOnce, bail: false, timeout: HOUR },
  env: { PLANTED_SEEN: seen, ...postgres.envFor('unplanted') },
})
await postgres.drop('unplanted')
if (!well.isWell) console.log(`Without any fault this fails, and its file is left out: ${well.failed}`)
const testsFor = testsOf(faults, seen, well.passed, patience)

const turn = limitConcurrency(atOnce)
const survivors: Fault[] = []
await Promise.all(faults.map((fault, nth) => turn(() => judge(fault, nth))))
await postgres.stop()

const caught = faults.length - survivors.length
const score = Math.floor((1000 * caught) / faults.length) / 10
for (const fault of survivors) console.log(`survived: line ${fault.line}, ${nameOf(fault)}`)
console.log(`caught ${caught} of ${faults.length} (${score} %)`)
process.exitCode = score < Number(values.least) ? 1 : 0

function names(text: string): string[] {
  return text.trim().split(/\s+/)
}

function choose(): Fault[] {
  const compiler = openCompiler(folder)
  const paths = positionals.length > 0 ? positionals : ROOMS.map((room) => `src/${room}`)
  const known = readFileSync(join(repository, KNOWN), 'utf8')
  const { chosen, passedOver } = sample(compiler, {
    ...{ folder, paths, known, most: Number(values.sample), seed: Number(values.seed) },
  })
  compiler.close()
  if (passedOver > 0) console.log(`${passedOver} are passed over: ${KNOWN} says why nobody would notice.`)
  return chosen
}

async function judge(fault: Fault, nth: number): Promise<void> {
  const files = testsFor(fault)
  const prefix = `planted_${nth}`
  const env = { PLANTED: String(nth), ...postgres.envFor(prefix) }
  const told =
    files.length === 0 ? undefined : await runTests(folder, { files, env, workers: 1, bail: true, timeout: LONGEST })
  await postgres.drop(prefix)
  if (told === undefined || told.isWell) survivors.push(fault)
  const verdict = told === undefined ? 'met by no test' : told.isWell ? 'SURVIVED' : `caught by ${told.failed}`
  console.log(`${nth + 1}. line ${fault.line}, ${nameOf(fault)}: ${verdict}`)
}
