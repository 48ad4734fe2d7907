import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { compareFolders } from '../../scripts/compare-protocol.ts'

async function compare(before: Record<string, unknown>, after: Record<string, unknown>) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'usp-compare-'))
  for (const [copy, files] of Object.entries({ before, after })) {
    mkdirSync(join(folder.path, copy))
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder.path, copy, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify(content))
    }
  }
  return compareFolders(join(folder.path, 'before'), join(folder.path, 'after'))
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
  expect(await compare({ 'a/one.json': schema }, { 'a/one.json': reworded })).toEqual([])
})

test('each added, removed and changed file and member is one line', async () => {
  const changed = {
    required: ['id', 'kind'],
    properties: { id: { type: 'integer', minimum: 1 }, title: { type: 'number' } },
  }
  expect(await compare({ 'one.json': schema, 'old.json': {} }, { 'one.json': changed, 'new.json': {} })).toEqual([
    'new.json: added',
    'old.json: removed',
    'one.json /required: added "kind"',
    'one.json /required: removed "name"',
    'one.json /properties/id/type: was "string", is "integer"',
    'one.json /properties/id/minimum: added',
    'one.json /properties/title/type: was "string", is "number"',
  ])
})
