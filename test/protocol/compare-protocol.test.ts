import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { compareFolders } from '../../scripts/compare-protocol.ts'

type Files = Record<string, unknown>

async function withCopies<Result>(copies: Record<'before' | 'after', Files>, use: (root: string) => Result) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'usp-compare-'))
  for (const [copy, files] of Object.entries(copies)) {
    mkdirSync(join(folder.path, copy))
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder.path, copy, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    }
  }
  return use(folder.path)
}

const compare = (before: Files, after: Files) =>
  withCopies({ before, after }, (root) => compareFolders(join(root, 'before'), join(root, 'after')))

const command = (...folders: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/compare-protocol.ts', ...folders])
  return { status, said: `${stdout}${stderr}` }
}

const schema = {
  required: ['id', 'name'],
  properties: { id: { type: 'string', description: 'One.' }, title: { type: 'string' } },
}

test('two equal copies have no difference, whatever their prose and the order of their sets', async () => {
  const reworded = {
    description: 'New.',
    required: ['name', 'id'],
    properties: { id: { type: 'string', description: 'Other.' }, title: { type: 'string' } },
  }
  expect(await compare({ 'schemas/one.json': schema }, { 'schemas/one.json': reworded })).toEqual([])
})

test('each added, removed and changed file and member is one line', async () => {
  const changed = {
    required: ['id', 'kind'],
    properties: { id: { type: 'integer', minimum: 1 }, title: { type: 'number' } },
  }
  expect(
    await compare(
      { 'schemas/one.json': schema, 'schemas/old.json': {} },
      { 'schemas/one.json': changed, 'schemas/new.json': {} },
    ),
  ).toEqual([
    'schemas/new.json: added',
    'schemas/old.json: removed',
    'schemas/one.json /required: added "kind"',
    'schemas/one.json /required: removed "name"',
    'schemas/one.json /properties/id/type: was "string", is "integer"',
    'schemas/one.json /properties/id/minimum: added',
    'schemas/one.json /properties/title/type: was "string", is "number"',
  ])
})

test('the published repository and a copy of parts of it are compared, without the other files of the repository', async () => {
  const vector = { title: 'A race', input: { title: 'Haircut' } }
  const copy = { 'vectors/flow/101.json': vector, 'schemas/one.json': schema, 'CHANGE_LOG.md': 'Zero.\nOne.\n' }
  const repository = {
    'tests/vectors/flow/101.json': { title: 'A race', input: { title: 'Hair cut' } },
    'schemas/one.json': schema,
    'site-docs/schemas/one.json': { required: [] },
    'package.json': { name: 'protocol' },
    'CHANGE_LOG.md': 'One.\n\nTwo.\n',
  }
  expect(await compare(copy, repository)).toEqual([
    'CHANGE_LOG.md: removed line: Zero.',
    'CHANGE_LOG.md: new line: Two.',
    'vectors/flow/101.json /input/title: was "Haircut", is "Hair cut"',
  ])
})

test('the command tells by its exit code whether something changed, and names a folder that has no such files', async () => {
  const copies = { before: { 'schemas/one.json': schema }, after: { 'schemas/one.json': {} } }
  await withCopies(copies, (root) => {
    const [before, after] = [join(root, 'before'), join(root, 'after')]
    expect(command(before, before)).toEqual({ status: 0, said: '0 differences\n' })
    expect(command(before, after)).toMatchObject({ status: 1, said: expect.stringContaining('2 differences') })
    expect(command(before, join(root, 'none'))).toEqual({
      status: 2,
      said: `${join(root, 'none')} has no files of the protocol.\n`,
    })
    expect(command(before)).toMatchObject({ status: 2, said: expect.stringContaining('OLD NEW') })
  })
})
