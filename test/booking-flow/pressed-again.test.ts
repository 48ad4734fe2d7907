import { describe, expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { type Answer, testServer } from '../support/server.ts'
import { ROSA, visitor } from './visitor.ts'

const { policies } = service('svc')
const definition: BusinessDefinition = businessWith(
  [
    service('svc_class', {
      type: 'group',
      capacity: { min: 1, max: 1 },
      sessions: [{ days: ['tuesday', 'wednesday', 'thursday'], starts: '16:00', resources: ['room_one'] }],
    }),
    service('svc_alone', {
      resources: [{ type: 'staff', options: ['staff_ann'], selectable: true }],
      policies: { ...policies, booking_window: { min_advance: 'PT2H', max_advance: 'P60D', slot_interval: 'PT30M' } },
    }),
    service('svc_anyone', { resources: [{ type: 'staff', options: ['staff_ben', 'staff_cat'], selectable: true }] }),
  ],
  {
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
      { id: 'staff_cat', type: 'staff', name: 'Cat' },
      { id: 'room_one', type: 'room', name: 'One' },
    ],
    hours: [{ days: ['tuesday', 'wednesday', 'thursday'], opens: '09:00', closes: '18:00' }],
  },
)
const databaseUrl = await freshDatabase()
const shop = await testShop(definition, { databaseUrl })
/** Never returns a cookie: the answers with them were lost. */
const browser = visitor(shop)

const holds = () =>
  shop.runtime.db
    .selectFrom('holds')
    .select(['id', 'slot_id'])
    .where('status', '=', 'active')
    .where('expires_at', '>', shop.time.now)
    .execute()
const bookings = () => shop.runtime.db.selectFrom('bookings').select('id').execute()
/** How many more times are kept after it. */
async function keptBy(work: () => Promise<unknown>): Promise<number> {
  const before = await holds()
  await work()
  return (await holds()).length - before.length
}
const led = ({ status, headers }: Answer) => [status, headers.location]
const another = ({ body }: Answer) =>
  (/<p><a class="way" href="([^"]*)"/.exec(String(body))?.[1] ?? '').replaceAll('&amp;', '&')

/** Each test has a day of its own. */
const DAYS = [
  '2026-11-24',
  '2026-11-25',
  '2026-11-26',
  '2026-12-01',
  '2026-12-02',
  '2026-12-03',
  '2026-12-08',
  '2026-12-09',
]
let day = 0
const nextDay = () => DAYS[day++ % DAYS.length]
const pageOf = async (of: string, on = nextDay()) => {
  const page = await browser.open(`/book/${of}?day=${on}`)
  return { page, on, times: browser.times(page).map(({ time }) => time) }
}

const SERVICES = ['svc_class', 'svc_alone', 'svc_anyone']

describe('[one press, one hold]', () => {
  test.each(SERVICES)('%s: a press whose answer was lost leads to the same hold when it comes again', async (of) => {
    const { page, times } = await pageOf(of)
    const kept = await keptBy(async () => {
      const first = await browser.press(page, times[0] ?? '')
      expect(first.status).toBe(303)
      for (const _ of [1, 2]) expect(led(await browser.press(page, times[0] ?? ''))).toEqual(led(first))
      expect((await browser.open(first.headers.location ?? '')).status).toBe(200)
    })
    expect(kept).toBe(1)
  })

  test.each(SERVICES)('%s: two presses at once are one, however often', async (of) => {
    for (let round = 0; round < 5; round++) {
      const { page, times } = await pageOf(of)
      const kept = await keptBy(async () => {
        const answers = await Promise.all([1, 2, 3].map(() => browser.press(page, times[0] ?? '')))
        expect(answers.map(led)).toEqual(answers.map(() => [303, answers[0]?.headers.location]))
      })
      expect([of, kept]).toEqual([of, 1])
      shop.minutesLater(11)
    }
  })

  test.each(SERVICES)('%s: two servers that get the same press at once keep one time', async (of) => {
    const other = await testServer(undefined, { databaseUrl })
    other.time.now = shop.time.now
    const elsewhere = visitor(other)
    for (let round = 0; round < 5; round++) {
      const { page, times } = await pageOf(of)
      const time = times[0] ?? ''
      const { action, token } = browser.formOf(page)
      const kept = await keptBy(async () => {
        const answers = await Promise.all([browser.press(page, time), elsewhere.send(action, { time, form: token })])
        expect(answers.map(led)).toEqual(answers.map(() => [303, answers[0]?.headers.location]))
      })
      expect([of, kept]).toEqual([of, 1])
      shop.minutesLater(11)
      other.time.now = shop.time.now
    }
  })

  test('it is booked once, from whichever of the answers', async () => {
    const { page, times } = await pageOf('svc_alone')
    await browser.press(page, times[0] ?? '')
    const { headers } = await browser.press(page, times[0] ?? '')
    const before = await bookings()
    expect((await browser.fill(headers.location ?? '', ROSA)).status).toBe(303)
    expect(await bookings()).toHaveLength(before.length + 1)
  })

  test('a time that was kept too long is kept anew', async () => {
    const { page, times } = await pageOf('svc_alone')
    const first = await browser.press(page, times[0] ?? '')
    shop.minutesLater(11)
    const again = await browser.press(page, times[0] ?? '')
    expect(again.status).toBe(303)
    expect(again.headers.location).not.toBe(first.headers.location)
    expect(led(await browser.press(page, times[0] ?? ''))).toEqual(led(again))
    expect((await browser.open(again.headers.location ?? '')).body).toContain('10 minutes left.')
  })
})

