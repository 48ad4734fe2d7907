import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sendDueMails } from '../../../src/core/mails/mail-worker.ts'
import { notificationRules } from '../../../src/domain/bookings/notification-rules.ts'
import { englishLocalizer, localizerFor } from '../../../src/infra/i18n/localizer.ts'
import { notificationName } from '../../../src/interfaces/desk/notification-names.ts'
import { roles } from '../../../src/protocol/caller-types.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')
const page = (id: string) => `/desk/bookings/${id}`

async function told() {
  const { booking } = await booked('svc_auto')
  await owner.send(page(booking.id), { do: 'cancel', word: 'Ill' })
  return booking.id as string
}
const sent = async () => {
  const id = await told()
  await sendDueMails(shop.runtime)
  const mail = /name="told" value="(mail_[^"]+)"/.exec((await owner.open(page(id))).body)?.[1] ?? ''
  return { id, mail }
}

test('the page of a booking says who was told what, and tells again', async () => {
  const { id, mail } = await sent()
  const { body } = await owner.open(page(id))
  expect(body).toMatch(/Canceled by Test Studio: Haircut.*Sent · .*alice@example\.com/s)
  expect(body).toMatch(/Canceled<br>.*Waiting · /s)
  expect(body).not.toContain('booking.canceled')
  expect((await owner.open(`${page(id)}?lang=de`)).body).toMatch(/Storniert<br>.*Wartet · /s)
  const { headers } = await owner.send(`${page(id)}/told`, { told: mail })
  expect(headers.location).toBe(page(id))
  expect((await owner.open(page(id))).body).not.toContain(`value="${mail}"`)
  const again = await owner.send(`${page(id)}/told`, { told: mail })
  expect([again.status, again.body.includes('role="alert"')]).toEqual([409, true])
  for (const none of ['mail_none', '']) expect((await owner.send(`${page(id)}/told`, { told: none })).status).toBe(404)
})

test.each(roles)('[role by role] a %s tells again only where they may', async (role) => {
  const one = await signedIn(role)
  const { id, mail } = await sent()
  const mayDo = role !== 'viewer'
  expect((await one.open(page(id))).body.includes(`value="${mail}"`)).toBe(mayDo)
  expect((await one.send(`${page(id)}/told`, { told: mail })).status).toBe(mayDo ? 303 : 403)
})

const { $defs } = JSON.parse(readFileSync('schemas/webhook_event.json', 'utf8'))
const events = Object.values<{ properties?: { event?: { enum?: string[] } } }>($defs).flatMap(
  ({ properties }) => properties?.event?.enum ?? [],
)

test.each([...new Set([...events, ...notificationRules.map(({ kind }) => kind)])])(
  '[no name of an event] is what %s is called at the desk',
  (what) => {
    for (const language of ['en', 'ar'])
      expect(notificationName(what, localizerFor(language) ?? englishLocalizer())).not.toContain(what)
  },
)
