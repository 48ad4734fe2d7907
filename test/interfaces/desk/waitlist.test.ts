import { expect, test } from 'vitest'
import { businessWith, service } from '../../support/definitions.ts'
import { buyer } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const { payment_timing: _, ...policies } = service('svc_any').policies
const yoga = service('svc_yoga', {
  type: 'group',
  name: 'Yoga',
  pricing: { model: 'free', currency: 'USD' },
  capacity: { min: 1, max: 1, waitlist: true },
  policies: { ...policies, requires_payment: false },
  sessions: [{ days: ['tuesday', 'wednesday', 'thursday', 'friday'], starts: '16:00' }],
})
const { shop, signedIn, platform } = await deskSalon({}, businessWith([yoga]))
const [owner, viewer] = [await signedIn('owner'), await signedIn('viewer')]
const { db } = shop.runtime
const [full, open] = await platform.slots('svc_yoga')
await platform.book(full)
const join = async (first_name: string) =>
  (
    await platform.call('usp_waitlist_join', {
      service_id: 'svc_yoga',
      slot_id: full?.id,
      buyer: { ...buyer, first_name, email: `${first_name}@example.com` },
    })
  ).data.entry
const [ann, bob] = [await join('Ann'), await join('Bob')]
const names = async () => [...(await owner.open('/desk/waitlist')).body.matchAll(/<li>(\w+) /g)].map(([, name]) => name)
const statusOf = async (id: string) =>
  (await db.selectFrom('waitlist_entries').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

test('the line is put in another order', async () => {
  expect((await owner.open('/desk')).body).toContain('href="/desk/waitlist"')
  expect(await names()).toEqual(['Ann', 'Bob'])
  const { headers } = await owner.send('/desk/waitlist', { do: 'move', entry: bob.id, position: '1' })
  expect(headers.location).toBe('/desk/waitlist')
  expect(await names()).toEqual(['Bob', 'Ann'])
})

test('somebody is offered a place that is free, and it is said until when', async () => {
  const page = await owner.open(`/desk/waitlist/${ann.id}`)
  expect(page.body).toContain(`value="${open?.id}"`)
  await owner.send('/desk/waitlist', { do: 'offer', entry: ann.id, slot: String(open?.id) })
  expect(await statusOf(ann.id)).toBe('offered')
  expect((await owner.open('/desk/waitlist')).body).toMatch(/<strong>Offered .*, held until /)
  const again = await owner.send('/desk/waitlist', { do: 'offer', entry: bob.id, slot: String(open?.id) })
  expect([again.status, again.body.includes('role="alert"')]).toEqual([409, true])
})

test('somebody is taken off the list', async () => {
  await owner.send('/desk/waitlist', { do: 'remove', entry: bob.id })
  expect(await statusOf(bob.id)).toBe('removed')
  expect((await owner.open('/desk/waitlist/wle_none')).status).toBe(404)
})

test('a viewer sees the line and can press nothing', async () => {
  const [, main = ''] = (await viewer.open('/desk/waitlist')).body.split('<main')
  expect(main).toContain('Ann')
  expect(main).not.toContain('<button')
  expect((await viewer.open(`/desk/waitlist/${ann.id}`)).status).toBe(403)
  for (const what of ['move', 'offer', 'remove', 'constructor'])
    expect((await viewer.send('/desk/waitlist', { do: what, entry: ann.id, position: '1' })).status).toBe(403)
})
