/**
 * `npm run build` compiles the TypeScript sources of the package to JavaScript in `dist/`. Node refuses to run
 * TypeScript files inside `node_modules`. `npm pack` runs this script first.
 */
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { compileValidators } from './compile-validators.ts'

const root = join(import.meta.dirname, '..')
/**
 * The main file, and the files of worker threads. No file imports the thread files, because a thread loads its file by
 * address.
 */
const ENTRIES = ['src/main.ts', 'src/cli/background-thread.ts', 'src/domain/definition/parse-worker.ts']

/**
 * Corrects file addresses in the built code. All built files are in one folder, but other files, such as assets, stay
 * beside the sources. Therefore `import.meta.url` becomes the address of the source file. The address of a thread's
 * file becomes the address of the built file.
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

/** Compiles the schemas now, so that the server does not have to do it at each start. */
const prebuiltValidators: Plugin = {
  name: 'prebuilt validators',
  setup({ onLoad }) {
    onLoad({ filter: /\/prebuilt-validators\.ts$/ }, async ({ path }) => ({
      contents: await compileValidators(),
      loader: 'js',
      resolveDir: dirname(path),
    }))
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
  plugins: [prebuiltValidators, addresses],
})
