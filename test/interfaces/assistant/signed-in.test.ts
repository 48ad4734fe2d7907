import { setTimeout as pass } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { verify } from '../../../src/core/ledger/verify-ledger.ts'
import { asRecord } from '../../../src/infra/util/object-members.ts'
import { daily } from '../../availability/week.ts'
import { ROSA as TYPED, visitor } from '../../booking-flow/visitor.ts'
import {
  allow,
  askUrl,
  assistantServer,
  ENDPOINT,
  exchangeAt,
  fetchFrom,
  memory,
  signedIn,
} from '../../oauth/assistant.ts'
import { browser, newEmail, pkce } from '../../oauth/browser.ts'
import { service } from '../../support/definitions.ts'
import { assistant, lateService, pathOf } from './talk.ts'

const terms = service('svc_late').policies
const server = await assistantServer({
  hours: daily('06:00', '22:00'),
  services: [
    service('svc_a'),
    lateService,
    service('svc_paid', { policies: { ...terms, payment_timing: 'at_booking' } }),
    service('svc_asked', { policies: { ...terms, confirmation_mode: 'manual', cancellation: { allowed: false } } }),
    service('svc_call', { channel: { type: 'phone' } }),
    service('svc_course', {
      type: 'group',
      capacity: { max: 8 },
      sessions: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], starts: '11:00' }],
    }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], starts: '10:00' }],
    }),
  ],
})
const ROSA = { first_name: 'Rosa', last_name: 'Díaz' }
const bearer = (access: string) => assistant(server, { headers: { authorization: `Bearer ${access}` } })
const helper = async () => {
  const { access, email } = await signedIn(server)
  return { ...bearer(access), email }
}
type Helper = Awaited<ReturnType<typeof helper>>

let taken = 0
/** A slot that no other test takes. */
async function slotOf(one: Pick<Helper, 'call'>, id = 'svc_a'): Promise<string> {
  const { data } = await one.call('find_times', { service_ids: [id], limit: 25 })
  taken += 2
  return data.times[taken % data.times.length]?.slots[0].slot_id ?? ''
}
const booked = async (one: Helper, id = 'svc_a') =>
  (await one.call('book', { slot_id: await slotOf(one, id), person: ROSA })).data

test('[signed in] a stock client is told to sign in once it has to, does so, and goes on', async () => {
  const { provider, kept } = memory()
  const options = { authProvider: provider, fetch: fetchFrom(server) as typeof fetch }
  const open = async () => {
    const transport = new StreamableHTTPClientTransport(new URL(ENDPOINT), options)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    return { client, transport }
  }
  const { client, transport } = await open()
  expect((await client.callTool({ name: 'find_services', arguments: {} })).isError).toBeUndefined()
  await expect(client.callTool({ name: 'my_bookings', arguments: {} })).rejects.toBeInstanceOf(UnauthorizedError)
  const back = await allow(browser(server), String(kept.sentTo))
  await transport.finishAuth(back.searchParams)
  const { content } = await (await open()).client.callTool({ name: 'my_bookings', arguments: {} })
  expect(content).toMatchObject([{ text: expect.stringContaining('This account has no bookings.') }])
})

test('[signed in] a booking is made at once, for the address of the account, and shows where it came from', async () => {
  const rosa = await helper()
  const { text, data } = await rosa.call('book', { slot_id: await slotOf(rosa), person: ROSA })
  expect(text).toMatch(/^Booked:\n- bkg_\S+ \(\w{4}-\w{4}\): svc_a “Service svc_a” on .*, \$75\.00: confirmed/)
  const row = await server.runtime.db
    .selectFrom('bookings')
    .select(['people', 'principal'])
    .where('id', '=', data.booking_id)
    .executeTakeFirstOrThrow()
  expect(row.people).toMatchObject({ buyer: { ...ROSA, email: rosa.email } })
  expect(row.principal).toMatch(/^client:app_.*\/buy_/)
  const mine = await rosa.call('my_bookings')
  expect(mine.data.bookings).toMatchObject([{ booking_id: data.booking_id, status: 'confirmed' }])
  expect(mine.text).toContain('Free cancellation.')
})

