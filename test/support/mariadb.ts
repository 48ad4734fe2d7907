import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const programs = ['mariadbd', 'mariadb', 'mariadb-install-db']
const absent = programs.filter((name) => {
  try {
    return !execFileSync('which', [name])
  } catch {
    return true
  }
})

/** The reason to skip tests with MariaDB; empty where it is installed. */
export const missing =
  absent.length > 0 ? ` (skipped: there is no ${absent.join(', ')} here; apt-get install mariadb-server)` : ''

export interface MariaDb {
  ask(statements: string, options?: readonly string[]): string
  stop(): Promise<void>
}

/** A MariaDB that listens only on a socket in a temporary folder. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-maria-'))
  const [data, socket] = [join(folder, 'data'), join(folder, 'socket')]
  const own = ['--no-defaults', `--datadir=${data}`, `--user=${userInfo().username}`]
  execFileSync('mariadb-install-db', [...own, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const server = spawn('mariadbd', [...own, `--socket=${socket}`, '--skip-networking', `--pid-file=${folder}/pid`], {
    stdio: 'ignore',
  })
  const ask: MariaDb['ask'] = (statements, options = []) =>
    execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', ...options], {
      input: statements,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const stop = async () => {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined
    server.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (let attempt = 1; ; attempt++)
    try {
      ask('select 1')
      return { ask, stop }
    } catch (error) {
      if (attempt < 100 && server.exitCode === null) await setTimeout(100)
      else {
        await stop()
        throw error
      }
    }
}
