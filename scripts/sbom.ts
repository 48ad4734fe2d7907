/**
 * `npm run sbom` lists the packages of the container image in the SPDX format. In npm 11, `npm sbom --omit=dev` also
 * omits each shipped package that a development dependency uses. Therefore this script gives npm a lock file without
 * development packages.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Locked {
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  link?: boolean
}

const at = (name: string) => new URL(`../${name}`, import.meta.url)
const { devDependencies: _, optionalDependencies: __, workspaces: ___, ...manifest } = readJson('package.json')
const { packages, ...lock } = readJson('package-lock.json')
const isShipped = ([path, { dev, devOptional, optional, link }]: [string, Locked]) =>
  path.startsWith('node_modules/') && !dev && !devOptional && !optional && !link
const shipped = Object.fromEntries(Object.entries<Locked>(packages).filter(isShipped))

const folder = mkdtempSync(join(tmpdir(), 'usp-sbom-'))
try {
  write('package.json', manifest)
  write('package-lock.json', { ...lock, packages: { '': manifest, ...shipped } })
  const args = ['sbom', '--package-lock-only', '--sbom-format=spdx']
  process.stdout.write(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26 }))
} finally {
  rmSync(folder, { recursive: true })
}

function readJson(name: string) {
  return JSON.parse(readFileSync(at(name), 'utf8'))
}

function write(name: string, value: object) {
  writeFileSync(join(folder, name), JSON.stringify(value))
}
