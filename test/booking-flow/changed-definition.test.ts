import { beforeEach, describe, expect, test } from 'vitest'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { daily } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'
import { ROSA, visitor } from './visitor.ts'

const { policies } = service('any')
const deposit = { type: 'percentage', value: 25, refundable: true } as const
const paint: ServiceDefinition = service('svc_paint', {
  name: 'Portrait',
  pricing: { model: 'fixed', amount: 16_000, currency: 'USD', deposit },
  policies: { ...policies, payment_timing: 'deposit_required' },
})
const yoga = service('svc_yoga', {
  name: 'Yoga',
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: ['thursday'], starts: '10:00' }],
})
const hours = daily('09:00', '18:00')
const base: BusinessDefinition = businessWith([paint, yoga], { hours })
const shop = await testShop(base)
const [someone, desk] = [visitor(shop), restDesk(shop)]

/** In force at once, not only within a second. */
async function apply(definition: BusinessDefinition) {
  await shop.apply(definition)
  await shop.runtime.business.seenBy(shop.runtime.db)
}
beforeEach(() => apply(base))

const painted = (more: Partial<ServiceDefinition>, business: Partial<BusinessDefinition> = {}): BusinessDefinition => ({
  ...base,
  ...business,
  services: [{ ...paint, ...more }, yoga],
})
const priced = (amount: number, of: { value?: number } = {}) =>
  painted({ pricing: { ...paint.pricing, amount, deposit: { ...deposit, ...of } } })

/** What a page of details says of money. */
interface Money {
  price: string
  due: string
}
interface Change {
  what: string
  to: BusinessDefinition
  /** The price in the list of services; undefined if the service is not in the list. */
  listed: string | undefined
  /** What the details page shows of a time that was held before the change, and of one that is pressed on an older page. */
  held: Money | 'gone'
  pressed: Money | 'gone' | 'taken'
  /** The buyer has to agree to the new terms first. */
  again?: true
}

const before = { price: '$160.00', due: '$40.00' }
const same = { listed: 'from $160.00', held: before, pressed: before }
const gone = { listed: undefined, held: 'gone', pressed: 'gone' } as const
const atVisit = painted({ pricing: { ...paint.pricing }, policies: { ...policies, payment_timing: 'at_service' } })

const changes: Change[] = [
  { ...same, what: 'nothing', to: base, listed: '$160.00' },
  {
    what: 'a higher price',
    to: priced(20_000),
    listed: '$200.00',
    held: before,
    pressed: { price: '$200.00', due: '$50.00' },
  },
  {
    what: 'a lower price',
    to: priced(12_000),
    listed: '$120.00',
    held: { price: '$120.00', due: '$30.00' },
    pressed: { price: '$120.00', due: '$30.00' },
  },
  {
    what: 'a higher deposit',
    to: priced(16_000, { value: 50 }),
    listed: '$160.00',
    held: before,
    pressed: { price: '$160.00', due: '$80.00' },
  },
  {
    what: 'a lower deposit',
    to: priced(16_000, { value: 10 }),
    listed: '$160.00',
    held: { price: '$160.00', due: '$16.00' },
    pressed: { price: '$160.00', due: '$16.00' },
  },
  {
    what: 'a tax',
    to: painted({}, { payments: { tax: { percent: 10, included: false } } }),
    listed: '$160.00 plus tax',
    held: before,
    pressed: { price: '$176.00 (includes $16.00 tax)', due: '$40.00' },
  },
  {
    what: 'another currency',
    to: painted({ pricing: { ...paint.pricing, amount: 9_000, currency: 'EUR' } }),
    listed: '€90.00',
    held: before,
    pressed: { price: '€90.00', due: '€22.50' },
  },
  {
    what: 'payment at the visit',
    to: atVisit,
    listed: '$160.00',
    again: true,
    held: before,
    pressed: { price: '$160.00', due: '' },
  },
  { ...same, what: 'another name', to: painted({ name: 'Likeness' }), listed: '$160.00' },
  {
    ...same,
    what: 'another length',
    to: painted({ duration: { fixed: 'PT90M' } }),
    listed: '$160.00',
    held: 'gone',
    pressed: 'taken',
  },
  {
    ...same,
    what: 'a day off',
    listed: '$160.00',
    held: 'gone',
    pressed: 'taken',
    to: { ...base, closures: [{ from: '2026-11-24', to: '2027-01-30' }] },
  },
  { ...gone, what: 'off the pages', to: { ...base, website: { services: ['svc_yoga'] } } },
  { ...gone, what: 'no longer on offer', to: painted({ status: 'archived' }) },
  { ...gone, what: 'removed', to: { ...base, services: [yoga] } },
  { ...gone, what: 'no pages at all', to: { ...base, website: { enabled: false } } },
]

