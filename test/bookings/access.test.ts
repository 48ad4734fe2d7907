import { expect, test } from 'vitest'
import { type Ask, expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const { db } = shop.runtime
    const outcome = ({ rpc, status, code }: Said) => [rpc ?? status, code]
    const unauthenticated = [desk.binding === 'REST' ? 401 : -32006, 'authentication_required']
    const first = async (serviceId: string) => (await desk.slots(serviceId))[0]
    const booked = async (serviceId: string) => (await desk.book(await first(serviceId))).data.booking
    const payment = { payment: { timing: 'at_booking', amount_due: 7500, currency: 'USD' } }

    /** What a platform can ask of one booking. */
    const scoped: [what: string, call: (id: string, ask: Ask) => Promise<Said>][] = [
      ['get', (id, ask) => desk.get(id, ask)],
      ['update', (id, ask) => desk.update(id, { notes: 'Mine now' }, ask)],
      ['cancel', (id, ask) => desk.cancel(id, {}, ask)],
      ['reschedule', async (id, ask) => desk.reschedule(id, await first('svc_paid'), {}, ask)],
      ['confirm-payment', (id, ask) => desk.pay({ id, ...payment }, {}, ask)],
    ]
    const create = async (ask: Ask) => desk.book(await first('svc_free'), {}, ask)

    test.each<[string, (id: string, ask: Ask) => Promise<Said>]>([['create', (_, ask) => create(ask)], ...scoped])(
      '[BKG-059] [BKG-065] %s needs authentication, whether or not the booking exists, and changes nothing without',
      async (_, call) => {
        const { id } = await booked('svc_paid')
        const before = await tableContents(db)
        const { profile = '' } = shop.platform
        const strangers = [
          {},
          { profile },
          { profile, bearer: `usk_${'x'.repeat(43)}` },
          { profile, bearer: 'nonsense' },
        ]
        for (const as of strangers) {
          const [known, unknown] = [await call(id, { as }), await call('bkg_none', { as })]
          for (const said of [known, unknown]) expect(outcome(said)).toEqual(unauthenticated)
          const { instance: __, ...told } = known.data
          expect(unknown.data).toMatchObject(told)
        }
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[BKG-060] a create that does not say which platform calls is refused, and creates nothing', async () => {
      const { bearer = '' } = shop.platform
      const before = await tableContents(db)
      const said = await create({ as: { bearer } })
      expect(outcome(said)).toEqual([desk.binding === 'REST' ? 400 : -32600, 'invalid_request'])
      expect(await tableContents(db)).toEqual(before)
    })

    test('[BKG-062] its owner reads a booking as create has told it', async () => {
      for (const id of ['svc_free', 'svc_paid', 'svc_asked', 'svc_table']) {
        const booking = await booked(id)
        const { status, data } = await desk.get(booking.id)
        expect([status, data.booking]).toEqual([200, booking])
        expect(Object.keys(data).sort()).toEqual(['booking', 'usp'])
      }
    })

    test.each(scoped)(
      '[LIV-002] [LIV-003] [LIV-004] %s of a booking that does not exist finds none',
      async (_, call) => {
        expectProblem(await call('bkg_none', {}), 'booking_not_found')
      },
    )

    test.each(scoped)(
      '[BKG-064] [LIV-003] [LIV-004] nor does %s of somebody else’s, and it changes nothing',
      async (_, call) => {
        const { id } = await booked('svc_paid')
        // Of another profile, and of this very profile.
        const others = [shop.other, await shop.newPlatform()]
        const before = await tableContents(db)
        for (const as of others) {
          const [known, unknown] = [await call(id, { as }), await call('bkg_none', { as })]
          expectProblem(known, 'booking_not_found')
          const { instance: _, ...told } = known.data
          expect(unknown).toMatchObject({ status: known.status, data: told })
          expect(Object.keys(known.data)).toEqual(Object.keys(unknown.data))
        }
        expect(await tableContents(db)).toEqual(before)
      },
    )
  },
)
