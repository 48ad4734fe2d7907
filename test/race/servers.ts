import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type Running, usp, waitForOutput } from '../support/process.ts'

/** Several processes of the server on one database, as behind one address. */
export interface Servers {
  origins: string[]
  /** Kills one in the middle of whatever it does, and starts another in its place. */
  killAndRestart(index: number): Promise<void>
  /** Ends them as an operator would. */
  stop(): Promise<void>
  /** Runs a command of the command line on the same database, and returns its exit code and what it says. */
  command(...args: string[]): Promise<{ code: number | null; output: string }>
  output(): string
}

export const SECRET = 'a secret that all of the servers share'

export async function startServers(databaseUrl: string, count: number, more: NodeJS.ProcessEnv = {}): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-race-'))
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const env = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '5',
    USP_SECRET_KEY: SECRET,
    USP_DATA_DIR: folder,
    BASE_URL: `http://127.0.0.1:${ports[0]}`,
    ...more,
  }
  const start = async (port: number) => {
    const running = usp(['serve'], { ...env, PORT: String(port) })
    await waitForOutput(running, 'Ctrl-C stops it.')
    return running
  }
  const ended: Running[] = []
  const running = await Promise.all(ports.map(start))
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    async killAndRestart(index) {
      const [one, port] = [running[index], ports[index]]
      if (!one || port === undefined) throw new Error(`There is no server ${index}`)
      one.process.kill('SIGKILL')
      await one.ended
      ended.push(one)
      running[index] = await start(port)
    },
    async stop() {
      for (const { process } of running) process.kill('SIGTERM')
      await Promise.all(running.map((one) => one.ended))
      rmSync(folder, { recursive: true, force: true })
    },
    async command(...args) {
      const done = usp(args, env)
      return { code: await done.ended, output: done.output() }
    },
    output: () => [...ended, ...running].map((one) => one.output()).join('\n'),
  }
}
