import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const TABLE = /^create (?:unlogged )?table (\w+)/gm
/** What a server runs from. */
const PARTS = ['package.json', 'src', 'migrations', 'schemas', 'openapi', 'examples', 'docs']

/** Two versions of the server, each a folder with all of its code. */
export interface Versions {
  previous: string
  next: string
}

/** The release that was before this version, as git names it, and this one. */
export function sinceRelease(release: string): Versions {
  const previous = folderFor((folder) => {
    const archive = execFileSync('git', ['archive', release, ...PARTS], { cwd: root, maxBuffer: 1e9 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
  })
  return { previous, next: root }
}

/** This version, and one that has more: columns in each table that this one does not know, and another table. */
export function withMore(): Versions {
  const files = readdirSync(join(root, 'migrations')).sort()
  const made = files.flatMap((name) => [...readFileSync(join(root, 'migrations', name), 'utf8').matchAll(TABLE)])
  const columns = 'add column later text, add column count_later int not null default 0'
  const more = [
    ...made.map(([, table]) => `alter table ${table} ${columns}`),
    'create table later (id text primary key)',
  ]
  const next = folderFor((folder) => {
    for (const part of PARTS) cpSync(join(root, part), join(folder, part), { recursive: true })
    for (const [index, sql] of more.entries()) {
      const number = String(files.length + 1 + index).padStart(4, '0')
      writeFileSync(join(folder, 'migrations', `${number}_later.sql`), `-- expand\n${sql};\n`)
    }
  })
  return { previous: root, next }
}

function folderFor(fill: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'usp-version-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  fill(folder)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
