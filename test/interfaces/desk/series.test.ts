import { expect, test } from 'vitest'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')
const bookings = () => shop.runtime.db.selectFrom('bookings').select(['id', 'status', 'series']).execute()

test('a booking is repeated on the dates that are ticked, and ended from one of them on', async () => {
  const { booking } = await booked('svc_cat')
  const page = `/desk/bookings/${booking.id}/series`
  const { body } = await owner.open(`${page}?weeks=2&times=3`)
  const starts = [...body.matchAll(/name="start" value="([^"]+)" checked/g)].map(([, start = '']) => start)
  expect(starts).toHaveLength(3)
  const before = await bookings()
  const sent = await owner.send(page, { start: starts[0] ?? '' })
  expect(sent.headers.location).toBe(`/desk/bookings/${booking.id}`)
  expect(await bookings()).toHaveLength(before.length + 1)
  const again = (await owner.open(`${page}?weeks=2&times=3`)).body
  expect(again).toMatch(new RegExp(`value="${starts[0]?.replace('+', '\\\\+')}" disabled`))
  const refused = await owner.send(page, { start: starts[0] ?? '' })
  expect([refused.status, refused.body.includes('role="alert"')]).toEqual([409, true])
  expect((await owner.send(page)).status).toBe(409)
  await owner.send(page, { do: 'cancel', word: 'Moves away' })
  expect((await bookings()).filter(({ series, status }) => series !== null && status !== 'canceled')).toEqual([])
  for (const query of ['weeks=0&times=-1', 'weeks=many', 'times=1000'])
    expect((await owner.open(`${page}?${query}`)).status).toBe(200)
  const viewer = await signedIn('viewer')
  expect((await viewer.open(`/desk/bookings/${booking.id}`)).body).not.toContain('/series"')
  expect([(await viewer.open(page)).status, (await viewer.send(page, { start: starts[1] ?? '' })).status]).toEqual([
    403, 403,
  ])
})

test('a booking is moved alone, or with those that follow in its series', async () => {
  const { booking } = await booked('svc_cat')
  const { body: alone } = await owner.open(`/desk/bookings/${booking.id}/move`)
  expect(alone).not.toContain('name="following"')
  const page = `/desk/bookings/${booking.id}`
  const { body } = await owner.open(`${page}/series?weeks=1&times=2`)
  for (const [, start = ''] of body.matchAll(/name="start" value="([^"]+)" checked/g))
    await owner.send(`${page}/series`, { start })
  const { body: form } = await owner.open(`${page}/move`)
  expect(form).toContain('name="following"')
  expect(form).not.toContain('name="following" checked')
  const refused = await owner.send(`${page}/move`, { start: 'soon', following: 'on' })
  expect([refused.status, refused.body.includes('name="following" checked')]).toEqual([409, true])
  const [, slot = ''] = [...form.matchAll(/name="slot" value="([^"]+)"/g)].at(-1) ?? []
  const times = () =>
    shop.runtime.db
      .selectFrom('bookings')
      .select(['starts_at'])
      .where('series', 'is not', null)
      .where('status', '!=', 'canceled')
      .orderBy('starts_at')
      .execute()
  const before = await times()
  expect(before).toHaveLength(3)
  const sent = await owner.send(`${page}/move`, { slot, following: 'on' })
  expect(sent.headers.location).toBe(page)
  const after = await times()
  const further = after.map(({ starts_at }, nth) => starts_at.getTime() - (before[nth]?.starts_at.getTime() ?? 0))
  expect(new Set(further).size).toBe(1)
  expect(further[0]).not.toBe(0)
  const viewer = await signedIn('viewer')
  expect((await viewer.send(`${page}/move`, { slot, following: 'on' })).status).toBe(403)
})

test('booking again asks nobody who they are once more, and no link names them', async () => {
  const { booking } = await booked('svc_cat')
  const { body } = await owner.open(`/desk/bookings/${booking.id}`)
  const [, link = ''] = /href="(\/desk\/book\?[^"]*for=[^"]*)"/.exec(body) ?? []
  expect(link).not.toMatch(/Alice|example/)
  const form = (await owner.open(link.replaceAll('&amp;', '&'))).body
  for (const text of ['value="Alice"', 'value="Williams"', 'value="alice@example.com"']) expect(form).toContain(text)
  expect(body).toContain(`data-copy="${booking.booking_url}"`)
})
