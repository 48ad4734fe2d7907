import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

export interface Command {
  program: string
  args: string[]
  env: NodeJS.ProcessEnv
  /** True: if this script runs as root, the program runs as the user `postgres`. */
  isUnprivileged?: boolean
  /** The group id of the program, if this script runs as root. The default is the group of `postgres`. */
  group?: number
}

/** PostgreSQL and its tools refuse to run as root, so they run as the user `postgres`. */
export const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

/** One program of the set-up. It has a separate log file. */
export class Program {
  readonly name: string
  readonly log: string
  readonly #command: Command
  #child: ChildProcess | undefined

  constructor(name: string, log: string, command: Command) {
    this.name = name
    this.log = log
    this.#command = command
  }

  get pid(): number | undefined {
    return this.isRunning ? this.#child?.pid : undefined
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  start(): void {
    const { program, args, env, isUnprivileged, group } = this.#command
    const log = openSync(this.log, 'a')
    // The program is detached. Otherwise Ctrl-C would end all programs at once, in no defined order.
    const user = isUnprivileged && owner.uid !== undefined && { ...owner, ...(group !== undefined && { gid: group }) }
    const options = { env: { PATH: process.env.PATH, ...env }, detached: true, ...user }
    this.#child = spawn(program, args, { ...options, stdio: ['ignore', log, log] })
    this.#child.on('error', () => {}) // Callers notice that the program does not run.
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.#child || !this.isRunning) return
    const ended = once(this.#child, 'exit')
    // Ends the whole process group, including child processes such as a running copy of the database.
    process.kill(-Number(this.#child.pid), signal)
    await ended
  }

  /** Throws an error with the end of the log if the program does not run. */
  requireRunning(): void {
    if (!this.isRunning) throw new Error(`${this.name} ended:\n${readFileSync(this.log, 'utf8').slice(-2_000)}`)
  }

  /** Waits until this address answers with success. Throws an error if the program ends first. */
  async waitUntilReady(url: string): Promise<void> {
    while (!(await isHealthy(url))) {
      this.requireRunning()
      await setTimeout(200)
    }
  }
}

export const isHealthy = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.ok
    },
    () => false,
  )
