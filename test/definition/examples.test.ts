import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefinitionFile } from '../../src/domain/definition/read-definition.ts'

const files = readdirSync('examples').filter((name) => name.endsWith('.yaml'))

test.each(files)('the example %s is accepted without a warning', (name) => {
  expect(readDefinitionFile(`examples/${name}`).warnings).toEqual([])
})
