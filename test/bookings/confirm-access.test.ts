import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { type Binding, call, type Shown } from '../access/callers.ts'
import { find } from '../access/things.ts'
import { buyer, WEEK } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

const server = await testServer(shopDefinition)
const published = testKey('ES256')
const platform = await testPlatform({ keys: [{ ...published.jwk, kid: 'k1', use: 'sig', alg: 'ES256' }] })
const { key: bearer } = await addClient(server.runtime.db, 'Known', START)
const mine = testKey()
const now = START
const owner: Shown = { now, platform, proof: { key: mine } }

const ask = async (id: string, input: Record<string, unknown>) =>
  (await call(server, 'REST', find(id), input, owner)).payload

/** A booking that waits for the business, and the credential that came with it. */
async function pending() {
  const service_id = 'svc_asked'
  const { slots } = await ask('queryAvailability', { service_id, ...WEEK })
  const made = await ask('createBooking', { service_id, slot_id: slots[0].id, buyer })
  expect(made.booking.status).toBe('pending')
  return { id: made.booking.id, credential: made.booking_scoped_credential }
}

const platforms: [what: string, row: string, shown: (credential: string) => Shown][] = [
  ['its owner by proof', 'BKG-078', () => owner],
  ['a signature', 'BKG-078', () => ({ now, platform, signature: { key: published, keyid: 'k1' } })],
  ['an API key', 'BKG-078', () => ({ now, platform, bearer })],
  ['an API key without a profile', 'BKG-078', () => ({ now, bearer })],
  ['nothing', 'BKG-078', () => ({ now })],
  ['its own credential with a valid proof', 'BKG-079', (scoped) => ({ ...owner, scoped })],
  ['its own credential without a proof', 'BKG-079', (scoped) => ({ now, platform, scoped })],
]
const cases = (['REST', 'MCP'] satisfies Binding[]).flatMap((binding) =>
  platforms.map(([what, row, shown]) => ({ binding, what, row, shown })),
)

test.each(cases)(
  '[$row] over $binding a confirm by $what is refused and changes nothing',
  async ({ binding, shown }) => {
    const { id, credential } = await pending()
    expect(credential.cnf.jkt).toBe(mine.thumbprint)
    const before = await tableContents(server.runtime.db)
    const told = await call(server, binding, find('confirmBooking'), { booking_id: id }, shown(credential.value))
    expect([told.rpc ?? told.status, told.code]).toEqual([binding === 'REST' ? 401 : -32006, 'authentication_required'])
    expect(await tableContents(server.runtime.db)).toEqual(before)
  },
)
