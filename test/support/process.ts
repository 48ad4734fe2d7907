import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

export interface Running {
  process: ChildProcess
  output(): string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

const children = new Set<ChildProcess>()
const endAll = () => {
  for (const child of children) child.kill('SIGKILL')
}
// This module is loaded once for all files of a worker: what a file leaves running ends with the worker.
afterAll(endAll)
process.on('exit', endAll)

interface ProcessOptions {
  uid?: number
  /** Where the code is, when it is another version's. */
  cwd?: string
}

/** The command line as a process of its own, with exactly these settings. */
export function usp(args: string[], env: NodeJS.ProcessEnv, { uid, cwd = root }: ProcessOptions = {}): Running {
  const child = spawn(node, ['src/main.ts', ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
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

/** Resolves when the output has the text; rejects when the process ends first. */
export function says(running: Running, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => running.output().includes(text) && resolve()
    running.process.stdout?.on('data', look)
    running.process.stderr?.on('data', look)
    running.ended.then(() => reject(new Error(`ended without saying ${text}:\n${running.output()}`)))
    look()
  })
}

/** One of those that are never given out by chance: nobody else who listens, or once listened, is met there. */
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