test('[signed in] my_bookings lists the ten next bookings unless it is called with a limit, and says if there are more', async () => {
  const rosa = await helper()
  const days = { from: '2026-12-07', to: '2026-12-31' }
  const { data } = await rosa.call('find_times', { service_ids: ['svc_course'], ...days, limit: 11 })
  const made: string[] = []
  for (const { slots } of data.times)
    made.push((await rosa.call('book', { slot_id: slots[0].slot_id, person: ROSA })).data.booking_id)
  expect(made).toHaveLength(11)
  for (const [given, shown, more] of [
    [{}, 10, true],
    [{ limit: 10 }, 10, true],
    [{ limit: 11 }, 11, false],
    [{ limit: 25 }, 11, false],
    [{ limit: 1 }, 1, true],
  ] as const) {
    const mine = await rosa.call('my_bookings', given)
    const ids = mine.data.bookings.map((one: { booking_id: string }) => one.booking_id)
    expect([given, ids, mine.data.more]).toEqual([given, made.slice(0, shown), more])
    expect([given, mine.text.includes('There are more')]).toEqual([given, more])
  }
  expect((await rosa.call('my_bookings', { past: true })).data).toMatchObject({ bookings: [], more: false })
})

test.each(['svc_a', 'svc_course'])(
  '[signed in] whoever calls again for want of an answer books %s once',
  async (id) => {
    const rosa = await helper()
    const slot_id = await slotOf(rosa, id)
    const book = (person: object = ROSA) => rosa.call('book', { slot_id, person })
    const [first, twin] = await Promise.all([book(), book()])
    const { booking_id } = first.data
    expect([booking_id === twin.data.booking_id, first.isError]).toEqual([true, false])
    server.time.now = new Date(server.time.now.getTime() + 1_000)
    const again = await book()
    expect([again.text, again.data.booking_id]).toEqual([expect.stringMatching(/^It was already booked/), booking_id])
    expect((await rosa.call('my_bookings')).data.bookings).toHaveLength(1)

    // Somebody else is no retry, and neither is who comes back after canceling.
    const other = await book({ ...ROSA, first_name: 'Ida' })
    expect(other.isError).toBe(id === 'svc_a')
    await rosa.call('cancel_booking', { booking_id })
    const anew = await book()
    expect([anew.isError, anew.data.booking_id === booking_id]).toEqual([false, false])
    expect((await verify(server.runtime.db, server.time.now)).findings.listed).toEqual([])
  },
)

test('[signed in] what no text can hold is refused, and is no fault of the server', async () => {
  const rosa = await helper()
  for (const [name, more] of [
    ['cancel_booking', {}],
    ['move_booking', { slot_id: 'slot' }],
  ] as const)
    for (const booking_id of ['bkg_\u0000', 'bkg_\ud800'])
      expect((await rosa.call(name, { booking_id, ...more })).text).toContain('Text must not contain a NUL character')
})

test('[signed in] [LIV-080] what is left to do has its page, and what the person has to say is asked for', async () => {
  const rosa = await helper()
  const paid = await rosa.call('book', { slot_id: await slotOf(rosa, 'svc_paid'), person: ROSA })
  expect(paid.data.status).toBe('requires_action')
  const [{ type, link }] = paid.data.left_to_do
  expect(type).toBe('payment')
  expect((await server.raw({ method: 'GET', url: pathOf(link) })).status).toBe(200)

  const slot_id = await slotOf(rosa, 'svc_call')
  const refused = await rosa.call('book', { slot_id, person: ROSA })
  expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('person.phone')])
  expect((await rosa.call('book', { slot_id, person: { ...ROSA, phone: '+12125550143' } })).isError).toBe(false)
})

test('[signed in] a booking that waits for the business can be canceled for free, whatever its terms say', async () => {
  const rosa = await helper()
  const { status, canceling, can_cancel } = await booked(rosa, 'svc_asked')
  expect([status, canceling, can_cancel?.cost]).toEqual(['pending', 'Free cancellation.', 0])
})

