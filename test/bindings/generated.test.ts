import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inOpenapi30 } from '../../src/interfaces/docs/convert-to-openapi-3-0.ts'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { openrpc } from '../../src/interfaces/docs/openrpc.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'

test.each([
  ['openapi/usp-rest.json', openapi],
  ['openapi/usp-rest-3.0.json', (all: Operation[]) => inOpenapi30(openapi(all))],
  ['openapi/usp-mcp.json', (all: Operation[]) => openrpc(all)],
])('[the committed documents say what the operations are] %s, to the last bound and default', (path, made) => {
  const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  expect(JSON.parse(JSON.stringify(made(operations)))).toEqual(JSON.parse(committed))
})
