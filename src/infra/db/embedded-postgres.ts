import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ensureFolder, readOrCreateSecret } from '../config/data-folder.ts'
import { isUnreachable } from './database-failures.ts'
import {
  freePort,
  initialise,
  portOfRunning,
  prepareRole,
  ROLE,
  SUPERUSER,
  start,
} from './embedded-postgres-cluster.ts'
import { findPrograms } from './embedded-postgres-programs.ts'
import { type Upgrade, upgradeIfNeeded } from './embedded-postgres-upgrade.ts'
import { announcePresence } from './embedded-postgres-usage-lock.ts'

export interface EmbeddedPostgres {
  /** The database URL for the role (user) of the server, which owns the database but is not a superuser. */
  url: string
  superuserUrl: string
  stop(): Promise<void>
}

const RESTART_PAUSE_MS = 1_000

/**
 * Starts PostgreSQL in `folder`, or uses a PostgreSQL that already runs there. If PostgreSQL stops unexpectedly, the
 * function starts it again and calls `report`. With the optional `upgrade`, it copies the data of a folder that another
 * PostgreSQL version created. It calls `whileStarting` when it has started PostgreSQL and begins to wait for it.
 */
export async function startEmbeddedPostgres(
  folder: string,
  report: (message: string) => void = () => {},
  upgrade?: Upgrade,
  whileStarting: () => void = () => {},
): Promise<EmbeddedPostgres> {
  const home = join(ensureFolder(folder), 'postgres')
  const programs = await findPrograms(home)
  const { call, giveTo } = programs
  const [data, log] = [join(home, 'data'), join(home, 'log')]
  const secret = (name: string) => readOrCreateSecret(home, name, () => randomBytes(24).toString('base64url'))
  const passwords = { superuser: secret('password'), role: secret('server-password') }
  giveTo(join(home, 'password'))
  const urlOf = (role: string, password: string) => (port: number) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/postgres`
  const urls = { superuser: urlOf(SUPERUSER, passwords.superuser), role: urlOf(ROLE, passwords.role) }
  const enter = async (port: number) => {
    const superuser = await announcePresence(urls.superuser(port))
    try {
      await prepareRole(superuser.client, passwords.role)
      return await announcePresence(urls.role(port))
    } finally {
      await superuser.client.end()
    }
  }
  await upgradeIfNeeded({ home, data, log, programs, urls, prepareRole: enter, report }, upgrade)
  if (upgrade) programs.store()
  if (!existsSync(data)) await initialise(call, home, data)
  const begin = async (port: number) => {
    const starting = start(call, data, log, port)
    whileStarting()
    return starting
  }
  const connect = async () => {
    const port = (await portOfRunning(call, data)) ?? (await begin(await freePort()))
    return { port, presence: await enter(port) }
  }
  // A command that ends stops PostgreSQL if it sees no other process. It does not yet see a process that connects.
  let { port, presence } = await connect().catch((error) => (isUnreachable(error) ? connect() : Promise.reject(error)))
  const [url, superuserUrl] = [urls.role(port), urls.superuser(port)]
  let [isStopping, reviving] = [false, Promise.resolve()]
  const watch = () => void presence.lost.then(() => (reviving = isStopping ? reviving : revive()))
  async function revive() {
    report('The embedded PostgreSQL ended unexpectedly; the server starts it again.')
    while (!isStopping) {
      try {
        if ((await portOfRunning(call, data)) === undefined) await start(call, data, log, port)
        presence = await announcePresence(url)
        return watch()
      } catch (error) {
        report(error instanceof Error ? error.message : String(error))
        await setTimeout(RESTART_PAUSE_MS)
      }
    }
  }
  watch()
  return {
    url,
    superuserUrl,
    async stop() {
      isStopping = true
      await reviving
      if (await presence.isLast()) await call('pg_ctl', 'stop', '-D', data, '-m', 'fast')
    },
  }
}
