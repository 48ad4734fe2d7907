/**
 * Builds the JavaScript of the package: `npm run build` writes `dist/`. Node does not run TypeScript in `node_modules`.
 * `npm pack` runs this first.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')
/** Threads load their files by address, and not by an import. */
const ENTRIES = ['src/main.ts', 'src/cli/background-thread.ts', 'src/domain/definition/parse-worker.ts']

/**
 * Corrects the addresses of files. The built files are in one folder, but assets stay in the folders of the sources. So
 * `import.meta.url` becomes the address of the source file, except for the file of a thread, which is a built file.
 */
const addresses: Plugin = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = `new URL('../${relative(root, path)}', import.meta.url).href`
      const contents = readFileSync(path, 'utf8').replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g,
        (_, thread?: string) => (thread ? `new URL('./${thread}.js', import.meta.url)` : source),
      )
      return { contents, loader: 'ts' }
    })
  },
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: ENTRIES,
  entryNames: '[name]',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  sourcemap: true,
  sourcesContent: false,
  plugins: [addresses],
})
