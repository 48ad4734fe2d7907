import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { compileValidators } from '../../scripts/compile-validators.ts'
import { digestOf, type Validator, validators } from '../../src/protocol/schema-validator.ts'
import { example, hostileDocuments } from '../hostile/documents.ts'
import { judges } from '../hostile/validators.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-validators-'))
afterAll(() => rmSync(folder, { recursive: true }))

const outfile = join(folder, 'validators.mjs')
await build({
  stdin: {
    contents: await compileValidators(),
    resolveDir: join(import.meta.dirname, '../../src/protocol'),
    sourcefile: 'prebuilt-validators.mjs',
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile,
})
const prebuilt: Map<string, Validator> = (await import(outfile)).prebuiltValidators

test('[package] contains a validator of each schema', () => {
  expect(new Set(prebuilt.keys())).toEqual(new Set(validators.keys()))
  expect(judges.filter(({ schema }) => !prebuilt.has(digestOf(schema))).map(({ name }) => name)).toEqual([])
})

test('[package] its validators decide like those of the sources, and report the same faults', () => {
  for (const { name, schema } of judges) {
    const [built, compiled] = [prebuilt, validators].map((all) => all.get(digestOf(schema)))
    const good = example(schema)
    const values = [good, {}, null, [good], 'text', ...hostileDocuments(schema).map(({ make }) => make(3))]
    const results = [built, compiled].map((validate) => values.map((value) => [validate?.(value), validate?.errors]))
    expect([name, results[0]]).toEqual([name, results[1]])
    expect(results[0]?.[1]?.length).toBe(2)
  }
})