const factOf = (body: string, name: string) => new RegExp(`<dt>${name}</dt><dd>([^<]*)<`).exec(body)?.[1] ?? ''
const moneyOn = ({ body }: Answer): Money => ({
  price: factOf(body, 'Price'),
  due: factOf(body, 'Deposit, due now') || factOf(body, 'Due now'),
})

let days = 0
const timesPage = () => {
  const day = new Date(Date.UTC(2026, 10, 24 + days++)).toISOString().slice(0, 10)
  return someone.open(`/book/svc_paint?day=${day}`)
}
const press = (page: Answer) => someone.press(page, someone.times(page)[0]?.time ?? '')

/** Sends the details, and expects that the booking costs what the details page shows. */
async function expectBookedAs(address: string, shown: Money, again = false) {
  const send = (page: Answer) => {
    const { token, terms } = someone.formOf(page)
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
    return someone.send(address, { ...ROSA, form: token, terms })
  }
  const page = await someone.open(address)
  expect(moneyOn(page)).toEqual(shown)
  const refused = again ? await send(page) : undefined
  const done = await send(refused ?? page)
  const id = /^\/booking\/([\w-]+)\//.exec(done.headers.location ?? '')?.[1] ?? ''
  const { booking } = (await desk.call('usp_business_bookings_get', { booking_id: id }, { as: shop.staff })).data
  const { amount, tax_amount: tax = 0, amount_due, currency } = booking.payment
  const money = (minor: number) => new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minor / 100)
  expect(shown.price.split(' ')[0]).toBe(money(amount + tax))
  expect(shown.due).toBe(amount_due === 0 ? '' : money(amount_due))
}

describe.each(changes)('[a page after a change of the definition] $what', ({ to, listed, held, pressed, again }) => {
  test('the list of services and the page of times show it', async () => {
    await apply(to)
    const { body } = await someone.open('/book')
    expect(/href="\/book\/svc_paint">.*?<span class="price">([^<]*)</s.exec(String(body))?.[1]).toBe(listed)
    const times = await someone.open('/book/svc_paint')
    expect(times.status).toBe(listed === undefined ? 404 : 200)
    if (listed !== undefined) expect(times.body).toContain(listed)
  })

  test('the holder of a time pays no more, and the booking costs what its details page shows', async () => {
    const { headers } = await press(await timesPage())
    const address = headers.location ?? ''
    const form = await someone.open(address)
    expect(moneyOn(form)).toEqual(before)
    await apply(to)
    if (held === 'gone') {
      const { token, terms } = someone.formOf(form)
      shop.time.now = new Date(shop.time.now.getTime() + 5_000)
      const sent = await someone.send(address, { ...ROSA, form: token, terms })
      expect([(await someone.open(address)).status, sent.status]).toEqual([404, 404])
      return
    }
    if (again) {
      const { token, terms } = someone.formOf(form)
      shop.time.now = new Date(shop.time.now.getTime() + 5_000)
      const refused = await someone.send(address, { ...ROSA, form: token, terms })
      expect([refused.status, moneyOn(refused)]).toEqual([422, held])
    }
    await expectBookedAs(address, held)
  })

  test('a time that is pressed on an older page has the new price', async () => {
    const page = await timesPage()
    await apply(to)
    const answer = await press(page)
    if (pressed === 'gone') return expect(answer.status).toBe(404)
    if (pressed === 'taken') return expect(answer.status).toBe(409)
    await expectBookedAs(answer.headers.location ?? '', pressed)
  })
})

describe('[a page after a change of the definition] the waitlist', async () => {
  const [slot] = await desk.slots('svc_yoga')
  await desk.book(slot)
  const full = await someone.open(`/book/svc_yoga?day=${slot.start.slice(0, 10)}`)
  const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(full.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const entries = async () => (await shop.runtime.db.selectFrom('waitlist_entries').select('id').execute()).length
  const joined = async (page: Answer) => {
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
    return someone.send(queue, { ...ROSA, form: someone.formOf(page).token })
  }

  test.each<[string, ServiceDefinition[], number, number]>([
    ['nothing', [paint, yoga], 200, 1],
    ['another name', [paint, { ...yoga, name: 'Stretching' }], 200, 1],
    ['no waitlist any more', [paint, { ...yoga, capacity: { max: 1 } }], 303, 0],
    ['removed', [paint], 404, 0],
  ])('%s', async (_, services, status, more) => {
    const page = await someone.open(queue)
    expect(page.status).toBe(200)
    const count = await entries()
    await apply({ ...base, services })
    const shown = await someone.open(queue)
    expect(shown.status).toBe(status)
    if (status === 200) expect(factOf(shown.body, 'What')).toBe(services[1]?.name)
    await joined(page)
    expect(await entries()).toBe(count + more)
  })
})
