import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { architecture, floors, isIn } from './support/floors.ts'

const rooms = floors.flatMap((line) => line.rooms)

/** The innermost room that a file stands in; one that stands in no folder is a room by itself. */
const roomOf = (file: string) =>
  rooms.filter((room) => isIn(file, room)).reduce((inner, room) => (room.length > inner.length ? room : inner), '')

const files = globSync('**/*.ts', { cwd: 'src' })
const imports = files.flatMap((file) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)]
    .map(([, to = '']) => relative('src', join('src', dirname(file), to)))
    .filter((to) => !to.startsWith('..'))
    .map((to) => ({ file, to })),
)

test('the picture of the floors has a room for every file, and none twice or without any', () => {
  expect(files.filter((file) => roomOf(file) === '')).toEqual([])
  expect([...new Set(files.map(roomOf))].toSorted()).toEqual(rooms.toSorted())
})

test('each room is described', () => {
  expect(rooms.filter((room) => !architecture.includes(`| \`${room}\` |`))).toEqual([])
})

test('a room knows of rooms below it alone: those of lower floors, and those after it on its own', () => {
  expect(imports.length).toBeGreaterThan(1_000)
  const upwards = imports.filter(({ file, to }) => rooms.indexOf(roomOf(to)) < rooms.indexOf(roomOf(file)))
  expect(upwards.map(({ file, to }) => `${file} imports ${to}`)).toEqual([])
})
