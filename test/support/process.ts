import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { inheritedEnvironment } from './inherited-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

export interface Running {
  process: ChildProcess
  output(): string
  ended: Promise<number | null>
}

const children = new Set<ChildProcess>()
const endAll = () => {
  for (const child of children) child.kill('SIGKILL')
}
// A worker loads this module once for all its files: processes that a file leaves running end with the worker.
afterAll(endAll)
process.on('exit', endAll)

interface ProcessOptions {
  uid?: number
  /** The folder of the code, for another version. */
  cwd?: string
}

/**
 * Runs the command line as a separate process, with exactly these settings. A server gets demo data only if a test asks
 * for them. Another version of the code may not know this setting.
 */
export function usp(args: string[], env: NodeJS.ProcessEnv, { uid, cwd = root }: ProcessOptions = {}): Running {
  const child = spawn(node, ['src/main.ts', ...args], {
    cwd,
    env: { ...inheritedEnvironment(), ...(cwd === root && { USP_DEMO_DATA: 'off' }), ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  children.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child)
    return code as number | null
  })
  return { process: child, output: () => output, ended }
}

/** Resolves when the output contains the text. Rejects when the process ends first. */
export function waitForOutput(running: Running, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => running.output().includes(text) && resolve()
    running.process.stdout?.on('data', look)
    running.process.stderr?.on('data', look)
    running.ended.then(() => reject(new Error(`ended without saying ${text}:\n${running.output()}`)))
    look()
  })
}

/** A free port below the range that the system allocates, so no other process gets it by chance. */
export async function freePort(): Promise<number> {
  const port = randomInt(11_000, 32_768)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
