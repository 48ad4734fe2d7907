import { expect, test } from 'vitest'
import { messageOf } from '../../src/core/mails/build-email-message.ts'
import { mailHtml } from '../../src/core/mails/mail-html.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { onBothDesks } from '../support/desk.ts'
import { talkingShop } from './letters-shop.ts'

const words = '"><a href="https://evil.example" onclick=x>javascript:alert(1)</a>'
const hostile = {
  first_name: words,
  last_name: "' onfocus='x",
  email: 'sales?bcc=eve&body=x@example.com',
  phone_number: '+1 (212) 555-0123',
}
const hrefs = (markup: string) => [...markup.matchAll(/\bhref=(["'])(.*?)\1/g)].map(([, , href = '']) => href)

await onBothDesks(
  () => talkingShop(),
  (desk, shop) => {
    async function told() {
      const [slot] = await desk.slots('svc_spot')
      const { booking } = (await desk.book(slot, { buyer: hostile, notes: words })).data
      const letters = (await shop.lettersOf(booking)).filter(({ audience }) => audience === 'staff')
      return { booking, letter: letters[0]?.letter ?? { subject: '', heading: '', paragraphs: [] } }
    }

    test('[what the staff read] leads to the desk, to whoever booked and to the business itself, whatever was written', async () => {
      const { booking, letter } = await told()
      const { definition, runtime } = shop
      expect(hrefs(mailHtml(letter, definition, englishLocalizer()))).toEqual([
        `${runtime.config.baseUrl}/desk/bookings/${booking.id}`,
        ...['tel:+12125550123', 'mailto:sales%3Fbcc%3Deve%26body%3Dx@example.com'],
        ...['tel:+12125550143', 'mailto:hello@studio.example'],
      ])
    })

    test('[what the staff read] is answered to the business, and its headers name nobody else', async () => {
      const { letter } = await told()
      const envelope = { id: 'mail_1', from: 'book@studio.example', recipient: 'desk@studio.example' }
      const {
        text: _,
        html: __,
        subject: ___,
        ...rest
      } = messageOf(letter, shop.definition, {
        ...envelope,
        baseUrl: 'https://book.example',
        localizer: englishLocalizer(),
      })
      expect(rest).toMatchObject({ replyTo: { name: 'Test Studio', address: 'hello@studio.example' } })
      expect(JSON.stringify(rest)).not.toMatch(/sales|eve|evil/)
    })
  },
)
