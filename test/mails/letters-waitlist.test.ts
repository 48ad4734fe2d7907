import { expect, test } from 'vitest'
import { english } from '../../src/languages/speech.ts'
import { timeRange } from '../../src/languages/times.ts'
import { offerPending } from '../../src/waitlist/offer-freed.ts'
import { entryUrl } from '../../src/waitlist/page-links.ts'
import { onBothDesks } from '../support/desk.ts'
import { lineOf, person } from '../waitlist/queue.ts'
import { QUEUE, talking, talkingShop } from './letters-shop.ts'

const [FROM, TO] = [new Date('2026-11-24T15:00:00Z'), new Date('2026-11-24T16:00:00Z')]
const WHEN = timeRange(english(), FROM, TO, 'America/New_York')

const short = { ...talking, services: talking.services.filter(({ id }) => id === QUEUE) }

await onBothDesks(
  () => talkingShop(short),
  (desk, shop) => {
    const line = lineOf(desk)
    const { config, tag } = shop.runtime
    const kinds = async (entry: { id: string }) => (await shop.lettersOf(entry)).map(({ kind }) => kind)

    test('who waits is told the place in line, an offer with its end, and that it has ended', async () => {
      const [booking, ...others] = await line.fill()
      const [ann, ben] = [await line.wait('Ann'), await line.wait('Ben')]
      const [joined] = await shop.lettersOf(ben)
      expect(joined?.letter).toMatchObject({
        subject: 'On the waitlist: Service svc_class',
        heading: 'You are on the waitlist',
        rows: [['What', 'Service svc_class']],
        actions: [{ label: 'See or leave the waitlist', url: entryUrl(config.baseUrl, tag, ben.id) }],
      })
      expect(joined?.letter.paragraphs[0]).toBe('You are number 2 in line.')
      expect((await shop.lettersOf(ann))[0]?.letter.paragraphs[0]).toBe('You are next in line.')

      await desk.cancel(booking.id)
      const offered = (await shop.lettersOf(ann)).at(-1)
      expect(offered).toMatchObject({ kind: 'waitlist.offered', recipient: 'ann@example.com', audience: 'buyer' })
      expect(offered?.letter).toMatchObject({
        heading: 'A place came free for you',
        paragraphs: [
          'It is kept for you until Friday, November 20, 2026 at 7:30 AM EST. After that it is offered to the next in line.',
        ],
        rows: [
          ['What', 'Service svc_class'],
          ['When', WHEN],
        ],
        actions: [{ label: 'Accept or decline', url: entryUrl(config.baseUrl, tag, ann.id) }],
      })

      shop.minutesLater(30)
      await offerPending(shop.runtime)
      expect(await kinds(ann)).toEqual(['waitlist.joined', 'waitlist.offered', 'waitlist.lapsed'])
      const lapsed = (await shop.lettersOf(ann)).at(-1)
      expect(lapsed?.letter.paragraphs[0]).toContain(
        'You did not accept it by Friday, November 20, 2026 at 7:30 AM EST',
      )
      expect(lapsed?.letter.rows).toContainEqual(['When', WHEN])
      expect(await kinds(ben)).toEqual(['waitlist.joined', 'waitlist.offered'])

      const { data } = await line.accept(ben.id)
      expect((await shop.lettersOf(data.booking)).map(({ kind, audience }) => [audience, kind])).toEqual([
        ['buyer', 'booking.confirmed'],
        ['staff', 'booking.confirmed'],
      ])
      expect(await kinds(ben)).toHaveLength(2)
      expect(others.length).toBeGreaterThan(0)
    })

    test('nobody is written to under an address that leads nowhere', async () => {
      const nowhere = await line.wait('Eve', { buyer: { ...person('Eve'), email: 'eve@nobody.invalid' } })
      expect(nowhere.status).toBe('waiting')
      expect(await kinds(nowhere)).toEqual([])
    })
  },
)
