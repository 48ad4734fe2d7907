import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export interface Pgbouncer {
  url: string
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode, with default settings and a limited number of database connections. */
export async function openPgbouncer(databaseUrl: string, port: number, connections: number): Promise<Pgbouncer> {
  const { hostname, port: behind, pathname, username, password } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'usp-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${behind} dbname=${pathname.slice(1)} user=${username} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', `default_pool_size = ${connections}`],
    ...['log_connections = 0', 'log_disconnections = 0'],
  ]
  writeFileSync(file, lines.join('\n'))
  chmodSync(folder, 0o755)
  // PgBouncer refuses to run as root, so it runs as another user.
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', [...asOther, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const end = () => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  // Cleans up if the benchmark fails or the user interrupts it.
  process.once('exit', end)
  let errorOutput = ''
  child.stderr.on('data', (chunk) => (errorOutput += chunk))
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${errorOutput}`)
    await setTimeout(50)
  }
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    async stop() {
      process.off('exit', end)
      end()
      await ended
    },
  }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
