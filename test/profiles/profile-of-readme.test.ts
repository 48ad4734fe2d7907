import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shape } from '../../src/protocol/json-schemas.ts'
import { allFindings, compile } from '../../src/protocol/schema-validator.ts'

test('the profile that the documentation shows is one', () => {
  const [, example = ''] = /## Your profile.*?```json\n(.*?)```/s.exec(readFileSync('docs/platforms.md', 'utf8')) ?? []
  const profile: unknown = JSON.parse(example)
  expect(allFindings(compile(shape('PlatformProfile')), profile).faults).toEqual([])
})
