import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailFind, mailReplay, mailsLease } from '../../src/core/mails/queries.ts'
import { sendMail } from '../../src/core/mails/send-mail.ts'
import { letters } from './letters.ts'
import { mailingShop } from './mailing-shop.ts'
import { postOffice } from './post-office.ts'

const office = await postOffice()
const shop = await mailingShop(office)
const { db } = shop.runtime
const MINUTE = 60
const HOUR = 60 * MINUTE

async function told() {
  office.answer = 'take'
  await shop.sendAfter(24 * HOUR)
  office.arrivals.length = 0
  const subject = `booking bkg_${randomUUID()}`
  await shop.tell({}, { subject })
  const row = (await shop.rows()).at(-1)
  const now = async () => await mailFind(db, row?.id ?? '')
  return { subject, id: row?.id ?? '', now }
}

test.each([
  { recipient: 450 },
  { mail: 451 },
  { mail: 554 },
  { recipient: 530 },
  { recipient: 553 },
  { recipient: 554 },
  'hang up',
] as const)('what the server does not take now (%j) it is asked again in a minute', async (answer) => {
  const { id, now } = await told()
  office.answer = answer
  await shop.sendAfter()
  expect(await now()).toMatchObject({ status: 'waiting', attempts: 1, problem: expect.any(String) })
  office.answer = 'take'
  await shop.sendAfter(MINUTE - 1)
  expect(office.arrivals).toEqual([])
  await shop.sendAfter(1)
  expect(office.arrivals.map(({ mail }) => mail.messageId)).toEqual([`<${id}@127.0.0.1>`])
  expect(await now()).toMatchObject({ status: 'sent', attempts: 2, problem: null })
})

test('it is tried again after 1 and 5 minutes, after half an hour, 2 and 8 hours, and then given up', async () => {
  const { now } = await told()
  office.answer = { recipient: 450 }
  const waits: number[] = []
  for (await shop.sendAfter(); ; ) {
    const row = await now()
    if (row?.status !== 'waiting') break
    const wait = (row.next_at.getTime() - shop.time.now.getTime()) / 1000
    waits.push(wait)
    await shop.sendAfter(wait)
  }
  expect(waits).toEqual([MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR])
  expect(await now()).toMatchObject({ status: 'given_up', attempts: 6, problem: expect.stringContaining('450') })
  expect(shop.logged.join('')).toContain('A mail was given up')
  expect(shop.logged.join('')).not.toContain('alice@')
})

test('a recipient whom the server does not know for good is given up at once, and sent to again when somebody wants it', async () => {
  const { id, now } = await told()
  office.answer = { recipient: 550 }
  await shop.sendAfter()
  expect(await now()).toMatchObject({ status: 'given_up', attempts: 1 })
  office.answer = 'take'
  await shop.sendAfter(24 * HOUR)
  expect(office.arrivals).toEqual([])
  expect(await mailReplay(db, id, shop.time.now)).toBe(true)
  await shop.sendAfter()
  expect(office.arrivals.map(({ mail }) => mail.messageId)).toEqual([`<${id}@127.0.0.1>`])
})

test('whoever took a mail and did not say so gets it again, under the same Message-ID', async () => {
  const { id } = await told()
  office.answer = 'take and hang up'
  await shop.sendAfter()
  office.answer = 'take'
  await shop.sendAfter(MINUTE)
  expect(office.arrivals.map(({ mail }) => mail.messageId)).toEqual([`<${id}@127.0.0.1>`, `<${id}@127.0.0.1>`])
})

test('a server that takes the connection and says nothing more is left after 20 seconds', async () => {
  const { now } = await told()
  office.answer = 'hang'
  const begun = performance.now()
  await shop.sendAfter()
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(await now()).toMatchObject({ status: 'waiting', attempts: 1 })
})

test('[a crash blames no mail] a mail is sent however many servers died over it', async () => {
  const { now } = await told()
  for (let begun = 1; begun <= 6; begun++) {
    shop.time.now = (await now())?.next_at ?? shop.time.now
    expect(await mailsLease(db, 'mail', 10, shop.time.now)).toMatchObject([{ begun }])
    expect(await mailsLease(db, 'mail', 10, shop.time.now)).toEqual([])
    await db
      .updateTable('mails')
      .set({ leased_until: new Date(0) })
      .where('leased_until', 'is not', null)
      .execute()
  }
  await shop.sendAfter(HOUR)
  expect(await now()).toMatchObject({ status: 'sent', attempts: 1 })
  expect(office.arrivals).toHaveLength(1)
})

test('what is told of one booking to one person goes in its order; others do not wait', async () => {
  const { subject } = await told()
  const other = `booking bkg_${randomUUID()}`
  await shop.tell({ subject: 'Moved' }, { subject })
  await shop.tell({ subject: 'Canceled' }, { subject })
  office.answer = { recipient: 450 }
  await shop.sendAfter()
  office.answer = 'take'
  await shop.tell({ subject: 'Other' }, { subject: other })
  await shop.tell({ subject: 'To another' }, { subject, to: { email: 'bob@example.com' } })
  await shop.sendAfter()
  expect(office.arrivals.map(({ mail }) => mail.subject).toSorted()).toEqual(['Other', 'To another'])
  await shop.sendAfter(MINUTE)
  expect(office.arrivals.slice(2).map(({ mail }) => mail.subject)).toEqual(['Booked', 'Moved', 'Canceled'])
})

test('several that one change tells go in their order too', async () => {
  const { subject } = await told()
  await shop.runtime.makeChange(async (tx) => {
    for (const said of ['Moved', 'Paid'])
      tx.queueMail(
        { kind: 'x', subject, to: { email: 'alice@example.com' }, snapshot: { subject: said } },
        shop.time.now,
      )
  })
  await shop.sendAfter()
  expect(office.arrivals.map(({ mail }) => mail.subject)).toEqual(['Booked', 'Moved', 'Paid'])
})

test('what there is no letter for any more is dropped, and the next in line goes', async () => {
  const { subject, now } = await told()
  await db.updateTable('mails').set({ snapshot: '{}' }).where('subject', '=', subject).execute()
  await shop.tell({ subject: 'Moved' }, { subject })
  await shop.sendAfter()
  expect(await now()).toMatchObject({ status: 'dropped' })
  expect(office.arrivals.map(({ mail }) => mail.subject)).toEqual(['Moved'])
})

test('a letter that cannot be written is tried again, and the log says why', async () => {
  const { now } = await told()
  const [mail] = await mailsLease(db, 'mail', 1, shop.time.now)
  const noMailServer = { get: async () => undefined, close() {} }
  const broken = () => {
    throw new Error('no words')
  }
  if (mail) await (await sendMail({ ...shop.runtime, letters: { ...letters, booking: broken } }, mail, noMailServer))()
  expect(await now()).toMatchObject({ status: 'waiting', attempts: 1 })
  expect(shop.logged.join('')).toContain('no words')
})
