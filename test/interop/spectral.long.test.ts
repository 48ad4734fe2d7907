import { expect, test } from 'vitest'
import { spectral } from './programs.ts'
import { installed, run } from './tools.ts'

test.for(['usp-rest.json', 'usp-rest-3.0.json'])('[spectral] finds no fault in openapi/%s', async (name, context) => {
  const program = await installed(context, spectral)
  const options = ['--ruleset', 'test/interop/spectral/ruleset.yaml', '--fail-severity', 'hint']
  const { code, output } = await run([...program, 'lint', `openapi/${name}`, ...options])
  expect([code, output]).toEqual([0, expect.stringContaining('No results')])
})
