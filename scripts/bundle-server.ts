import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
import { compileValidators } from './compile-validators.ts'
import { packagesOf } from './licenses-of-bundle.ts'

const root = join(import.meta.dirname, '..')
/**
 * The main file, and the files of worker threads and processes. No file imports them, because a thread or a process loads
 * its file by address.
 */
const ENTRIES = [
  'src/main.ts',
  'src/cli/background-thread.ts',
  'src/domain/busy-times/reader/calendar-reader.ts',
  'src/domain/definition/definition-parser-worker.ts',
  'src/domain/pictures/picture-encoder.ts',
]

/**
 * Corrects file addresses in the built code. All built files are in one folder, but other files, such as assets, stay
 * beside the sources. Therefore `import.meta.url` becomes the address of the source file. The address of a thread's
 * file becomes the address of the built file, and the address of a package becomes its folder in `dist/`.
 */
const addresses: Plugin = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const source = `new URL('../${relative(root, path)}', import.meta.url).href`
      const contents = readFileSync(path, 'utf8').replace(
        /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.resolve\('([^']+)'\)|import\.meta\.url/g,
        (_, thread?: string, name?: string) => {
          if (name) return `new URL('./${name}/', import.meta.url).href`
          return thread ? `new URL('./${thread}.js', import.meta.url)` : source
        },
      )
      return { contents, loader: 'ts' }
    })
  },
}

/** Compiles the schemas during the build. Otherwise, the server would compile them at each start. */
const prebuiltValidators: Plugin = {
  name: 'prebuilt validators',
  setup({ onLoad }) {
    onLoad({ filter: /\/prebuilt-validators\.ts$/ }, async ({ path }) => {
      // Each thread of the server keeps the whole text of this code in memory. Nobody debugs it, so short names are enough.
      const { code } = await transform(await compileValidators(), { minify: true })
      return { contents: code, loader: 'js', resolveDir: dirname(path) }
    })
  },
}

/** The folders of packages with files for browsers. The build copies them to `dist/`. */
export const COPIED_FOLDERS = ['node_modules/@fastify/swagger-ui/static']

/** Bundles the server and all packages that it needs. Returns the folders of these packages. */
export async function bundleServer({ write }: { write: boolean }): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    entryNames: '[name]',
    outdir: 'dist',
    bundle: true,
    // The decoder of pictures is a native library. npm installs it as an optional dependency.
    external: ['sharp'],
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    write,
    // Many packages are CommonJS modules and call `require`, which ES modules do not have.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [prebuiltValidators, addresses],
  })
  return packagesOf([...Object.keys(metafile.inputs), ...COPIED_FOLDERS])
}
