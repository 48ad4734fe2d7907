import { spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CONFIG_FILE } from './plant.ts'

interface RunOptions {
  files: readonly string[]
  env: NodeJS.ProcessEnv
  workers: number
  /** Runs the files in the given order, and stops at the first failed test. */
  bail: boolean
  /** In milliseconds. A longer run counts as endless. */
  timeout: number
}

interface RunResult {
  isWell: boolean
  /** The milliseconds of each test file that passed. */
  passed: Map<string, number>
  failed: string
  failedFile?: string
}

/** Runs test files in the copy of the repository. Repeats each failed test once, because a test may fail by chance. */
export async function runTests(folder: string, { files, env, workers, bail, timeout }: RunOptions): Promise<RunResult> {
  const runFolder = mkdtempSync(join(folder, 'tmp', 'run-'))
  // If this program runs as root, PostgreSQL runs as another user. This user must be able to enter the folder.
  chmodSync(runFolder, 0o755)
  const [report, outputPath] = [join(runFolder, 'report.json'), join(runFolder, 'said')]
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const how = ['--retry=1', `--maxWorkers=${workers}`, '--reporter=json', `--outputFile=${report}`]
  const order = bail ? { PLANTED_ORDER: files.join(' ') } : {}
  const output = openSync(outputPath, 'w')
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--config', CONFIG_FILE, ...how, ...(bail ? ['--bail=1'] : []), ...files],
    {
      cwd: folder,
      env: { ...process.env, ...env, ...order, TMPDIR: runFolder },
      stdio: ['ignore', output, output],
      detached: true,
    },
  )
  running.add(child.pid)
  const end = setTimeout(() => killGroup(child.pid), timeout)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await Promise.race([ended, reportWritten(report, ended)])
  // The report is complete. The script does not wait for the clean-up of the tests, which may take minutes.
  const code = await Promise.race([ended, sleep(EXIT_WAIT_MS)])
  clearTimeout(end)
  closeSync(output)
  killGroup(child.pid)
  running.delete(child.pid)
  try {
    const results = existsSync(report) ? read(report, folder) : undefined
    if (!results && code === null) return { isWell: false, passed: new Map(), failed: 'the clock: it never ends' }
    if (!results?.ran) throw new Error(`vitest ran no test:\n${readFileSync(outputPath, 'utf8')}`)
    return { isWell: code === 0 || (typeof code !== 'number' && results.success), ...results }
  } finally {
    rmSync(runFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** In milliseconds. This is the time that vitest has to end after it has written its report. */
const EXIT_WAIT_MS = 3_000

/** Waits until the report exists or vitest has ended. Vitest writes the report after the last test. */
async function reportWritten(report: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver && !existsSync(report)) await sleep(200)
}

const running = new Set<number | undefined>()

export const endTests = (): void => running.forEach(killGroup)

/** Kills the whole process group. Its PostgreSQL ends within a minute, because the script deletes its folder. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has already ended.
  }
}

interface Report {
  success: boolean
  testResults: {
    name: string
    status: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string }[]
  }[]
}

function read(report: string, folder: string) {
  const { success, testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
  const nameOf = (path: string) => path.slice(folder.length + 1)
  const passed = new Map(
    testResults
      .filter(({ status }) => status === 'passed')
      .map(({ name, startTime, endTime }) => [nameOf(name), endTime - startTime]),
  )
  // If vitest stops at a failed test, the report also lists files as failed that did not run.
  const failed = testResults.filter(({ status }) => status === 'failed')
  const [first] = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => ({ name, fullName })),
  )
  const [failedFile] = [first ?? failed[0] ?? []].flat().map(({ name }) => nameOf(name))
  const [ran, name] = [testResults.length > 0, first?.fullName ?? failedFile ?? 'an error that nobody handled']
  return { success, ran, passed, failed: name, ...(failedFile && { failedFile }) }
}
