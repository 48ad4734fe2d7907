import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

export interface Command {
  program: string
  args: string[]
  env: NodeJS.ProcessEnv
  /** Whether root is to lend it another user. */
  isUnprivileged?: boolean
  /** Of users, where root can lend it another than that user's. */
  group?: number
}

/** PostgreSQL, and what belongs to it, refuse to run as root. */
export const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

/** One of the programs that a set-up consists of, with a log of its own. */
export class Part {
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
    // In a group of its own, or Ctrl-C would end all at once, and in no order.
    const user = isUnprivileged && owner.uid !== undefined && { ...owner, ...(group !== undefined && { gid: group }) }
    const options = { env: { PATH: process.env.PATH, ...env }, detached: true, ...user }
    this.#child = spawn(program, args, { ...options, stdio: ['ignore', log, log] })
    this.#child.on('error', () => {}) // It does not run, which is found by whoever waits for it.
  }

  /** Resolves once it has ended. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.#child || !this.isRunning) return
    const ended = once(this.#child, 'exit')
    // With whatever it called for help, such as a copy of a database under way.
    process.kill(-Number(this.#child.pid), signal)
    await ended
  }

  /** Throws, with what it said last, where it does not run. */
  refuseEnded(): void {
    if (!this.isRunning) throw new Error(`${this.name} ended:\n${readFileSync(this.log, 'utf8').slice(-2_000)}`)
  }

  /** Resolves once the address answers that all is well; throws when the program ends before. */
  async answers(url: string): Promise<void> {
    while (!(await isFine(url))) {
      this.refuseEnded()
      await setTimeout(200)
    }
  }
}

export const isFine = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.ok
    },
    () => false,
  )
