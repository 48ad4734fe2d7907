/**
 * Measures how many faults the tests find. Plants faults into a copy of the sources, turns on one fault at a time, and
 * runs the tests. The seed decides which faults. `npm run mutants` plants 220 faults in all folders of src, 70 of them
 * in the interfaces, and takes hours. `npm run mutants -- --sample 20 --tests test/waitlist/ src/domain/waitlist`
 * plants twenty faults in one folder. `npm run mutants -- --range 1-110`, and later `--range 111-220`, tests the same
 * 220 faults in two runs. The script remembers results in two files. test/mutants/found-by.tsv has the test file that found each
 * fault, and the script tries this file first. test/mutants/tests.tsv has the test files that reach each fault. The script
 * runs all tests only for faults that are in neither file. `npm run mutants -- --only-new` tests only the faults
 * that no earlier run found.
 */
import { existsSync, globSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { limitConcurrency } from '../src/infra/util/semaphore.ts'
import { openCompiler } from './mutants/compiler.ts'
import { copyOf } from './mutants/copy.ts'
import { type Fault, nameOf } from './mutants/fault.ts'
import { plant } from './mutants/plant.ts'
import { openList } from './mutants/remember.ts'
import { endTests, runTests } from './mutants/run-tests.ts'
import { folderOf, type Quota, sample } from './mutants/sample.ts'
import { sharedPostgres } from './mutants/shared-postgres.ts'
import { isOfItsFolder, testsOf } from './mutants/tests-for-faults.ts'

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
const FOUND_BY = 'test/mutants/found-by.tsv'
const TESTS = 'test/mutants/tests.tsv'
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
    /** Leaves out the faults that an earlier run found. */
    'only-new': { type: 'boolean', default: false },
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
const seen = join(folder, 'tmp', 'seen')
const postgres = await sharedPostgres(join(folder, 'tmp'))
const turn = limitConcurrency(atOnce)
const finders = openList(join(repository, FOUND_BY))
const testsOfFaults = openList(join(repository, TESTS))
const [first, last] = values.range.split('-').map(Number)
const judged = [...faults.keys()]
  .slice(first ? first - 1 : 0, last || undefined)
  .filter((nth) => !values['only-new'] || finderOf(nth) === undefined)
const notFoundAgain = await judgeWithFinders()
const known = notFoundAgain.filter(hasTests)
const unknown = notFoundAgain.filter((nth) => !hasTests(nth))
const survivors = [...(await judgeWithKnownTests(known)), ...(await judgeWithAllTests(unknown))]
await postgres.stop()

const caught = judged.length - survivors.length
const score = Math.floor((1000 * caught) / judged.length) / 10
for (const nth of survivors) console.log(`survived: ${described(nth)}`)
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

/** Returns the test file that found the fault in an earlier run. */
function finderOf(nth: number): string | undefined {
  const fault = faults[nth]
  const finder = fault && finders.textOf(fault)
  const runs = finder && values.tests.some((tests) => finder.startsWith(tests)) && existsSync(join(folder, finder))
  return runs ? finder : undefined
}

/** Tries each fault with the test file that found it before. Returns the numbers of the faults that are left. */
async function judgeWithFinders(): Promise<number[]> {
  const files = new Set(judged.flatMap((nth) => finderOf(nth) ?? []))
  if (files.size === 0) return judged
  console.log(`${files.size} test files found faults in earlier runs. They run once, with no fault on.`)
  const baseline = await runWithoutFault([...files])
  return findSurvivors(judged, (nth) => [finderOf(nth) ?? []].flat().filter((file) => baseline.passed.has(file)))
}

function hasTests(nth: number): boolean {
  const fault = faults[nth]
  return fault !== undefined && testsOfFaults.textOf(fault) !== undefined
}

/**
 * Tries each fault with two groups of tests: the test files that reached it in an earlier run, and the tests of its folder.
 * Some of these tests may be new. Returns the numbers of the faults that no test finds.
 */
async function judgeWithKnownTests(numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return []
  const all = globSync('test/**/*.test.ts', { cwd: folder })
  const isChosen = (file: string) => values.tests.some((tests) => file.startsWith(tests))
  const testsFor = (nth: number) => {
    const fault = faults[nth]
    const reached = (fault && testsOfFaults.textOf(fault)?.split(' ')) ?? []
    const candidates = new Set([...reached, ...all.filter((file) => fault && isOfItsFolder(file, fault))])
    return [...candidates].filter((file) => all.includes(file) && isChosen(file))
  }
  const files = new Set(numbers.flatMap(testsFor))
  console.log(`${files.size} test files reach ${numbers.length} faults. They run once, with no fault on.`)
  const { passed } = await runWithoutFault([...files])
  return findSurvivors(numbers, (nth) => testsFor(nth).filter((file) => passed.has(file) && !isTimed(file)))
}

async function judgeWithAllTests(numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return []
  console.log(`All tests run once, with no fault on. ${numbers.length} faults are left.`)
  const baseline = await runWithoutFault(values.tests)
  if (!baseline.isWell) console.log(`Without any fault this fails, and its file is left out: ${baseline.failed}`)
  const untimed = new Map([...baseline.passed].filter(([file]) => !isTimed(file)))
  const testsFor = testsOf(faults, seen, untimed, patience)
  return findSurvivors(numbers, (nth) => {
    const fault = faults[nth]
    const tests = fault ? testsFor(fault) : []
    if (fault && tests.length > 0) testsOfFaults.set(fault, tests.join(' '))
    return tests
  })
}

async function runWithoutFault(files: readonly string[]) {
  const env = { PLANTED_SEEN: seen, ...postgres.envFor('unplanted') }
  const baseline = await runTests(folder, { files, workers: atOnce, bail: false, timeout: MAX_FIRST_RUN_MS, env })
  await postgres.drop('unplanted')
  return baseline
}

async function findSurvivors(numbers: readonly number[], testsFor: (nth: number) => string[]): Promise<number[]> {
  const isFound = await Promise.all(numbers.map((nth) => turn(() => judge(nth, testsFor(nth)))))
  return numbers.filter((_, place) => !isFound[place])
}

/** Runs the test files with one fault. Returns whether a test failed. */
async function judge(nth: number, files: string[]): Promise<boolean> {
  const fault = faults[nth]
  if (!fault || files.length === 0) return false
  const prefix = `planted_${nth}`
  const env = { PLANTED: String(nth), ...postgres.envFor(prefix) }
  const run = { files, env, workers: 1, bail: true, timeout: MAX_RUN_MS }
  // A run that breaks for another reason must not end the other runs, which have taken hours. Its fault counts as not found.
  const result = await runTests(folder, run).catch((error: Error) => console.error(error.message))
  await postgres.drop(prefix)
  if (!result) return false
  const { isWell, failed, failedFile } = result
  if (failedFile) finders.set(fault, failedFile)
  console.log(`${described(nth)}: ${isWell ? 'not found' : `found by ${failed}`}`)
  return !isWell
}

function described(nth: number): string {
  const fault = faults[nth]
  return fault ? `${nth + 1}. line ${fault.line}, ${nameOf(fault)}` : ''
}
