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

test('booking again asks nobody who they are once more, and no link names them', async () => {
  const { booking } = await booked('svc_cat')
  const { body } = await owner.open(`/desk/bookings/${booking.id}`)
  const [, link = ''] = /href="(\/desk\/book\?[^"]*for=[^"]*)"/.exec(body) ?? []
  expect(link).not.toMatch(/Alice|example/)
  const form = (await owner.open(link.replaceAll('&amp;', '&'))).body
  for (const text of ['value="Alice"', 'value="Williams"', 'value="alice@example.com"']) expect(form).toContain(text)
  expect(body).toContain(`data-copy="${booking.booking_url}"`)
})
