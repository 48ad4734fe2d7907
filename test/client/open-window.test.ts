import { expect, test } from 'vitest'
import { createClient, generateKey } from '../../packages/client/index.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { openBusiness } from './business.ts'

const { booking_window: _, ...open } = service('svc').policies
const half = { ...open, booking_window: { min_advance: 'PT1H' } }
const business = await openBusiness(
  businessWith([service('svc_open', { policies: open }), service('svc_half', { policies: half })]),
)
const platform = await testPlatform()

test.each(['rest', 'mcp'] as const)(
  '[LIV-033] [LIV-035] over %s the client keeps a booking window as it was stated',
  async (binding) => {
    const key = await generateKey('EdDSA')
    const client = createClient({ baseUrl: business.url, platformProfile: platform.url, key, binding })
    const windowOf = async (service_id: string) =>
      (await client.getService({ service_id })).service?.policies.booking_window
    expect(await windowOf('svc_open')).toBeUndefined()
    expect(await windowOf('svc_half')).toEqual({ min_advance: 'PT1H' })
  },
)
