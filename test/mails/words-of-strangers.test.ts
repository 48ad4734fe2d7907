import { expect, test } from 'vitest'
import { notificationAsText } from '../../src/core/mails/mail-text.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { address, shopDefinition } from '../bookings/shop.ts'
import { onBothDesks } from '../support/desk.ts'
import { QUEUE, talking, talkingShop } from './letters-shop.ts'

const EVIL = 'https://evil.example/pay'
/** Somebody else's address, and words that lead elsewhere wherever there is room for words. */
const victim = { first_name: `Pay at ${EVIL}`, last_name: EVIL, email: 'victim@example.com' }
const words = { buyer: victim, recipient: victim, notes: `Your account is blocked. Unlock it:\n${EVIL}` }
const elsewhere = { ...address, line1: EVIL, line2: EVIL, city: EVIL, region: EVIL, postal_code: EVIL }

const visit = shopDefinition.services.filter(({ id }) => id === 'svc_visit')

await onBothDesks(
  () => talkingShop({ services: [...talking.services, ...visit] }),
  (desk, shop) => {
    /** What goes to the address, whole; and what goes to the staff. */
    async function told(subject: { id: string }) {
      const letters = await shop.lettersOf(subject)
      const to = (whom: string) =>
        letters
          .filter(({ audience }) => audience === whom)
          .map(
            ({ letter }) =>
              `${letter.subject}\n${notificationAsText(letter, englishLocalizer())}\n${letter.calendar?.text.replace(/\r\n /g, '')}`,
          )
      return { buyer: to('buyer'), staff: to('staff') }
    }

    test.each([
      ['svc_spot', {}],
      ['svc_visit', { delivery_address: elsewhere }],
    ])(
      '[a mail holds no word of a stranger] none of what is written on booking %s reaches the address that is named',
      async (service, more) => {
        const [first, second] = await desk.slots(service)
        const { booking } = (await desk.book(first, { ...words, ...more })).data
        await desk.update(booking.id, { ...words, notes: `Once more: ${EVIL}` })
        await desk.reschedule(booking.id, second)
        await desk.cancel(booking.id, { reason: `See ${EVIL}` })
        const { buyer, staff } = await told(booking)
        expect(buyer).toHaveLength(4)
        for (const text of buyer) expect(text).not.toContain('evil')
        expect(buyer[0]).toContain('METHOD:REQUEST')
        expect(staff[0]).toContain(words.notes.replace('\n', '\n  '))
        expect(staff.at(-1)).toContain(`See ${EVIL}`)
      },
    )

    test('[a mail holds no word of a stranger] a visit is said to be at their place', async () => {
      const [slot] = await desk.slots('svc_visit')
      const { booking } = (await desk.book(slot, { delivery_address: address })).data
      const { buyer, staff } = await told(booking)
      expect(buyer[0]).toContain('Where: At your address')
      expect(staff[0]).toContain('Where: 5 Elm Street, New York, 10001, US')
    })

    test('[a mail holds no word of a stranger] nor does one to who waits', async () => {
      for (const slot of await desk.slots(QUEUE)) await desk.book(slot)
      const { entry } = (await desk.call('usp_waitlist_join', { service_id: QUEUE, buyer: victim })).data
      const { buyer } = await told(entry)
      expect(buyer).toHaveLength(1)
      expect(buyer[0]).not.toContain('evil')
    })

    test('[what the staff read] no row of a mail can be made up by who fills in another', async () => {
      const [slot] = await desk.slots('svc_spot')
      const notes = 'ok\nName: Real\u2028Phone: +12125550100\r\n\r\nPay here:\nhttps://evil.example'
      const name = { first_name: 'Rosa\u202egnp.exe', last_name: 'X\n\nEmail: other@example.com' }
      const { booking } = (await desk.book(slot, { buyer: { ...victim, ...name }, notes })).data
      await desk.cancel(booking.id, { reason: 'Ill\n\nName: Other' })
      const { staff } = await told(booking)
      const rows = staff.flatMap((text) => text.split('\n').filter((line) => /^(Name|Phone|Email|Pay here)/.test(line)))
      expect([...new Set(rows)]).toEqual(['Name: Rosagnp.exe X Email: other@example.com', 'Email: victim@example.com'])
    })
  },
)
