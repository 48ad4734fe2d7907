import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDueMails } from '../../../src/core/mails/mail-worker.ts'
import { roles } from '../../../src/protocol/caller-types.ts'
import { unreturnedCharge } from '../../support/unreturned-charge.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const { db } = shop.runtime
const owner = await signedIn('owner')
const titleOf = (body: string) => /<title>(.*?)<\/title>/.exec(body)?.[1]
const countIn = (body: string) => /data-inbox="(\d+)"/.exec(body)?.[1]

/** Somebody is told that their booking is canceled, and it does not arrive. */
async function notArrived(): Promise<{ page: string; mail: string }> {
  const { booking } = await booked('svc_auto')
  const page = `/desk/bookings/${booking.id}`
  await owner.send(page, { do: 'cancel', word: 'Ill' })
  await sendDueMails(shop.runtime)
  const { rows } = await sql<{ id: string }>`
    update mails set status = 'given_up', problem = '550 No such user' where subject = ${`booking ${booking.id}`}
    returning id`.execute(db)
  return { page, mail: rows[0]?.id ?? '' }
}

test('every page says in its title and in the menu how much waits, and nothing where nothing does', async () => {
  const pages = ['/desk', '/desk/bookings', '/desk/customers', '/desk/inbox']
  for (const one of pages) expect(titleOf((await owner.open(one)).body)).not.toMatch(/^\(/)
  expect((await owner.open('/desk/inbox')).body).toContain('All done.')
  await booked('svc_asked')
  for (const one of pages) {
    const { body } = await owner.open(one)
    expect([titleOf(body), countIn(body)]).toEqual([expect.stringMatching(/^\(1\) /), '1'])
  }
  expect(countIn((await owner.open('/desk/nowhere')).body)).toBeUndefined()
})

test('what did not arrive is in the inbox with why, is sent again or set aside', async () => {
  const [first, second] = [await notArrived(), await notArrived()]
  const { body } = await owner.open('/desk/inbox')
  expect(body).toMatch(new RegExp(`Not delivered.*href="${first.page}">Canceled by .*550 No such user`, 's'))
  expect((await owner.send('/desk/inbox', { again: first.mail })).headers.location).toBe('/desk/inbox')
  expect((await owner.send('/desk/inbox', { dismiss: second.mail })).headers.location).toBe('/desk/inbox')
  expect((await owner.open('/desk/inbox')).body).not.toContain('Not delivered')
  expect((await owner.open(first.page)).body).toMatch(/Canceled by .*Waiting · /s)
  // Somebody else was faster, or there is no such message.
  for (const again of [first.mail, 'mail_none', ''])
    expect((await owner.send('/desk/inbox', { again })).headers.location).toBe('/desk/inbox')
  expect((await owner.send('/desk/inbox', { nothing: '1' })).status).toBe(403)
})

test('[LIV-117] a charge that Stripe refuses to return is in the inbox until a manager marks it as returned', async () => {
  const { charge } = await unreturnedCharge(db, shop.time.now)
  const row = db.selectFrom('ucp_charges').select(['order_id', 'reference', 'status']).where('id', '=', charge)
  const { order_id, reference } = await row.executeTakeFirstOrThrow()
  const { body } = await owner.open('/desk/inbox')
  for (const shown of ['To return by hand', '$120.00', order_id, reference, 'then mark it here', '2026'])
    expect(body).toContain(shown)
  expect(body).toContain(`name="returned" value="${charge}"`)
  const staff = await signedIn('staff')
  expect((await staff.open('/desk/inbox')).body).toMatch(/To return by hand/)
  expect((await staff.open('/desk/inbox')).body).not.toContain(`value="${charge}"`)
  expect((await staff.send('/desk/inbox', { returned: charge })).status).toBe(403)
  for (const _ of ['first', 'again'])
    expect((await owner.send('/desk/inbox', { returned: charge })).headers.location).toBe('/desk/inbox')
  expect((await owner.open('/desk/inbox')).body).not.toContain('To return by hand')
  expect((await row.executeTakeFirstOrThrow()).status).toBe('reversed')
})

test.each(roles)('[role by role] a %s does what they may about it', async (role) => {
  const one = await signedIn(role)
  const { mail } = await notArrived()
  const mayDo = role !== 'viewer'
  expect((await one.open('/desk/inbox')).body.includes(`value="${mail}"`)).toBe(mayDo)
  expect((await one.send('/desk/inbox', { dismiss: mail })).status).toBe(mayDo ? 303 : 403)
})

test('whose role does not allow something is told which does, who gives it, and the way back', async () => {
  const viewer = await signedIn('viewer')
  const { status, body } = await viewer.open('/desk/book')
  expect(status).toBe(403)
  expect(body).toContain('<h1>You do not have permission</h1>')
  expect(body).toContain('This needs the role Staff.')
  expect(body).toContain('An owner or a manager can change that under Team.')
  expect(body).toContain('<a class="button" href="/desk">Today</a>')
  expect(body).toContain('Sign out')
  expect((await viewer.open('/desk/setup')).body).toContain('An owner can change that under Team.')
  expect((await viewer.open('/desk/money.csv')).body).toContain('This needs the role Manager.')
  // A manager makes no other manager.
  const [manager, other] = [await signedIn('manager'), await signedIn('manager')]
  const change = { do: 'change', staff: other.who.id, name: other.who.name, role: 'viewer' }
  expect((await manager.send('/desk/people', change)).body).toContain('This needs the role Owner.')
  // What nothing of ours sends is another matter.
  expect((await owner.send('/desk/waitlist', { do: 'nothing' })).body).toContain('This form was not sent from our page')
})
