import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { Session } from '../support/stripe.ts'
import { paidShop } from './shop.ts'

const { shop, desk, stripe, bookedAndPaid, aMinuteLater } = await paidShop({
  mails: { staff: ['desk@studio.example'] },
})
const { db } = shop.runtime

afterEach(() => {
  stripe.beforeAnswer = async () => {}
  stripe.refundsEnd = 'succeeded'
  stripe.mood = 'well'
})

const refundOf = ({ payment_intent }: Session) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'status', 'attempts', 'answer', 'leased_until'])
    .where('reference', '=', payment_intent)
    .executeTakeFirstOrThrow()

/** Stripe notifies that the refund of this session failed. */
async function notifyFailed({ payment_intent }: Session) {
  const given = stripe.refunds.find((one) => one.payment_intent === payment_intent)
  if (!given) throw new Error('Stripe has no refund of this session')
  return stripe.notify(shop, 'refund.failed', {
    ...given,
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  })
}

/** A paid booking that the buyer has canceled: its refund waits. */
async function owed() {
  const { session, ...booking } = await bookedAndPaid('svc_paid')
  await desk.cancel(booking.id)
  return { booking, session }
}

const ANSWER = 'the refund is failed: expired_or_canceled_card'

/** The refund stays refused, Stripe is never asked again, and the staff got one mail and one line in the log. */
async function expectLeftToStaff({ id }: { id: string }, session: Session) {
  const refund = await refundOf(session)
  expect(refund).toMatchObject({ status: 'refused', answer: expect.stringContaining('failed'), leased_until: null })
  const asked = stripe.asked.length
  shop.minutesLater(7 * 60)
  await aMinuteLater()
  expect(await refundOf(session)).toEqual(refund)
  expect(stripe.asked.slice(asked).filter(({ path }) => path.startsWith('/v1/refunds'))).toEqual([])
  const mails = await db
    .selectFrom('mails')
    .select(['recipient', 'subject'])
    .where('kind', '=', 'booking.refund_refused')
    .where('subject', '=', `booking ${id}`)
    .execute()
  expect(mails).toEqual([{ recipient: 'desk@studio.example', subject: `booking ${id}` }])
  expect(shop.logged.filter((line) => line.includes('return it by hand') && line.includes(id))).toHaveLength(1)
}

test('[a refund that did not arrive] and whose notice comes before the answer to our request is left to the staff', async () => {
  const { booking, session } = await owed()
  const notices: number[] = []
  stripe.beforeAnswer = async () => {
    stripe.beforeAnswer = async () => {}
    notices.push((await notifyFailed(session)).status)
  }
  await aMinuteLater()
  expect(notices).toEqual([200])
  expect(await refundOf(session)).toMatchObject({ status: 'refused', answer: ANSWER, attempts: 1 })
  // A repeated notice, and the success that Stripe sends late, change nothing.
  expect((await notifyFailed(session)).status).toBe(200)
  await stripe.notify(shop, 'refund.updated', stripe.refunds.at(-1) ?? {})
  await expectLeftToStaff(booking, session)
})

test('[a refund that did not arrive] is told to the staff once where notice and answer both say so', async () => {
  const { booking, session } = await owed()
  stripe.refundsEnd = 'failed'
  stripe.beforeAnswer = async () => {
    stripe.beforeAnswer = async () => {}
    await notifyFailed(session)
  }
  await aMinuteLater()
  await expectLeftToStaff(booking, session)
})

test('[a refund that did not arrive] is told to the staff once where notices arrive at the same time as the answer', async () => {
  for (let round = 0; round < 3; round++) {
    const { booking, session } = await owed()
    const notices: Promise<{ status: number }>[] = []
    stripe.beforeAnswer = async () => {
      stripe.beforeAnswer = async () => {}
      notices.push(notifyFailed(session), notifyFailed(session))
    }
    await aMinuteLater()
    expect((await Promise.all(notices)).map(({ status }) => status)).toEqual([200, 200])
    await expectLeftToStaff(booking, session)
  }
})

test('[a refund that did not arrive] is left to the staff though the answer to our request was lost', async () => {
  const { booking, session } = await owed()
  stripe.mood = 'deaf'
  await aMinuteLater()
  stripe.mood = 'well'
  expect(await refundOf(session)).toMatchObject({ status: 'waiting', attempts: 1 })
  expect((await notifyFailed(session)).status).toBe(200)
  await expectLeftToStaff(booking, session)
})

test('[a refund that did not arrive] is left to the staff though the database could not record that it was given', async () => {
  const { booking, session } = await owed()
  await sql`
    create function fail() returns trigger language plpgsql as 'begin raise exception ''the disk is full''; end';
    create trigger refunds_fail before update of status on refunds for each row execute function fail()`.execute(db)
  const mend = () => sql`drop function if exists fail cascade`.execute(db)
  onTestFinished(async () => void (await mend()))
  // The worker repeats the write of the outcome until it is accepted.
  const recorded = aMinuteLater()
  await expect
    .poll(() => stripe.refunds.some(({ payment_intent }) => payment_intent === session.payment_intent))
    .toBe(true)
  // Stripe repeats the notice until it is answered with 200.
  expect((await notifyFailed(session)).status).toBe(500)
  await mend()
  await recorded
  expect(await refundOf(session)).toMatchObject({ status: 'given', attempts: 1 })
  expect((await notifyFailed(session)).status).toBe(200)
  await expectLeftToStaff(booking, session)
})

test('[a refund that did not arrive] and that is asked for again after a crash is left to the staff by the answer', async () => {
  const { booking, session } = await owed()
  stripe.mood = 'deaf'
  await aMinuteLater()
  stripe.mood = 'well'
  const given = stripe.refunds.find(({ payment_intent }) => payment_intent === session.payment_intent)
  if (given) given.status = 'failed'
  shop.minutesLater(2)
  await aMinuteLater()
  expect(await refundOf(session)).toMatchObject({ status: 'refused', attempts: 2 })
  expect((await notifyFailed(session)).status).toBe(200)
  await expectLeftToStaff(booking, session)
})

test('[a refund that did not arrive] and that this server does not know changes nothing', async () => {
  const { session } = await owed()
  const failed = { id: 're_other', object: 'refund', status: 'failed', payment_intent: session.payment_intent }
  for (const metadata of [undefined, {}, { refund: 'rfd_other' }, { refund: session.id }])
    expect((await stripe.notify(shop, 'refund.failed', { ...failed, metadata })).status).toBe(200)
  expect(await refundOf(session)).toMatchObject({ status: 'waiting' })
  await aMinuteLater()
  expect(await refundOf(session)).toMatchObject({ status: 'given' })
})
