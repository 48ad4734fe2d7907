import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from './process.ts'

/** Why tests that need a pooler cannot run here; empty where they can. */
export const missing = hasPgbouncer() ? '' : ' (skipped: there is no pgbouncer here; apt-get install pgbouncer)'

function hasPgbouncer() {
  try {
    return Boolean(execFileSync('pgbouncer', ['-V'], { stdio: 'pipe' }))
  } catch {
    return false
  }
}

/** A PgBouncer in transaction mode as it comes, with so few connections that all share them, while the test runs. */
export async function startPgbouncer(databaseUrl: string): Promise<string> {
  const { hostname, port, pathname, username, password } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'usp-pgbouncer-'))
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `pooled = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', 'default_pool_size = 4', 'log_connections = 0', 'log_disconnections = 0'],
  ]
  writeFileSync(file, lines.join('\n'))
  chmodSync(folder, 0o755)
  // It refuses to run as root.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...asOther, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  while (!(await listens(own))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`)
    await setTimeout(50)
  }
  return `postgres://${username}@127.0.0.1:${own}/pooled`
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
