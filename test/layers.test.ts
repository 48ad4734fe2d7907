import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { architecture, isIn, layers } from './support/layers.ts'

const folders = layers.flatMap((line) => line.folders)
const named = (path: string) => path.replace(/^src\//, '')

/** The innermost listed folder of a file; a file outside of all folders is listed by its own name. */
const folderOf = (file: string) =>
  folders.filter((folder) => isIn(file, folder)).reduce((inner, one) => (one.length > inner.length ? one : inner), '')

const paths = globSync('{src,packages/client}/**/*.ts')
const files = paths.map(named)
const imports = paths.flatMap((path) =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)]
    .map(([, to = '']) => join(dirname(path), to))
    .filter((to) => /^(src|packages)\//.test(to))
    .map((to) => ({ file: named(path), to: named(to) })),
)

test('ARCHITECTURE.md lists the folder of every file, and each folder once', () => {
  expect(files.filter((file) => folderOf(file) === '')).toEqual([])
  expect([...new Set(files.map(folderOf))].toSorted()).toEqual(folders.toSorted())
})

test('each folder is described', () => {
  expect(folders.filter((folder) => !architecture.includes(`| \`${folder}\` |`))).toEqual([])
})

test('every import points to a lower layer, or to a later folder of the same layer', () => {
  expect(imports.length).toBeGreaterThan(1_000)
  const upwards = imports.filter(({ file, to }) => folders.indexOf(folderOf(to)) < folders.indexOf(folderOf(file)))
  expect(upwards.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})