test('[signed in] without a name it still gives a link', async () => {
  const rosa = await helper()
  expect((await rosa.call('book', { slot_id: await slotOf(rosa) })).data.state).toBe('waiting_for_person')
})

describe('[signed in] nothing that costs something is done before the person agrees', () => {
  test('canceling', async () => {
    const rosa = await helper()
    const { booking_id } = await booked(rosa, 'svc_late')
    const asked = await rosa.call('cancel_booking', { booking_id })
    expect(asked.isError).toBe(true)
    expect(asked.text).toContain(
      'now costs $25.00. Ask the person; if they agree call cancel_booking again with agreed_cost=2500.',
    )
    expect((await rosa.call('cancel_booking', { booking_id, agreed_cost: 1 })).isError).toBe(true)
    const done = await rosa.call('cancel_booking', { booking_id, agreed_cost: 2500, reason: 'Ill' })
    expect(done.data).toMatchObject({ status: 'canceled', cost: 2500 })
    expect((await rosa.call('cancel_booking', { booking_id })).text).toContain('is already canceled')
  })

  test('moving', async () => {
    const rosa = await helper()
    const { booking_id, start } = await booked(rosa, 'svc_late')
    const slot_id = await slotOf(rosa, 'svc_late')
    const asked = await rosa.call('move_booking', { booking_id, slot_id })
    expect([asked.isError, asked.text]).toEqual([true, expect.stringContaining('agreed_cost=1000')])
    const { data } = await rosa.call('move_booking', { booking_id, slot_id, agreed_cost: 1000 })
    expect(data.booking_id).toBe(booking_id)
    expect(data.start).not.toBe(start)
  })

  test('what costs nothing is done at once', async () => {
    const rosa = await helper()
    const { booking_id } = await booked(rosa)
    expect((await rosa.call('move_booking', { booking_id, slot_id: await slotOf(rosa) })).isError).toBe(false)
    expect((await rosa.call('cancel_booking', { booking_id })).text).toMatch(/^Canceled: “Service svc_a”/)
    expect((await verify(server.runtime.db, server.time.now)).findings.listed).toEqual([])
  })
})

test.each(['cancel_booking', 'move_booking'])(
  '[signed in] what comes to cost something while %s is under way is asked for first',
  async (tool) => {
    const rosa = await helper()
    const [{ booking_id }, costly] = [await booked(rosa), await booked(rosa, 'svc_late')]
    const more = tool === 'move_booking' ? { slot_id: await slotOf(rosa) } : {}
    const { db } = server.runtime
    const bookings = () =>
      db.selectFrom('bookings').select(['status', 'starts_at']).where('id', '=', booking_id).execute()
    const before = await bookings()
    const changed = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const changing = db.transaction().execute(async (tx) => {
      await sql`update bookings set revision = revision + 1, record = (record::jsonb || jsonb_build_object('policies',
        (select record::jsonb -> 'policies' from bookings where id = ${costly.booking_id})))::json
        where id = ${booking_id}`.execute(tx)
      locked.resolve()
      await changed.promise
    })
    await locked.promise
    const asking = rosa.call(tool, { booking_id, ...more })
    await pass(300)
    changed.resolve()
    await changing
    const { isError, text } = await asking
    expect([isError, text]).toEqual([true, expect.stringContaining('agreed_cost=')])
    expect(await bookings()).toEqual(before)
  },
)

test('[signed in] one account’s token opens nothing of another’s', async () => {
  const [rosa, mallory] = [await helper(), await helper()]
  const { booking_id } = await booked(rosa)
  for (const [name, more] of [
    ['cancel_booking', {}],
    ['move_booking', { slot_id: await slotOf(mallory) }],
  ] as const) {
    const { isError, text } = await mallory.call(name, { booking_id, ...more })
    expect([isError, text]).toEqual([true, expect.stringContaining('This account has no such booking')])
  }
  expect((await mallory.call('my_bookings')).data.bookings).toEqual([])
})

