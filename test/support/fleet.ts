import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { freePort, type Running, usp, waitForOutput } from './process.ts'

/** Several server processes on one database, until the test ends. */
export interface Fleet {
  /** Sends a REST call to one server after the other until one answers. */
  post(path: string, body: object, headers: Record<string, string>): Promise<{ status: number; body: unknown }>
  /** Kills the next server (kill -9) and starts it again. */
  kill(): Promise<void>
  output(): string
}

const RETRY_MS = 50

export async function openFleet(
  databaseUrl: string,
  definition: BusinessDefinition,
  size: number,
  more: NodeJS.ProcessEnv = {},
): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-fleet-'))
  const file = join(folder, 'business.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(definition))
  const start = async (port: number): Promise<Running> => {
    const env = { PORT: String(port), DATABASE_URL: databaseUrl, USP_DATA_DIR: folder, USP_BUSINESS_FILE: file }
    const running = usp(['serve'], { ...env, LOG_LEVEL: 'error', ...more })
    await waitForOutput(running, 'Ctrl-C stops it.')
    return running
  }
  const servers: { port: number; running: Running }[] = []
  // In sequence: the first server creates the shared secret.
  for (let count = 0; count < size; count++) {
    const port = await freePort()
    servers.push({ port, running: await start(port) })
  }
  onTestFinished(async () => {
    for (const { running } of servers) running.process.kill('SIGKILL')
    await Promise.all(servers.map(({ running }) => running.ended))
    rmSync(folder, { recursive: true })
  })

  const ended: Running[] = []
  let asked = 0
  let killed = 0
  return {
    async post(path, body, headers) {
      for (;;) {
        const { port } = servers[asked++ % size] ?? { port: 0 }
        try {
          const answer = await fetch(`http://127.0.0.1:${port}/usp/v1${path}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body),
          })
          const read = await answer.json()
          if (answer.status < 500) return { status: answer.status, body: read }
        } catch {
          // The server died during the call, or is down.
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    },
    async kill() {
      const server = servers[killed++ % size]
      if (!server) return
      server.running.process.kill('SIGKILL')
      await server.running.ended
      ended.push(server.running)
      server.running = await start(server.port)
    },
    output: () => [...ended, ...servers.map(({ running }) => running)].map((one) => one.output()).join('\n'),
  }
}
