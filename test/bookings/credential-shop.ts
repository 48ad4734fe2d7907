import { addClient } from '../../src/core/authentication/api-keys.ts'
import { operations } from '../../src/server/all-operations.ts'
import { type Binding, call, type Shown } from '../access/callers.ts'
import { buyer, WEEK } from '../support/desk.ts'
import { type TestKey, testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { withPolicies } from './shop.ts'
import { tillDefinition } from './till.ts'

const cancellation = { allowed: true, no_cancellation_after: 'PT24H' }
const rescheduling = { allowed: false }
const window = { min_advance: 'PT2H', max_advance: 'P60D', slot_interval: 'PT30M' }

const definition = {
  ...tillDefinition,
  services: [
    ...tillDefinition.services,
    // Can be canceled up to a day before, and then no more; nor can it be moved.
    withPolicies('svc_early', { cancellation, rescheduling }),
    withPolicies('svc_sudden', { cancellation, rescheduling, booking_window: { ...window, min_advance: 'PT0M' } }),
    withPolicies('svc_movable', { cancellation }),
    withPolicies('svc_far', { booking_window: { ...window, max_advance: 'P365D' } }),
  ],
}

export const toolOf = (name: string) => {
  const found = operations.find(({ tool }) => tool === name)
  if (!found) throw new Error(`There is no ${name}`)
  return found
}

type Slot = { id: string; service_id: string }
interface Issued {
  booking_scoped_credential: { expires_at: string }
}

export const by = (key: TestKey): Partial<Shown> => ({ proof: { key } })
export const endOf = ({ booking_scoped_credential: { expires_at } }: Issued) => Date.parse(expires_at)

/** A server, and a platform that calls it with whatever it shows. */
export async function credentialShop() {
  const server = await testServer(definition)
  const published = testKey('ES256')
  const platform = await testPlatform({ keys: [{ ...published.jwk, kid: 'k1', use: 'sig', alg: 'ES256' }] })
  const client = await addClient(server.runtime.db, 'Known platform', server.time.now)
  const desk = (binding: Binding) => {
    const ask = (tool: string, input: Record<string, unknown>, shown: Partial<Shown> = {}) =>
      call(server, binding, toolOf(tool), input, { now: server.time.now, platform, ...shown })
    return {
      ask,
      async slots(service_id: string, days: object = WEEK) {
        return (await ask('usp_availability_query', { service_id, ...days, limit: 200 })).payload.slots
      },
      async hold({ id, service_id }: Slot, shown: Partial<Shown>) {
        return (await ask('usp_availability_hold', { slot_id: id, service_id }, shown)).payload
      },
      async book({ id, service_id }: Slot, shown: Partial<Shown>, more = {}) {
        return (await ask('usp_bookings_create', { slot_id: id, service_id, buyer, ...more }, shown)).payload
      },
      read: (booking_id: string, shown: Partial<Shown>) => ask('usp_bookings_get', { booking_id }, shown),
    }
  }
  return { server, platform, published, client, desk }
}