test('[signed in] a place that the waitlist offers is taken or declined', async () => {
  const rosa = await helper()
  const { data } = await rosa.call('find_times', { service_ids: ['svc_class'] })
  const { slot_id } = data.times[0].slots[0]
  const { data: first } = await rosa.call('book', { slot_id, person: ROSA })
  const others = [await helper(), await helper()]
  for (const one of others) {
    const joined = await one.call('join_waitlist', { slot_id, person: { first_name: 'Ida', last_name: 'Ng' } })
    expect(joined.text).toContain('on the waitlist')
  }
  await rosa.call('cancel_booking', { booking_id: first.booking_id })
  const [ida, eva] = others
  const offered = await ida?.call('my_bookings')
  expect(offered?.text).toContain('is offered until')
  const { entry_id } = offered?.data.waitlist[0] ?? {}
  expect((await eva?.call('answer_offer', { entry_id, accept: true }))?.isError).toBe(true)
  expect((await ida?.call('answer_offer', { entry_id, accept: false }))?.text).toContain('Declined')
  const next = (await eva?.call('my_bookings'))?.data.waitlist[0]
  const price = await eva?.call('answer_offer', { entry_id: next?.entry_id, accept: true })
  expect([price?.isError, price?.text]).toEqual([
    true,
    expect.stringMatching(/^Accepting costs \$75\.00: “Service svc_class” on .*agreed_cost=7500\.$/),
  ])
  const agreed_cost = price?.data.cost
  const before = await server.runtime.business.seenBy(server.runtime.db)
  if (!before) throw new Error('There is no definition')
  const dearer = before.services.map((one) => ({ ...one, pricing: { ...one.pricing, amount: 9_000 } }))
  await server.apply({ ...before, services: dearer })
  const later = await eva?.call('answer_offer', { entry_id: next?.entry_id, accept: true, agreed_cost })
  expect([later?.isError, later?.data]).toEqual([true, expect.objectContaining({ cost: 9_000 })])
  await server.apply(before)
  const taken = await eva?.call('answer_offer', { entry_id: next?.entry_id, accept: true, agreed_cost })
  expect(taken?.text).toMatch(/^Booked:/)
})

test('[signed in] whoever waits leaves the waitlist', async () => {
  const rosa = await helper()
  const { data } = await rosa.call('find_times', { service_ids: ['svc_class'], limit: 25 })
  const { slot_id } = data.times.at(-1).slots[0]
  await rosa.call('book', { slot_id, person: ROSA })
  const ida = await helper()
  const { data: entry } = await ida.call('join_waitlist', { slot_id, person: { first_name: 'Ida', last_name: 'Ng' } })
  const early = await ida.call('answer_offer', { entry_id: entry.entry_id, accept: true })
  expect([early.isError, early.text]).toEqual([true, expect.stringContaining('There is no offer now')])
  expect((await rosa.call('answer_offer', { entry_id: entry.entry_id, accept: false })).isError).toBe(true)
  const left = await ida.call('answer_offer', { entry_id: entry.entry_id, accept: false })
  expect(left.data).toEqual({ entry_id: entry.entry_id, status: 'removed' })
  expect((await ida.call('my_bookings')).data.waitlist).toEqual([])
})

