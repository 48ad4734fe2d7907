/**
 * Builds the npm package `usp-client`: one JavaScript file with all dependencies, its types, and the licenses of the
 * dependencies. `npm pack -w usp-client` runs this script first.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf, packagesOf } from './licenses-of-bundle.ts'

const root = join(import.meta.dirname, '..')
const client = join(root, 'packages/client')
const dist = join(client, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['packages/client/index.ts'],
  outdir: dist,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  sourcemap: true,
  metafile: true,
})
copyFileSync(join(root, 'LICENSE'), join(client, 'LICENSE'))
writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(root, packagesOf(Object.keys(metafile.inputs))))
writeTypes()

/** Writes all type declarations that the main file imports into one folder. */
function writeTypes(): void {
  const folder = mkdtempSync(join(tmpdir(), 'usp-client-types-'))
  try {
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['-p', client, '--outDir', folder], { stdio: 'inherit' })
    copyTypes(join(folder, 'packages/client/index.d.ts'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function copyTypes(path: string, copied = new Map<string, string>()): void {
  const name = basename(path)
  if (copied.get(name) === path) return
  if (copied.has(name)) throw new Error(`Two files of the client have the name ${name}.`)
  copied.set(name, path)
  const text = readFileSync(path, 'utf8').replace(/(?<= from ')(\.[^']+)\.ts(?=')/g, (_, imported: string) => {
    copyTypes(join(dirname(path), `${imported}.d.ts`), copied)
    return `./${basename(imported)}.js`
  })
  writeFileSync(join(dist, name), text)
}
