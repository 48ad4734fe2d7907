import { expect, test } from 'vitest'
import { browser, continueUrl } from '../../pages/shop.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { mcpDesk, restDesk } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const intake = [
  { id: 'allergies', question: 'Are you allergic to anything?', required: true },
  { id: 'wish', question: 'Anything else?' },
]
const { shop, signedIn, booked } = await deskSalon(
  { BASE_URL: 'https://book.example' },
  businessWith([service('svc_asking', { intake })]),
)

test('[what a buyer answered] is read at the desk beside the question, and what was left out is not', async () => {
  const { booking } = await booked('svc_asking')
  const owner = await signedIn('owner')
  const page = async () => (await owner.open(`/desk/bookings/${booking.id}`)).body
  expect(await page()).not.toContain('Are you allergic')
  await browser(shop).send(continueUrl(booking, 'intake'), { allergies: '<b>Nuts</b>', wish: '' })
  expect(await page()).toMatch(/Are you allergic to anything\?[\s\S]{0,40}&lt;b&gt;Nuts/)
  expect(await page()).not.toContain('Anything else?')
})

test.each([
  ['REST', restDesk(shop)],
  ['MCP', mcpDesk(shop)],
] as const)(
  '[what a buyer answered] is told to the staff with its questions, and to no platform, over %s',
  async (_, desk) => {
    const { booking } = await booked('svc_asking')
    await browser(shop).send(continueUrl(booking, 'intake'), { allergies: 'Nuts' })
    const { data } = await desk.call('usp_business_bookings_get', { booking_id: booking.id }, { as: shop.staff })
    expect(data.details).toMatchObject({
      answers: { allergies: 'Nuts' },
      questions: { allergies: 'Are you allergic to anything?' },
    })
    expect(JSON.stringify((await desk.get(booking.id)).data)).not.toContain('Nuts')
  },
)