describe('[another press, another hold]', () => {
  test('another time of the same page is kept as well', async () => {
    const { page, times } = await pageOf('svc_alone')
    const kept = await keptBy(async () => {
      const first = await browser.press(page, times[0] ?? '')
      const other = await browser.press(page, times[4] ?? '')
      expect([first.status, other.status]).toEqual([303, 303])
      expect(other.headers.location).not.toBe(first.headers.location)
      expect(led(await browser.press(page, times[0] ?? ''))).toEqual(led(first))
      expect(led(await browser.press(page, times[4] ?? ''))).toEqual(led(other))
    })
    expect(kept).toBe(2)
  })

  test('a family keeps a time each, in as many tabs, from one page', async () => {
    const { page, times } = await pageOf('svc_alone')
    const kept = await keptBy(async () => {
      for (const nth of [0, 2, 4, 6, 8]) expect((await browser.press(page, times[nth] ?? '')).status).toBe(303)
    })
    expect(kept).toBe(5)
  })

  test('another time that overlaps the one whose answer was lost takes its place', async () => {
    const { page, times } = await pageOf('svc_alone')
    const kept = await keptBy(async () => {
      await browser.press(page, times[0] ?? '')
      const other = await browser.press(page, times[1] ?? '')
      expect(other.status).toBe(303)
      expect(led(await browser.press(page, times[1] ?? ''))).toEqual(led(other))
    })
    expect(kept).toBe(1)
  })

  test('who changes the time and loses that answer comes to the changed time, and keeps no other', async () => {
    const { page, on, times } = await pageOf('svc_alone')
    const kept = await keptBy(async () => {
      const first = await browser.press(page, times[0] ?? '')
      const change = await browser.open(another(await browser.open(first.headers.location ?? '')))
      const changed = await browser.press(change, times[5] ?? '')
      expect(changed.status).toBe(303)
      for (const _ of [1, 2]) expect(led(await browser.press(change, times[5] ?? ''))).toEqual(led(changed))
      const onceMore = await browser.open(another(await browser.open(changed.headers.location ?? '')))
      const twins = await Promise.all([1, 2].map(() => browser.press(onceMore, times[8] ?? '')))
      expect(twins.map(led)).toEqual(twins.map(() => [303, twins[0]?.headers.location]))
    })
    expect([on, kept]).toEqual([on, 1])
  })

  test('who still keeps another time by a cookie and loses the answer to this one comes to this one', async () => {
    const { page, on, times } = await pageOf('svc_alone')
    const first = await browser.press(page, times[0] ?? '')
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    const back = visitor(shop, { cookie })
    const shown = await back.open(`/book/svc_alone?day=${on}`)
    const second = await back.press(shown, times[6] ?? '')
    expect(second.status).toBe(303)
    expect(led(await back.press(shown, times[6] ?? ''))).toEqual(led(second))
  })
})

describe('[a hold is its visitor’s alone]', () => {
  test.each(['svc_class', 'svc_alone'])('%s: the same press on another page is somebody else’s', async (of) => {
    const on = nextDay()
    const [mine, theirs] = [await pageOf(of, on), await pageOf(of, on)]
    expect((await browser.press(mine.page, mine.times[0] ?? '')).status).toBe(303)
    const late = await browser.press(theirs.page, theirs.times[0] ?? '')
    expect([late.status, String(late.body).includes('role="alert"')]).toEqual([409, true])
    expect(led(await browser.press(theirs.page, theirs.times[0] ?? ''))[0]).toBe(409)
  })

  test('who passed on the address of a change comes to no hold that was made from it', async () => {
    const { page, times } = await pageOf('svc_alone')
    const first = await browser.press(page, times[0] ?? '')
    const address = another(await browser.open(first.headers.location ?? ''))
    const [theirs, mine] = [await browser.open(address), await browser.open(address)]
    expect((await browser.press(theirs, times[5] ?? '')).status).toBe(303)
    expect((await browser.press(mine, times[5] ?? '')).status).toBe(409)
  })

  test('nobody comes to it who has neither the page nor the address', async () => {
    const { page, times } = await pageOf('svc_alone')
    const { headers } = await browser.press(page, times[0] ?? '')
    const { action, token } = browser.formOf(page)
    const guessed = await browser.send(action, { time: times[0] ?? '', form: `${token.slice(0, -1)}x` })
    expect(guessed.status).toBe(422)
    const other = browser.formOf((await pageOf('svc_alone')).page).token
    expect((await browser.send(action, { time: times[0] ?? '', form: other })).status).toBe(409)
    const address = headers.location ?? ''
    expect((await browser.open(address.replace(/visit=[^&]*/, `visit=visit_${token}`))).status).toBe(404)
  })
})
