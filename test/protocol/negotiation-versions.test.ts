import { expect, test } from 'vitest'
import { operations } from '../../src/operations.ts'
import { onBothBindings } from '../support/both.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')]))
const tools = operations.filter(({ access }) => access === 'public').map(({ tool }) => tool)

onBothBindings(server, (call) => {
  test.each(tools)(
    '[PRO-095] [PRO-088] [PRO-042] %s says the version of the protocol and its own capability',
    async (tool) => {
      const { payload } = await call(tool, inputs[tool])
      expect(payload?.usp).toEqual({
        version: '2026-08-20',
        capabilities: { 'dev.usp-protocol.services.catalog': [{ version: '2026-08-20' }] },
      })
    },
  )

  test('[PRO-095] an answer by which the business refuses says the version, too', async () => {
    const { payload } = await call('usp_services_lookup', { ids: ['svc_unknown'] })
    expect(payload?.usp.version).toBe('2026-08-20')
    expect(payload?.messages).toHaveLength(1)
  })
})

const inputs: Record<string, Record<string, unknown>> = {
  usp_services_get: { service_id: 'svc_a' },
  usp_services_lookup: { ids: ['svc_a'] },
}
