import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

export interface Command {
  program: string
  args: string[]
  env: NodeJS.ProcessEnv
  /** Whether root must start it as the user `postgres`. */
  isUnprivileged?: boolean
  /** The group to run as, when root starts it; default the group of `postgres`. */
  group?: number
}

/** PostgreSQL and its tools refuse to run as root. */
export const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

/** One program of the set-up, with a separate log file. */
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
    // Detached: otherwise Ctrl-C would end all programs at once, in no order.
    const user = isUnprivileged && owner.uid !== undefined && { ...owner, ...(group !== undefined && { gid: group }) }
    const options = { env: { PATH: process.env.PATH, ...env }, detached: true, ...user }
    this.#child = spawn(program, args, { ...options, stdio: ['ignore', log, log] })
    this.#child.on('error', () => {}) // Callers that wait for it find out that it does not run.
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.#child || !this.isRunning) return
    const ended = once(this.#child, 'exit')
    // The whole process group, with child processes such as a running database copy.
    process.kill(-Number(this.#child.pid), signal)
    await ended
  }

  /** Throws, with the end of the log, when the program does not run. */
  requireRunning(): void {
    if (!this.isRunning) throw new Error(`${this.name} ended:\n${readFileSync(this.log, 'utf8').slice(-2_000)}`)
  }

  /** Resolves when the address answers with success. Throws when the program ends first. */
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
