import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

export const root = join(import.meta.dirname, '../..')

interface Packed {
  filename: string
  /** The number of bytes of the tarball. */
  size: number
  files: { path: string; size: number }[]
}

export const npm = (cwd: string, ...args: string[]): string => execFileSync('npm', args, { cwd, encoding: 'utf8' })

/** Packs a package of the repository, and installs its tarball in an empty project. */
export function installPacked(...options: string[]): { project: string; packed: Packed } {
  const folder = mkdtempSync(join(tmpdir(), 'usp-package-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  // Under root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755)
  const output = npm(root, 'pack', ...options, '--json', '--ignore-scripts=false', '--pack-destination', folder)
  // The output of the build comes before the JSON.
  const [packed]: [Packed] = JSON.parse(output.replace(/^[^[]*/, ''))
  const project = join(folder, 'project')
  mkdirSync(project, { mode: 0o755 })
  npm(project, 'init', '-y')
  npm(project, 'pkg', 'set', 'type=module')
  npm(project, 'install', join(folder, packed.filename))
  return { project, packed }
}
