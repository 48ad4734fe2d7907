import { expect, test } from 'vitest'
import { studio } from '../desk/studio.ts'
import { restDesk } from '../support/desk.ts'
import { birdCall, birdSettings, birdStandIn } from './provider-stand-ins.ts'
import { AGREED, ANN, bookAtDesk, textingShop } from './texting-shop.ts'

const [bird, shop] = await Promise.all([birdStandIn(), textingShop(studio)])
const desk = restDesk(shop)
const url = `${shop.runtime.config.baseUrl}/text-messages/bird`
let next = 300
const someone = () => ({ ...ANN, ...AGREED, phone_number: `+1212555${String(next++).padStart(4, '0')}` })
const last = async () => (await shop.texts()).at(-1)
const message = (from: string, text: string, id = 'msg_1') => ({
  id,
  sender: { contact: { id: 'x', identifierKey: 'phonenumber', identifierValue: from } },
  body: { type: 'text', text: { text } },
  direction: 'incoming',
})

test('[Bird] a message goes to the channel of the workspace', async () => {
  await shop.enter(desk, birdSettings(bird))
  const person = someone()
  await bookAtDesk(desk, shop, person)
  await shop.send()
  expect(bird.sent).toMatchObject([{ to: person.phone_number, text: expect.stringContaining('is confirmed') }])
})

test.each([
  [
    { status: 422, body: { code: 'InvalidPayload', message: 'No such number' } },
    'given_up',
    /422, error InvalidPayload: No such number/,
  ],
  [{ status: 401, body: { code: 'Unauthorized', message: 'Wrong key' } }, 'waiting', /401/],
  [{ status: 429 }, 'waiting', /429/],
  [{ status: 500 }, 'given_up', /may have arrived/],
  ['lose the answer', 'given_up', /may have arrived/],
] as const)('[Bird] that answers %j: the message is %s', async (answer, status, problem) => {
  bird.next = answer
  await bookAtDesk(desk, shop, someone())
  await shop.send()
  bird.next = 'send'
  expect(await last()).toMatchObject({ status, attempts: 1, problem: expect.stringMatching(problem) })
})

test('[Bird] STOP ends the messages, whenever Bird repeats its call', async () => {
  const person = someone()
  const sent = async () => {
    await bookAtDesk(desk, shop, person)
    const before = bird.sent.length
    await shop.send()
    return bird.sent.slice(before).filter(({ to }) => to === person.phone_number).length
  }
  expect(await sent()).toBe(1)
  const stop = message(person.phone_number, 'STOP')
  expect((await shop.inject(birdCall(stop, { url }))).statusCode).toBe(200)
  expect(await sent()).toBe(0)
  expect((await shop.inject(birdCall(message(person.phone_number, 'START', 'msg_2'), { url }))).statusCode).toBe(200)
  // A late repetition of the first call has a new signature, and changes nothing.
  expect((await shop.inject(birdCall(stop, { url, at: '1719829999' }))).statusCode).toBe(200)
  expect(await sent()).toBe(1)
})

test('[Bird] a forged call is refused', async () => {
  const call = birdCall(message('+12125550399', 'STOP', 'msg_3'), { url })
  for (const forged of [
    birdCall(message('+12125550399', 'STOP', 'msg_3'), { url, token: 'another' }),
    birdCall(message('+12125550399', 'STOP', 'msg_3'), { url: 'https://elsewhere.example/text-messages/bird' }),
    { ...call, payload: `${call.payload} ` },
    { ...call, headers: { ...call.headers, 'messagebird-request-timestamp': '1' } },
    { ...call, headers: {} },
  ])
    expect((await shop.inject(forged)).json()).toMatchObject({ code: 'invalid_request' })
  expect(await shop.runtime.db.selectFrom('stopped_numbers').selectAll().execute()).toEqual([])
})

test('[Bird] a call about something else is accepted and ignored', async () => {
  for (const payload of [
    {},
    { sender: 7, body: [] },
    { ...message('+12125550399', 'STOP', ''), sender: { contact: null } },
  ])
    expect((await shop.inject(birdCall(payload, { url }))).statusCode).toBe(200)
  expect(await shop.runtime.db.selectFrom('stopped_numbers').selectAll().execute()).toEqual([])
})
