import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, test } from 'vitest'
import { daily } from '../availability/week.ts'
import { allow, assistantServer, ENDPOINT, fetchFrom, type Generation, memory } from './assistant.ts'
import { browser, newEmail, PASSWORD } from './browser.ts'

const server = await assistantServer({ hours: daily('06:00', '22:00') })

/** A client of either generation, as its user starts it: with the address of the endpoint, and what it remembers. */
async function start(by: Generation, { provider }: ReturnType<typeof memory>) {
  const options = { authProvider: provider, fetch: fetchFrom(server) as typeof fetch }
  const [client, transport] =
    by === 'newer'
      ? [new Client({ name: 'test', version: '1' }), new StreamableHTTPClientTransport(new URL(ENDPOINT), options)]
      : [new OldClient({ name: 'test', version: '1' }), new OldTransport(new URL(ENDPOINT), options)]
  await client.connect(transport as never)
  return {
    finish: (code: string, iss: string) => transport.finishAuth(code, iss),
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
    call: async (name: string, args: Record<string, unknown> = {}): Promise<any> =>
      (await client.callTool({ name, arguments: args })).structuredContent,
  }
}

describe.each(['newer', 'older'] as Generation[])('[assistants] with the %s client of the SDK', (by) => {
  test('a person’s assistant books from nothing but the address; they see that, and end it', async () => {
    const [remembers, email] = [memory(), newEmail()]
    const { kept } = remembers
    const stranger = await start(by, remembers)
    await expect(stranger.call('my_bookings')).rejects.toThrow()
    const back = await allow(browser(server), String(kept.sentTo), { email })
    await stranger.finish(back.searchParams.get('code') ?? '', back.searchParams.get('iss') ?? '')

    const { call } = await start(by, remembers)
    const { times } = await call('find_times', { service_ids: ['svc_a'] })
    const person = { first_name: 'Rosa', last_name: 'Díaz' }
    const slot_id = times[by === 'newer' ? 0 : 4].slots[0].slot_id
    expect((await call('book', { slot_id, person })).status).toBe('confirmed')

    const rosa = browser(server)
    await rosa.send('/account', { do: 'sign_in', email, password: PASSWORD })
    expect((await rosa.open('/my')).body).toContain('Service svc_a')

    // A token that ended is renewed without anybody being asked.
    const old = String(kept.tokens.access_token)
    const form = new URLSearchParams({ token: old, client_id: kept.client.client_id }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    await server.raw({ method: 'POST', url: '/oauth/revoke', headers, payload: form })
    kept.sentTo = undefined
    expect((await call('my_bookings')).bookings).toHaveLength(1)
    expect(kept.tokens.access_token).not.toBe(old)
    expect(kept.sentTo).toBeUndefined()

    await rosa.send('/account', { do: 'unlink', client: kept.client.client_id })
    await expect(call('my_bookings')).rejects.toThrow()
    expect(kept.sentTo).toBeDefined()
  })
})
