import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { countTokens } from 'gpt-tokenizer'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { guestCodeOf } from '../../../src/domain/bookings/guest-codes.ts'
import { ROSA, salon, visitor } from '../../booking-flow/visitor.ts'
import { signedIn } from '../../oauth/assistant.ts'
import { START, serverWithAllInterfaces } from '../../support/server.ts'
import { pathOf } from './talk.ts'

// The authorization server goes by the clock of the machine.
vi.useFakeTimers({ toFake: ['Date'], now: START })
afterAll(() => void vi.useRealTimers())

const shop = await serverWithAllInterfaces(salon())
const url = new URL('/mcp', await shop.app.listen({ host: '127.0.0.1', port: 0 }))
const me = { name: 'test', version: '1' }

const newer = async (options: ConstructorParameters<typeof NewClient>[1], requestInit: RequestInit = {}) => {
  const client = new NewClient(me, options)
  await client.connect(new NewTransport(url, { requestInit }))
  return client
}
const older = async () => {
  const client = new OldClient(me)
  await client.connect(new OldTransport(url))
  return client
}
const clients = [
  ['the current client, of the current revision', await newer({ versionNegotiation: { mode: { pin: '2026-07-28' } } })],
  ['the current client, as it comes', await newer({})],
  ['the previous client', await older()],
] as const
afterAll(() => Promise.all(clients.map(([, client]) => client.close())))

const MOST_CALLS = 4
const MOST_TOKENS = 6_000

type Client = (typeof clients)[number][1]

/** Calls tools one after the other, counts that, and says what a host may pass on alone: the text. */
async function counted(client: Client) {
  const { tools } = await client.listTools()
  // What a model reads before it says anything is in the count.
  const so = { calls: 0, tokens: countTokens(client.getInstructions() ?? '') + countTokens(JSON.stringify(tools)) }
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args })
    so.calls++
    // What stands under _meta is for the host's screen, and reaches no model.
    const { _meta, ...read } = result
    so.tokens += countTokens(JSON.stringify({ name, args })) + countTokens(JSON.stringify(read))
    const [first] = result.content as { text: string }[]
    expect(result.isError ?? false).toBe(false)
    return first?.text ?? ''
  }
  return {
    call,
    /** The first time of what was looked for. */
    async slot(from: string, to: string) {
      const found = await call('find_services', { query: 'hair cut' })
      const [, service = ''] = /^- (svc_\S+)/m.exec(found) ?? []
      expect(service).toBe('svc_haircut')
      const times = await call('find_times', { service_ids: [service], from, to })
      return times.split(/\s|;/).find((word) => word.startsWith('slot_')) ?? ''
    },
    expectFew() {
      expect(so.calls).toBeLessThanOrEqual(MOST_CALLS)
      expect(so.tokens).toBeLessThanOrEqual(MOST_TOKENS)
    },
  }
}

const BOOKED = /^Booked: “Women’s Haircut & Style” on Tuesday 2026-11-24 .*It is confirmed\./
const DAYS = ['2026-11-24', '2026-11-25'] as const

describe.each(clients)('%s', (_, client) => {
  test('[any assistant can book] from nothing but the address to a confirmed booking, in few calls and few words', async () => {
    const { call, slot, expectFew } = await counted(client)
    const link = await call('book', { slot_id: await slot(...DAYS) })
    const [, address = ''] = /^(http\S+)$/m.exec(link) ?? []
    const [, status_code = ''] = /status_code="([^"]+)"/.exec(link) ?? []
    const done = await visitor(shop).fill(pathOf(address), ROSA)
    expect(done.status).toBe(303)
    expect(await call('booking_status', { status_code })).toMatch(BOOKED)
    expectFew()
  })
})

test('[any assistant can book] for a guest, by a code from the mail', async () => {
  const { call, slot, expectFew } = await counted(clients[1][1])
  const wish = { slot_id: await slot(...DAYS), person: { ...ROSA, phone: '+12125550143' } }
  const said = await call('book', wish)
  const [, status_code = ''] = /status_code="([^"]+)"/.exec(said) ?? []
  const row = await shop.runtime.db.selectFrom('guest_codes').select('id').executeTakeFirst()
  const code = guestCodeOf(shop.runtime.tag, row?.id ?? '')
  expect(await call('book', { ...wish, status_code, code })).toMatch(BOOKED)
  expectFew()
})

test('[any assistant can book] signed in, with no page at all', async () => {
  const { access } = await signedIn(shop)
  const client = await newer({}, { headers: { authorization: `Bearer ${access}` } })
  const { call, slot, expectFew } = await counted(client)
  const { email: _, ...person } = { ...ROSA, phone: '+12125550143' }
  expect(await call('book', { slot_id: await slot(...DAYS), person })).toMatch(/^Booked:\n- bkg_.*: confirmed$/m)
  expectFew()
  await client.close()
})
