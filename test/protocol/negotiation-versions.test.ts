import { expect, test } from 'vitest'
import { operations } from '../../src/server/all-operations.ts'
import { onBothBindings } from '../support/both-bindings.ts'
import { businessWith, service } from '../support/definitions.ts'
import { sampleOf } from '../support/samples.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')], { registry: { enabled: true } }))
const open = operations
  // There is no registration that could be got; those of test/registry say the same.
  .filter(({ access, id }) => access === 'public' && id !== 'getRegistration')
  .map((operation) => [operation.tool, operation] as const)

onBothBindings(server, (call) => {
  test.each(open)(
    '[PRO-095] [PRO-088] [PRO-042] %s says the version of the protocol and its own capability',
    async (tool, operation) => {
      const { payload } = await call(tool, sampleOf(operation))
      expect(payload?.usp).toEqual({
        version: '2026-08-20',
        capabilities: { [operation.capability]: [{ version: '2026-08-20' }] },
      })
    },
  )

  test('[PRO-095] an answer with warnings says the version, too', async () => {
    const { payload } = await call('usp_services_lookup', { ids: ['svc_unknown'] })
    expect(payload?.usp.version).toBe('2026-08-20')
    expect(payload?.messages).toHaveLength(2)
  })
})
