import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { type OpenDatabase, openDatabase } from '../../src/infra/db/database.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { freshDatabase } from '../support/database.ts'
import { type Sent, sendOverTls } from '../support/over-tls.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

/** A server as a process of its own that speaks https on loopback. */
export interface SecureServer {
  origin: string
  db: OpenDatabase
  send(sent: Sent): ReturnType<typeof sendOverTls>
  /** Dies at once (kill -9). */
  kill(): Promise<void>
  start(): Promise<void>
}

const certificate = (name: string) =>
  fileURLToPath(new URL(`../../src/core/egress/development/loopback-${name}.pem`, import.meta.url))

export async function secureServer(definition: BusinessDefinition): Promise<SecureServer> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-secure-'))
  const file = join(folder, 'business.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(definition))
  const [port, databaseUrl] = await Promise.all([freePort(), freshDatabase()])
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    USP_DATA_DIR: folder,
    USP_BUSINESS_FILE: file,
    TLS_CERT_FILE: certificate('cert'),
    TLS_KEY_FILE: certificate('key'),
    LOG_LEVEL: 'error',
  }
  const start = async () => {
    const started = usp(['serve'], env)
    await waitForOutput(started, 'Ctrl-C stops it.')
    return started
  }
  let running = await start()
  const kill = async () => {
    running.process.kill('SIGKILL')
    await running.ended
  }
  const db = openDatabase(databaseUrl, 2, () => {})
  afterAll(async () => {
    await kill()
    await db.destroy()
    rmSync(folder, { recursive: true })
  })
  return {
    origin: `https://127.0.0.1:${port}`,
    db,
    send: (sent) => sendOverTls({ port, ca: loopbackCertificate().cert }, sent),
    kill,
    start: async () => {
      running = await start()
    },
  }
}

/** Waits until it is so, and says what it was at last when that takes too long. */
export async function eventually<T>(look: () => Promise<T>, isSo: (seen: T) => boolean, seconds = 30): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (performance.now() > end) throw new Error(`Still ${JSON.stringify(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
