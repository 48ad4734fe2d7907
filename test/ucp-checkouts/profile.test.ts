import { expect, test } from 'vitest'
import { expectAccepted, placesRefused } from '../definition/reading.ts'
import { businessSchemas } from '../definition/ucp-schemas.ts'
import { free, ucpDefinition, ucpNames, ucpShop } from './ucp-shop.ts'

const shop = await ucpShop()
const { body: profile } = await shop.rest('GET', '/.well-known/ucp')

test('[LIV-122] [LIV-129] the profile declares the checkout with its extensions and orders', () => {
  const declared = Object.keys(profile.ucp.capabilities).filter((name) => ucpNames.includes(name))
  expect(declared.toSorted()).toEqual(ucpNames.toSorted())
  for (const name of ['dev.ucp.shopping.checkout', 'dev.ucp.shopping.order'])
    expect(profile.ucp.capabilities[name]).toEqual([expect.objectContaining({ version: '2026-08-25' })])
  for (const [whose, fits] of businessSchemas())
    expect(fits(profile), `${whose}: ${JSON.stringify(fits.errors)}`).toBe(true)
})

test('[LIV-101] the bindings of the checkout have no policy', () => {
  expect(profile.ucp.services['dev.ucp.shopping']).toEqual([
    {
      version: '2026-08-25',
      transport: 'rest',
      endpoint: 'https://book.example/ucp/v1',
      spec: expect.stringContaining('https://ucp.dev/'),
      schema: expect.stringMatching(/rest\.openapi\.json$/),
    },
    {
      version: '2026-08-25',
      transport: 'mcp',
      endpoint: 'https://book.example/ucp/mcp',
      spec: expect.stringContaining('https://ucp.dev/'),
      schema: expect.stringMatching(/mcp\.openrpc\.json$/),
    },
  ])
  for (const { config } of profile.ucp.services['dev.usp-protocol.services'])
    expect(config).toHaveProperty('authorization')
})

test('without a checkout nothing of UCP is declared', async () => {
  const closed = await ucpShop(ucpDefinition([free], { ucp_checkout: { enabled: false } }))
  const { ucp } = (await closed.rest('GET', '/.well-known/ucp')).body
  expect(Object.keys(ucp.capabilities).filter((name) => ucpNames.includes(name))).toEqual([])
  expect(ucp.services).not.toHaveProperty(['dev.ucp.shopping'])
})

test('only a UCP business has a checkout', () => {
  expectAccepted(ucpDefinition())
  expect(placesRefused(ucpDefinition([free], { deployment_mode: 'standalone' }))).toEqual(['ucp_checkout.enabled'])
})
