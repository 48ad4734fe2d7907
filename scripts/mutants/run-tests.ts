import { spawn } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CONFIG_FILE } from './plant.ts'

interface RunOptions {
  files: readonly string[]
  env: NodeJS.ProcessEnv
  workers: number
  /** Runs the files in their order, and stops at the first test that fails. */
  bail: boolean
  /** Milliseconds; a longer run counts as endless. */
  timeout: number
}

interface RunResult {
  isWell: boolean
  /** Each file that passed, and how many milliseconds it took. */
  passed: Map<string, number>
  failed: string
}

/** Runs test files in the copy. Each failed test runs once more, because it may be flaky. */
export async function runTests(folder: string, { files, env, workers, bail, timeout }: RunOptions): Promise<RunResult> {
  const runFolder = mkdtempSync(join(folder, 'tmp', 'run-'))
  // Under root, PostgreSQL runs as another user.
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
  // The report is complete. The teardown may take minutes and is not needed.
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

/** Milliseconds that vitest has to end after its report. */
const EXIT_WAIT_MS = 3_000

/** Resolves when the report exists (vitest writes it after the last test), or when vitest has ended. */
async function reportWritten(report: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver && !existsSync(report)) await sleep(200)
}

const running = new Set<number | undefined>()

export const endTests = (): void => running.forEach(killGroup)

/** Kills the whole process group. Its PostgreSQL ends within a minute after its folder is deleted. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has ended already.
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
  // When vitest stops at a failed test, files that it never ran count as failed too.
  const failed = testResults.filter(({ status }) => status === 'failed')
  const [first = failed[0] && nameOf(failed[0].name)] = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((one) => one.status === 'failed').map(({ fullName }) => fullName),
  )
  return { success, ran: testResults.length > 0, passed, failed: first ?? 'an error that nobody handled' }
}
