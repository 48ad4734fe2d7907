/**
 * Measures how many faults the tests find. Plants faults into a copy of the sources, turns on one fault at a time, and
 * runs the tests. The seed decides which faults. `npm run mutants` plants 220 faults in all folders of src, 70 of them
 * in the interfaces, and takes hours. `npm run mutants -- --sample 20 --tests test/waitlist/ src/domain/waitlist`
 * plants twenty faults in one folder. `npm run mutants -- --range 1-110`, and later `--range 111-220`, tests the same
 * 220 faults in two runs.
 */
import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { limitConcurrency } from '../src/infra/util/semaphore.ts'
import { openCompiler } from './mutants/compiler.ts'
import { copyOf } from './mutants/copy.ts'
import { type Fault, nameOf } from './mutants/fault.ts'
import { plant } from './mutants/plant.ts'
import { endTests, runTests } from './mutants/run-tests.ts'
import { folderOf, type Quota, sample } from './mutants/sample.ts'
import { sharedPostgres } from './mutants/shared-postgres.ts'
import { testsOf } from './mutants/tests-for-faults.ts'

/**
 * The share of faults in the interfaces is fixed. Their tests are weaker than the tests of the rules, and an average
 * would hide this.
 */
const INTERFACES = 'src/interfaces'
const SHARE_OF_INTERFACES = 0.32
const LEAST_IN_FOLDER = 2
/**
 * Test folders that do not run here. Their tests measure time, overload or deploy the server, or start browsers and
 * other programs.
 */
const NOT_RUN = names(`
  bench browser clients conformance deploy faults foreign ha hostile interop mutants race support upgrade`)
const KNOWN = 'test/mutants/survivors.md'
const HOUR = 3_600_000
/** In milliseconds. The first run executes all tests, maybe on a busy machine. */
const MAX_FIRST_RUN_MS = 6 * HOUR
/** In milliseconds. Even on a slow machine, only an endless run takes longer. The script then kills the run. */
const MAX_RUN_MS = 15 * 60_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '220' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', multiple: true, default: testFolders() },
    /** The maximum seconds of tests for one fault. */
    patience: { type: 'string', default: '120' },
    /** The numbers of the first and last fault to test, as the output shows them. */
    range: { type: 'string', default: '1-' },
    'at-once': { type: 'string', default: '2' },
    /** Prints the number of faults in each folder, and runs no tests. */
    list: { type: 'boolean', default: false },
    /** A percentage. The command fails if the tests find a smaller share of the faults. */
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
for (const [name, faultsInFolder] of Map.groupBy(faults, ({ file }) => folderOf(file)))
  console.log(`${faultsInFolder.length} in ${name}`)
if (values.list) process.exit(0)
plant(folder, faults)
console.log(`${faults.length} faults are planted. The tests run once, with none of them on.`)
const seen = join(folder, 'tmp', 'seen')
const postgres = await sharedPostgres(join(folder, 'tmp'))
const baseline = await runTests(folder, {
  files: values.tests,
  workers: atOnce,
  bail: false,
  timeout: MAX_FIRST_RUN_MS,
  env: { PLANTED_SEEN: seen, ...postgres.envFor('unplanted') },
})
await postgres.drop('unplanted')
if (!baseline.isWell) console.log(`Without any fault this fails, and its file is left out: ${baseline.failed}`)
const untimed = new Map([...baseline.passed].filter(([file]) => !isTimed(file)))
const testsFor = testsOf(faults, seen, untimed, patience)

const turn = limitConcurrency(atOnce)
const survivors: Fault[] = []
const [first, last] = values.range.split('-').map(Number)
const judged = [...faults.entries()].slice(first ? first - 1 : 0, last || undefined)
await Promise.all(judged.map(([nth, fault]) => turn(() => judge(fault, nth))))
await postgres.stop()

const caught = judged.length - survivors.length
const score = Math.floor((1000 * caught) / judged.length) / 10
for (const fault of survivors) console.log(`survived: line ${fault.line}, ${nameOf(fault)}`)
console.log(`caught ${caught} of ${judged.length} (${score} %)`)
process.exitCode = score < Number(values.least) ? 1 : 0

function names(text: string): string[] {
  return text.trim().split(/\s+/)
}

function testFolders(): string[] {
  const entries = readdirSync(join(import.meta.dirname, '../test'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => (NOT_RUN.includes(name) ? [] : [`test/${name}/`]))
}

/**
 * Whether a test measures time. Such a test may fail on a busy machine without a fault, and this would count as a find.
 */
function isTimed(file: string): boolean {
  return /support\/(slowness|longest-turn)\.ts'/.test(readFileSync(join(folder, file), 'utf8'))
}

/**
 * Returns how many faults each path gets. If the user names paths, they get all faults. Otherwise each folder of src
 * gets a share.
 */
function quotas(): Quota[] {
  const most = Number(values.sample)
  if (positionals.length > 0) return [{ paths: positionals, most }]
  const folders = [...new Set(globSync('src/**/*.ts', { cwd: folder }).map(folderOf))].toSorted()
  return [
    { paths: [INTERFACES], most: Math.ceil(SHARE_OF_INTERFACES * most) },
    ...folders.map((name) => ({ paths: [name], most: LEAST_IN_FOLDER })),
    { paths: ['src'], most },
  ]
}

function choose(): Fault[] {
  const compiler = openCompiler(folder)
  const known = readFileSync(join(repository, KNOWN), 'utf8')
  const { chosen, passedOver } = sample(compiler, { folder, known, quotas: quotas(), seed: Number(values.seed) })
  compiler.close()
  if (passedOver > 0) console.log(`${passedOver} are passed over: ${KNOWN} says why nobody would notice.`)
  return chosen
}

async function judge(fault: Fault, nth: number): Promise<void> {
  const files = testsFor(fault)
  const prefix = `planted_${nth}`
  const env = { PLANTED: String(nth), ...postgres.envFor(prefix) }
  const result =
    files.length === 0 ? undefined : await runTests(folder, { files, env, workers: 1, bail: true, timeout: MAX_RUN_MS })
  await postgres.drop(prefix)
  if (result === undefined || result.isWell) survivors.push(fault)
  const verdict = result === undefined ? 'met by no test' : result.isWell ? 'SURVIVED' : `caught by ${result.failed}`
  console.log(`${nth + 1}. line ${fault.line}, ${nameOf(fault)}: ${verdict}`)
}