describe('[telling the business something]', () => {
  const notesOf = async (id: string) =>
    (await server.runtime.db.selectFrom('bookings').select('people').where('id', '=', id).executeTakeFirst())?.people

  test('adds a word to a booking of the account, and takes none away', async () => {
    const rosa = await helper()
    const slot_id = await slotOf(rosa)
    const { data } = await rosa.call('book', { slot_id, person: { ...ROSA, notes: 'Ring twice.' } })
    const { booking_id } = data
    const told = await rosa.call('tell_business', { booking_id, words: 'I am ten minutes late.' })
    expect(told.text).toMatch(/^The business has the note, with “Service svc_a” on /)
    expect(await notesOf(booking_id)).toMatchObject({ notes: 'Ring twice.\nI am ten minutes late.' })
    const mallory = await helper()
    const refused = await mallory.call('tell_business', { booking_id, words: 'x' })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('no such booking')])
    expect(
      (await assistant(server).send('tools/call', { name: 'tell_business', arguments: { booking_id, words: 'x' } }))
        .status,
    ).toBe(401)
  })

  test('loses none of many words that are told at once', async () => {
    const rosa = await helper()
    const { booking_id } = await booked(rosa)
    const words = ['one', 'two', 'three', 'four']
    const all = await Promise.all(words.map((word) => rosa.call('tell_business', { booking_id, words: word })))
    expect(all.filter(({ isError }) => isError)).toEqual([])
    const { notes } = asRecord(await notesOf(booking_id))
    expect(String(notes).split('\n').sort()).toEqual([...words].sort())
  })

  test('adds it to what was booked by a link, for whoever has that', async () => {
    const one = assistant(server)
    const { data } = await one.call('book', { slot_id: await slotOf(one) })
    const early = await one.call('tell_business', { link: data.link, words: 'x' })
    expect([early.isError, early.text]).toEqual([true, expect.stringContaining('No booking was made by this link')])
    await visitor(server).fill(pathOf(data.link), { ...TYPED, notes: 'Ring twice.' })
    const told = await one.call('tell_business', { link: data.link, words: 'I bring my dog.' })
    expect([told.isError, told.text]).toEqual([false, expect.not.stringContaining('Ring')])
    const { rows } = { rows: await server.runtime.db.selectFrom('bookings').select('people').execute() }
    expect(JSON.stringify(rows)).toContain('Ring twice.\\nI bring my dog.')
    const another = new URL(data.link)
    another.searchParams.set('visit', 'assistant_x')
    for (const link of [String(another), 'x', data.status_code])
      expect((await one.call('tell_business', { link, words: 'x' })).isError).toBe(true)
  })

  test('has an end', async () => {
    const rosa = await helper()
    const { booking_id } = await booked(rosa)
    for (let told = 0; told < 4; told++) await rosa.call('tell_business', { booking_id, words: 'x'.repeat(1_000) })
    const late = await rosa.call('tell_business', { booking_id, words: 'x'.repeat(1_000) })
    expect([late.isError, late.text]).toEqual([true, expect.stringContaining('too long already')])
  })
})

