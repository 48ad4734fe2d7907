import { expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const definition = businessWith([service('svc_a')])
const holding = ['holdSlot', 'releaseHold']

/** What the profile says of holds, and how both operations answer on both bindings: refused as unknown, or by another word. */
async function said(left: string[]) {
  const server = await testServer(definition, {
    operations: operations.filter(({ id }) => !holding.includes(id) || left.includes(id)),
  })
  const profile = (await server.rest('GET', '/.well-known/usp')).body
  const hold = { service_id: 'svc_a', slot_id: 'none' }
  const answers = [
    (await server.raw({ method: 'POST', url: '/usp/v1/availability/holds', payload: hold })).status,
    (await server.raw({ method: 'DELETE', url: '/usp/v1/availability/holds/hold_1' })).status,
    (await server.raw({ method: 'POST', url: '/usp/mcp', payload: toolCall('usp_availability_hold', hold) })).body.error
      .code,
    (
      await server.raw({
        method: 'POST',
        url: '/usp/mcp',
        payload: toolCall('usp_availability_release', { hold_id: 'hold_1' }),
      })
    ).body.error.code,
  ]
  return { holds: profile.usp.capabilities['dev.usp-protocol.services.availability'][0].holds, answers }
}

const toolCall = (name: string, args: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

test('[PRO-017] where slots can be held and released, the profile says so', async () => {
  expect(await said(holding)).toEqual({ holds: true, answers: [401, 401, -32006, -32006] })
})

test('[PRO-017] where they cannot, it says that, and both are refused as unknown', async () => {
  expect(await said([])).toEqual({ holds: false, answers: [404, 404, -32602, -32602] })
})
