import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { testPlatform } from '../support/platform.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const salon = readFileSync('examples/glamour-salon.yaml', 'utf8')
const server = await serverWithAllInterfaces(readDefinition(salon, 'glamour-salon.yaml').definition)
const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
const platform = await testPlatform()
const { key } = await addClient(server.runtime.db, 'Known', new Date())

const node = 'node_modules/.bin/node'
const generator = 'test/foreign/node_modules/openapi-typescript/bin/cli.js'
const run = (...words: string[]) => promisify(execFile)(node, words)
const faultsOf = async (project: string): Promise<string> => {
  const tsc = promisify(execFile)('node_modules/.bin/tsc', ['--project', project])
  return (await tsc.catch((failed: { stdout: string }) => failed)).stdout
}

test('[a foreign client] made by openapi-typescript and openapi-fetch fits its types, finds a time, holds and books it', async () => {
  await run(generator, `${url}/schemas/openapi/usp-rest.json`, '--output', 'test/foreign/generated/usp.ts')
  expect(await faultsOf('test/foreign')).toBe('')
  const { stdout } = await run('test/foreign/book.ts', url, platform.url, key, '2026-11-23', '2026-11-30')
  const { id, start, offered, ...told } = JSON.parse(stdout)
  expect(id).toMatch(/^bkg_/)
  expect(start).toBe(offered)
  expect(told).toEqual({ status: 'confirmed', refusal: 'slot_unavailable', fault: 'start_date' })
})
