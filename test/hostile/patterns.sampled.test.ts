import { expect, test } from 'vitest'
import { oneOf } from '../support/case-sampling.ts'
import { largest } from './largest.ts'
import { slowOf } from './measure.ts'
import { calls, patterns } from './source.ts'

test('[no pattern stalls the server] each one of the source, on what its own form suggests', async () => {
  const { measured, slow } = await slowOf(new URL('./patterns.ts', import.meta.url), { oneOf: oneOf() })
  expect(measured).toBeGreaterThan(patterns.length / oneOf())
  expect(slow).toEqual([])
}, 240_000)

test('[no pattern stalls the server] each one that a schema names, and each format', async () => {
  expect((await slowOf(new URL('./schema-patterns.ts', import.meta.url), { oneOf: oneOf() })).slow).toEqual([])
}, 240_000)

test('[no pattern stalls the server] none is made of text, where nobody could see it', () => {
  expect(calls.filter(({ name }) => /^(new )?RegExp$/.test(name))).toEqual([])
})

test('[no pattern stalls the server] what is said of the length of texts is said of patterns that are there', () => {
  for (const [file, stated] of Object.entries(largest))
    for (const source of Object.keys(stated))
      expect(patterns.some((pattern) => pattern.file === file && pattern.source === source)).toBe(true)
})
