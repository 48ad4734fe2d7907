/**
 * Builds the npm package `usp-conformance`: one JavaScript file with all dependencies, its data files, and the licenses
 * of the dependencies. `npm pack -w usp-conformance` runs this script first.
 */
import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { licensesOf, packagesOf } from './licenses-of-bundle.ts'

const root = join(import.meta.dirname, '..')
const suite = join(root, 'packages/conformance')
const dist = join(suite, 'dist')

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist)
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['packages/conformance/main.ts'],
  outdir: dist,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  metafile: true,
  // The dependency ajv is a CommonJS module and calls `require`, which ES modules do not have.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
})
cpSync(join(suite, 'data'), join(dist, 'data'), { recursive: true })
copyFileSync(join(root, 'LICENSE'), join(suite, 'LICENSE'))
writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(root, packagesOf(Object.keys(metafile.inputs))))
