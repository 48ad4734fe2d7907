/**
 * Measures how many faults of a server the suite finds. Starts this project's server behind a proxy, which simulates
 * one fault at a time. For each fault, runs the checks of its rules. Prints the share of found faults. `npm run
 * conformance:mutants` runs all faults. `npm run conformance:mutants -- --only "list"` runs the faults with this word
 * in their name.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { allChecks } from '../checks/all-checks.ts'
import type { Check } from '../checks/check.ts'
import { readRules } from '../rules/rule.ts'
import { chooseChecks } from '../run/choose-checks.ts'
import { type Finding, runChecks } from '../run/run-checks.ts'
import { startRun } from '../run/start-run.ts'
import type { Fault } from './fault.ts'
import { allFaults } from './faults/all-faults.ts'
import { FaultProxy } from './proxy.ts'

const START_MS = 120_000
const SEED = 1

const { values } = parseArgs({
  options: {
    /** Runs only the faults with this text in their name. */
    only: { type: 'string', multiple: true, default: [''] },
    /** A percentage. The command fails if the suite finds a smaller share of the faults. */
    least: { type: 'string', default: '95' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'usp-conformance-'))
// If this program runs as root, PostgreSQL runs as another user. This user must be able to enter the folder.
chmodSync(folder, 0o755)
const [serverPort, proxyPort] = [await freePort(), await freePort()]
const url = `http://127.0.0.1:${proxyPort}`
const proxy = new FaultProxy(`http://127.0.0.1:${serverPort}`)
const rules = readRules()
const server = startServer()
try {
  await proxy.listen(proxyPort)
  await ready()
  process.exitCode = await judgeAll(allFaults.filter(({ name }) => values.only.some((text) => name.includes(text))))
} finally {
  await proxy.close()
  await stop(server)
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function judgeAll(faults: Fault[]): Promise<number> {
  const missed: Fault[] = []
  for (const fault of faults) {
    const caught = await findingOf(fault)
    if (!caught) missed.push(fault)
    console.log(`${fault.name}: ${caught ? `caught by ${caught.check.rules.join(' ')} (${caught.reason})` : 'MISSED'}`)
  }
  const score = Math.floor((1000 * (faults.length - missed.length)) / faults.length) / 10
  console.log(`caught ${faults.length - missed.length} of ${faults.length} (${score} %)`)
  return score < Number(values.least) ? 1 : 0
}

/**
 * Returns the first failed check that proves the fault. The check fails twice with the fault, and passes without the
 * fault.
 */
async function findingOf(fault: Fault): Promise<Finding | undefined> {
  const checks = chooseChecks(allChecks, fault.only, rules)
  const failed = await failures(checks, fault)
  for (const finding of failed) {
    const again = await failures([finding.check], fault)
    if (again.length > 0 && (await failures([finding.check], undefined)).length === 0) return finding
  }
  return undefined
}

/** Returns the failed checks of a run. If `fault` is undefined, the server has no simulated fault. */
async function failures(checks: Check[], fault: Fault | undefined): Promise<Finding[]> {
  proxy.use(fault)
  const staff = `usp-server:${readFileSync(join(folder, '.data/owner-token'), 'utf8').trim()}`
  const environment = await startRun({ url, seed: SEED, staff })
  try {
    const findings = await runChecks(checks, environment, { atOnce: 4, onFinding: () => {} })
    return findings.filter(({ result }) => result === 'failed')
  } finally {
    await environment.host.close()
  }
}

function startServer(): ChildProcess {
  const main = join(import.meta.dirname, '../../../src/main.ts')
  const settings = { PORT: String(serverPort), BASE_URL: url, USP_MODE: 'development', USP_DEMO_DATA: 'off' }
  const env = { PATH: process.env.PATH, ...settings }
  return spawn(process.execPath, [main, 'serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
}

async function ready(): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
    const answer = await fetch(`${url}/.well-known/usp`).catch(() => undefined)
    if (answer?.status === 200) return
  }
  throw new Error(`The server did not start within ${START_MS / 1000} s.`)
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await ended
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
