import { describe, expect, test } from 'vitest'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { browser, linkIn, pathOf, studio } from './shop.ts'

const RETURN = { url: 'https://platform.example/back', params: { session_id: 'sess_swordfish' } }

await onBothDesks(
  () => testShop(studio(), { env: { BASE_URL: 'https://book.example' } }),
  (desk, shop) => {
    const page = browser(shop)

    describe('the addresses of what a booking asks for', async () => {
      const [slot, , another] = await desk.slots('svc_all')
      const { data } = await desk.book(slot, { post_payment_return_request: RETURN, notes: 'Swordfish' })
      const { booking } = data
      const links: string[] = booking.actions.map((action: { continue_url: string }) => action.continue_url)

      test('[PAY-029] are https, one for each action', () => {
        expect(links).toHaveLength(3)
        for (const link of links) expect(link).toMatch(/^https:\/\/book\.example\/booking\//)
        expect(new Set(links).size).toBe(3)
      })

      test('[PAY-030] tell nothing of who pays what', () => {
        const people = [buyer.email, buyer.last_name, 'swordfish', shop.platform.bearer ?? '']
        const money = ['7500', 'usd', '75.00']
        for (const link of [...links, booking.booking_url]) {
          expect(new URL(link).search).toBe('')
          const address = decodeURIComponent(link).toLowerCase()
          for (const text of people) expect(address).not.toContain(text.toLowerCase())
          // In an id or a secret three letters may well stand side by side by chance.
          const plain = address.replace(booking.id.toLowerCase(), '').split('/').slice(0, -1).join('/')
          for (const text of money) expect(plain).not.toContain(text)
        }
      })

      test('[PAY-031] have a secret of their own that another booking has not', async () => {
        const other = (await desk.book(another)).data.booking
        const secrets = [...links, ...other.actions.map((action: { continue_url: string }) => action.continue_url)].map(
          (link) => pathOf(link).split('/').at(-1) ?? '',
        )
        expect(new Set(secrets).size).toBe(6)
        for (const secret of secrets) expect(Buffer.from(secret, 'base64url').length).toBeGreaterThanOrEqual(16)
        // The secret of one is good for nothing else.
        const [of = ''] = secrets
        expect((await page.open(`https://book.example/booking/${other.id}/waiver/${of}`)).status).toBe(404)
        expect((await page.open(`https://book.example/booking/${booking.id}/payment/${of}`)).status).toBe(404)
      })
    })

    test('[BKG-039] the booking has an address that stays, where the buyer sees it and can cancel it', async () => {
      const [slot, , later] = await desk.slots('svc_free')
      const { booking } = (await desk.book(slot)).data
      const { status, body } = await page.open(booking.booking_url)
      expect(status).toBe(200)
      expect(body).toContain('Service svc_free')
      expect((await page.open(linkIn(body, 'cancel') ?? '')).body).toContain('<form method="post">')
      const moved = (await desk.reschedule(booking.id, later)).data.booking
      expect(moved.booking_url).toBe(booking.booking_url)
      const canceled = (await desk.cancel(booking.id)).data.booking
      expect(canceled.booking_url).toBe(booking.booking_url)
      expect((await page.open(canceled.booking_url)).body).toContain('Canceled')
    })
  },
)
