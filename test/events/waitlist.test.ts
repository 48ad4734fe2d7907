import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { visitor } from '../booking-flow/visitor.ts'
import { onBothDesks } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { business, lineOf } from '../waitlist/queue.ts'
import { expectValidEvent, toldShop } from './told-shop.ts'

await onBothDesks(
  () => toldShop(business),
  (desk, shop) => {
    const { wait, fill, entry, leave, accept, list } = lineOf(desk)
    /** What is told of waitlist entries, each as its platform could have read it then. */
    const told = async () => {
      const bodies = (await shop.told()).filter((body) => body.event.startsWith('waitlist.'))
      for (const body of bodies) {
        expectValidEvent(body)
        expect(body).toMatchObject({ service_id: 'svc_class', data: { id: body.entry_id } })
        expect(JSON.stringify(body)).not.toMatch(/bsc_|credential/)
      }
      return bodies
    }
    /** Entries have lines of their own: which comes first is chance. */
    const brief = async () =>
      (await told())
        .map(({ event, entry_id, data }) => [event, entry_id, data.position])
        .sort((one, other) => one[2] - other[2])
    async function clear(bookings: { id: string }[]) {
      for (const { id, status } of (await list()).data.entries)
        if (['waiting', 'offered'].includes(status)) await leave(id)
      for (const { id } of bookings) await desk.cancel(id)
      await told()
    }

    test('[EVT-028] [EVT-029] [EVT-030] [EVT-032] [REV-003] an offer and its acceptance are told with the entry as it then was, and whoever moves up learns so', async () => {
      const bookings = await fill()
      const [ann, bob] = [await wait('Ann'), await wait('Bob')]
      expect(await told()).toEqual([])
      await desk.cancel(bookings[0].id)
      const offered = await entry(ann.id)
      const [offer, ...more] = await told()
      expect(offer).toMatchObject({ event: 'waitlist.spot_offered', entry_id: ann.id })
      expect(offer.data).toMatchObject({ status: 'offered', revision: offered.revision })
      expect(offer.data.offered_slot.slot_id).toBe(bookings[0].slot.id)
      expect(Date.parse(offer.data.offer_expires_at)).toBe(Date.parse(offered.offer_expires_at))
      const accepted = (await accept(ann.id)).data.booking
      const next = [...more, ...(await told())]
      expect(next.filter(({ event }) => event === 'waitlist.converted')).toMatchObject([{ entry_id: ann.id }])
      expect(next.filter(({ event }) => event === 'waitlist.position_changed')).toMatchObject([
        { entry_id: bob.id, data: { position: (await entry(bob.id)).position, revision: expect.any(String) } },
      ])
      await clear([...bookings, accepted])
    })

    test('[a page is one more buyer] a platform is told of the place that somebody gives back on a page, and of nothing that they book', async () => {
      const page = visitor(shop)
      const booked = await page.book('/book/svc_class')
      const others = (await fill()).filter((booking) => booking !== undefined)
      const ann = await wait('Ann')
      expect(await shop.told()).toEqual([])
      const manage = (await page.open(booked.done.headers.location ?? '')).body
      const [, cancel = ''] = /href="(\/booking\/[^"]*\/cancel\/[^"]*)"/.exec(manage) ?? []
      const [, terms = ''] = /name="terms" value="([^"]*)"/.exec((await page.open(cancel)).body) ?? []
      expect((await page.send(cancel, { terms })).status).toBe(303)
      expect((await told()).map(({ event, entry_id }) => [event, entry_id])).toEqual([
        ['waitlist.spot_offered', ann.id],
      ])
      await clear(others)
    })

    test('[EVT-031] an offer that lapses is told as expired, to the one whose it was', async () => {
      const bookings = await fill()
      const ann = await wait('Ann')
      await desk.cancel(bookings[0].id)
      await told()
      const began = shop.time.now
      shop.minutesLater(31)
      await runWaitlist(shop.runtime)
      expect((await told()).map(({ event, entry_id, data }) => [event, entry_id, data.status])).toContainEqual([
        'waitlist.expired',
        ann.id,
        'expired',
      ])
      await clear(bookings)
      shop.time.now = began
    })

    test('[EVT-032] each whose position changes is told its new one, the others nothing', async () => {
      const bookings = await fill()
      const [ann, bob, cid, dan] = [await wait('Ann'), await wait('Bob'), await wait('Cid'), await wait('Dan')]
      expect(await told()).toEqual([])
      await leave(bob.id)
      expect(await brief()).toEqual([
        ['waitlist.position_changed', cid.id, 2],
        ['waitlist.position_changed', dan.id, 3],
      ])
      await leave(dan.id)
      expect(await told()).toEqual([])
      expect((await entry(ann.id)).position).toBe(1)
      await clear(bookings)
    })

    test('[EVT-028] an entry is told of to the platform that joined, and to no other', async () => {
      const theirs = await testReceiver()
      const as = await shop.newPlatform((await testPlatform({ webhook_url: theirs.url })).url)
      const bookings = await fill()
      const { data } = await lineOf(desk).join('Eve', {}, { as })
      await desk.cancel(bookings[0].id)
      expect(await told()).toEqual([])
      expect(theirs.received.map(({ body }) => [body.event, body.entry_id])).toEqual([
        ['waitlist.spot_offered', data.entry.id],
      ])
      await clear(bookings)
    })
  },
)
