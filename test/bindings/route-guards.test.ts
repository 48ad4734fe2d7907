import fastify from 'fastify'
import { expect, test } from 'vitest'
import { guarded, requireGuards, withoutGuard } from '../../src/interfaces/http/route-guards.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

test('[a door that lists no guard] keeps the server from starting', async () => {
  const app = fastify()
  requireGuards(app)
  app.get('/known', guarded('known', withoutGuard('for this test')), async () => 'here')
  app.get('/forgotten', async () => 'here')
  await expect(app.ready()).rejects.toThrow('/forgotten states no guard')
})

const limits = { catalogue: 3, other: 3 }
const open_ = await testServer(businessWith([service('svc_a')], { limits }))

test.each(['/services.jsonld', '/.well-known/usp', '/calendar/none.ics'])(
  '[whatever reads for strangers is counted by address] %s',
  async (url) => {
    const codes = []
    for (let call = 0; call < 4; call++) codes.push((await open_.raw({ method: 'GET', url })).status)
    expect(codes.slice(0, 3)).not.toContain(429)
    expect(codes[3]).toBe(429)
  },
)