describe('[signed in] who shows no good token', () => {
  const metadata = 'resource_metadata="http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp"'
  const algs = 'algs="EdDSA ES256 Ed25519"'
  const challenge = async (headers: Record<string, string>, name = 'my_bookings') => {
    const answer = await server.raw({
      method: 'POST',
      url: '/mcp',
      headers: { 'content-type': 'application/json', host: '127.0.0.1:8080', ...headers },
      payload: { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name, arguments: {} } },
    })
    return { status: answer.status, told: answer.headers['www-authenticate'], body: answer.body }
  }

  test('is told where to get one where a tool needs it', async () => {
    const { status, told, body } = await challenge({})
    expect([status, told]).toEqual([401, `Bearer scope="usp:booking", ${metadata}, DPoP ${algs}`])
    expect(body).toMatchObject({ id: 5, error: { code: -32006, data: { code: 'authentication_required' } } })
    expect(body.error.message).toContain('Sign in for the person first.')
  })

  test.each(['a.b.c', 'usk_none', ''])('is told so whatever is called: %s', async (token) => {
    const { status, told } = await challenge({ authorization: `Bearer ${token}x` }, 'find_services')
    expect([status, told]).toEqual([
      ...[401, `Bearer error="invalid_token", scope="usp:booking", ${metadata}, DPoP ${algs}`],
    ])
  })

  test('is told so in the scheme that it came by', async () => {
    const { status, told } = await challenge({ authorization: 'DPoP a.b.c' }, 'find_services')
    expect([status, told]).toEqual([
      ...[401, `Bearer scope="usp:booking", ${metadata}, DPoP error="invalid_token", ${algs}`],
    ])
  })

  test.each([
    ['my_bookings', {}],
    ['book', { slot_id: 'slot_x', person: ROSA }],
    ['join_waitlist', { slot_id: 'slot_x', person: ROSA }],
  ])('that allows something else is told what %s takes', async (name, args) => {
    const { kept, email } = await signedIn(server)
    const client_id: string = kept.client.client_id
    const { verifier, challenge } = pkce()
    const back = await allow(browser(server), askUrl(client_id, challenge, { scope: 'usp:history' }), {
      email,
      granted: ['usp:history'],
    })
    const code = back.searchParams.get('code') ?? ''
    const { body } = await exchangeAt(server, { client_id, code, code_verifier: verifier })
    const answer = await server.raw({
      method: 'POST',
      url: '/mcp',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${body.access_token}` },
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('error="insufficient_scope", scope="usp:booking"'),
    ])
  })

  test('is turned away after guessing', async () => {
    const narrow = await assistantServer({ limits: { failed_authentications: 3 } })
    const one = assistant(narrow, { headers: { authorization: 'Bearer none' } })
    const statuses = []
    for (let call = 0; call < 5; call++) statuses.push((await one.send('tools/list')).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })
})

test('[signed in] whose token has ended does not guess, however many of one address do so', async () => {
  const narrow = await assistantServer({ limits: { failed_authentications: 3 } })
  const { access } = await signedIn(narrow)
  narrow.time.now = new Date(narrow.time.now.getTime() + 660_000)
  const late = assistant(narrow, { headers: { authorization: `Bearer ${access}` } })
  const statuses = []
  for (let call = 0; call < 5; call++) statuses.push((await late.send('tools/list')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401])
})

test('[signed in] calls that are not let in are counted by network', async () => {
  const narrow = await assistantServer({ limits: { messages: 2 } })
  const statuses = []
  for (let call = 0; call < 3; call++)
    statuses.push((await assistant(narrow).send('tools/call', { name: 'my_bookings', arguments: {} })).body.error.code)
  expect(statuses).toEqual([-32006, -32006, -32007])
})

test('[signed in] for one account no more is made than visitors may, and the link is still there; others of the network have their own', async () => {
  const narrow = await assistantServer({ hours: daily('06:00', '22:00'), limits: { visitors: { bookings: 1 } } })
  const { access } = await signedIn(narrow, { email: newEmail() })
  const one = assistant(narrow, { headers: { authorization: `Bearer ${access}` } })
  const { data } = await one.call('find_times', { service_ids: ['svc_a'] })
  const book = (nth: number) => one.call('book', { slot_id: data.times[nth].slots[0].slot_id, person: ROSA })
  expect([(await book(0)).data.state, (await book(4)).data.state]).toEqual(['booked', 'waiting_for_person'])
  const { access: another } = await signedIn(narrow, { email: newEmail() })
  const neighbour = assistant(narrow, { headers: { authorization: `Bearer ${another}` } })
  const slot_id = data.times[2].slots[0].slot_id
  expect((await neighbour.call('book', { slot_id, person: ROSA })).data.state).toBe('booked')
})

test('[signed in] calls are counted by account, and by network where nobody has shown that the account is theirs', async () => {
  const narrow = await assistantServer({ limits: { visitors: { calls: 2 } } })
  const helperOf = async (email: string) => {
    const { access } = await signedIn(narrow, { email })
    return assistant(narrow, { headers: { authorization: `Bearer ${access}` } })
  }
  const callsOf = async (one: Awaited<ReturnType<typeof helperOf>>) => {
    const refused = []
    for (let call = 0; call < 3; call++) refused.push((await one.call('my_bookings')).isError)
    return refused
  }
  const emails = [newEmail(), newEmail(), newEmail()]
  const [one, two, three] = await Promise.all(emails.map(helperOf))
  if (!one || !two || !three) throw new Error('Three signed in')
  expect([await callsOf(one), await callsOf(two)]).toEqual([
    [false, false, true],
    [false, false, true],
  ])
  await narrow.runtime.db.updateTable('buyer_accounts').set({ verified_at: null }).execute()
  narrow.time.now = new Date(narrow.time.now.getTime() + 60_000)
  expect(await callsOf(two)).toEqual([false, false, true])
  expect(await callsOf(three)).toEqual([true, true, true])
})
