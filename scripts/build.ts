/**
 * `npm run build` compiles the TypeScript sources of the package to JavaScript in `dist/`. Node refuses to run
 * TypeScript files inside `node_modules`. `npm pack` runs this script first.
 */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleServer, COPIED_FOLDERS } from './bundle-server.ts'
import { licensesOf } from './licenses-of-bundle.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
const packages = await bundleServer({ write: true })
for (const folder of COPIED_FOLDERS)
  cpSync(join(root, folder), join(dist, folder.replace('node_modules/', '')), { recursive: true })
writeFileSync(join(dist, 'LICENSES.txt'), licensesOf(root, packages))
