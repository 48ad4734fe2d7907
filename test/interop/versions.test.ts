import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(path, 'utf8')
const page = read('docs/interop.md')

/** The fixed versions by name, as the files of npm, Python, Go, Maven and Cargo have them. */
const versions = new Map([
  ...['package.json', 'test/foreign/package.json', 'test/interop/spectral/package.json'].flatMap((path) =>
    Object.entries<string>(JSON.parse(read(path)).devDependencies),
  ),
  ...found('test/interop/python/requirements.in', /^(.+)==(.+)$/gm),
  ...found('test/interop/go/go.mod', /^(?:require |\t)(\S+) v(\S+)/gm),
  ...['java', 'openapi-generator'].flatMap((folder) =>
    found(`test/interop/${folder}/pom.xml`, /<artifactId>(.+)<\/artifactId>\s+<version>(.+)<\/version>/g),
  ),
  ...found('test/interop/rust/Cargo.toml', /^(\S+) = .*"=([^"]+)"/gm),
])

function found(path: string, pattern: RegExp): [string, string][] {
  return [...read(path).matchAll(pattern)].map(([, name = '', version = '']) => [name, version])
}

test('[docs/interop.md] names the fixed version of each suite and library', () => {
  const rows = [...page.matchAll(/^\| `(?:[\w.]+:)?([^`]+)`[^|]* \| (\d[^|]*) \|/gm)].map(([, name = '', version]) => [
    name,
    version,
  ])
  expect(rows.length).toBeGreaterThan(10)
  expect(rows).toEqual(rows.map(([name = '']) => [name, versions.get(name)]))
})
