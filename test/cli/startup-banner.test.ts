import { expect, test } from 'vitest'
import { startupBanner } from '../../src/cli/startup-banner.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const { payment_timing: _, ...unpaid } = service('svc_free').policies
const free = service('svc_free', {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...unpaid, requires_payment: false },
})

test.each<[string, Partial<BusinessDefinition>, boolean]>([
  ['everywhere', {}, true],
  ['but for pages', { website: { enabled: false } }, false],
  ['among the businesses of UCP', { deployment_mode: 'ucp_native' }, false],
])('[nothing leads to pages that are closed] a business that is open %s', async (_, more, isOpen) => {
  const server = await testServer()
  await server.apply(businessWith([free], { ...more, registry: { enabled: true } }))
  const banner = await startupBanner(server.runtime, undefined)
  expect(banner.includes('/book')).toBe(isOpen)
  const { body } = await server.raw({ method: 'GET', url: '/my' })
  expect(body.includes('href="/book"')).toBe(isOpen)
  expect((await server.raw({ method: 'GET', url: '/book' })).status).toBe(isOpen ? 200 : 404)
})
