import { describe, expect, test } from 'vitest'
import { browser } from '../../oauth/browser.ts'
import { freshDatabase } from '../../support/database.ts'
import { businessWith, service } from '../../support/definitions.ts'
import type { Slot } from '../../support/desk.ts'
import { testServer } from '../../support/server.ts'
import { deskSalon } from './receptionist.ts'
import { type Form, formsIn } from './walk.ts'

const days = ['tuesday', 'wednesday', 'thursday', 'friday'] as const
const definition = businessWith(
  [
    service('svc_chosen', { resources: [{ type: 'staff', options: ['staff_ann', 'staff_ben'], selectable: true }] }),
    service('svc_pooled', { resources: [{ type: 'staff', options: ['staff_ann', 'staff_ben'] }] }),
    service('svc_class', { type: 'group', capacity: { max: 8 }, sessions: [{ days: [...days], starts: '16:00' }] }),
    service('svc_weekly', { resources: [{ type: 'room', options: ['room_one'] }] }),
  ],
  {
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
      { id: 'room_one', type: 'room', name: 'One' },
    ],
  },
)
const databaseUrl = await freshDatabase()
const { shop, hire, person, signedIn, booked, platform } = await deskSalon({}, definition, databaseUrl)
const { db } = shop.runtime
const jo = await signedIn('manager')
type Person = typeof jo

const bookings = () => db.selectFrom('bookings').select(['id', 'status', 'series']).execute()
const cancelAll = async () => {
  for (const { id, status } of await bookings())
    if (status === 'confirmed') await jo.send(`/desk/bookings/${id}`, { do: 'cancel' })
}
/** How many bookings are made by what is done. */
async function madeBy(work: () => Promise<unknown>): Promise<number> {
  const before = await bookings()
  await work()
  return (await bookings()).length - before.length
}

/** A form of a page as a browser shows it, found by where it is sent and by what its button does. */
async function formOn(page: string, action: string, what?: string, one: Person = jo): Promise<Form> {
  const forms = formsIn(page, (await one.open(page)).body)
  const found = forms.find((form) => form.action === action && (what === undefined || form.button?.[1] === what))
  if (!found) throw new Error(`${page} has no form for ${action} ${what}`)
  return found
}

/** What a browser sends when somebody has written into the form and presses its button. */
const filled = ({ fields, button }: Form, written: Record<string, string> = {}) => {
  const kept = fields.filter(([name]) => !(name in written))
  return new URLSearchParams([...kept, ...Object.entries(written), ...(button ? [button] : [])])
}
const send = (form: Form, written: Record<string, string> = {}, one: Person = jo) =>
  one.sendForm(form.action, filled(form, written))

/** The form to book that an answer shows. */
function formIn(body: string): Form {
  const form = formsIn('/desk/book', body).find(isBooking)
  if (!form) throw new Error('there is no form')
  return form
}

/** The other buttons of the form lead to other weeks. */
const isBooking = ({ action, button }: Form) => action === '/desk/book' && button === undefined

const newBooking = async (service: string, one: Person = jo) =>
  formIn((await one.open(`/desk/book?service=${service}`)).body)

/** Of a slot, what a browser sends once its day and it are chosen. */
const chosen = ({ id, start }: Slot) => ({ day: start.slice(0, 10), [`slot:${start.slice(0, 10)}`]: id })

describe('[one form, one effect] at the desk', () => {
  test.each(['svc_chosen', 'svc_pooled', 'svc_class'])(
    'a form that books %s and is sent twice at once and once more books once, and leads to that booking each time',
    async (id) => {
      const form = await newBooking(id)
      const made = await madeBy(async () => {
        const first = await Promise.all([1, 2].map(() => send(form, { first_name: 'Ada' })))
        const answers = [...first, await send(form, { first_name: 'Ada' })]
        expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
        expect(new Set(answers.map(({ headers }) => headers.location)).size).toBe(1)
      })
      expect(made).toBe(1)
    },
  )

  test('a form that repeats a booking makes exactly the chosen dates, sent twice at once and once more', async () => {
    const { booking } = await booked('svc_class')
    const there = `/desk/bookings/${booking.id}/series`
    const form = await formOn(`${there}?weeks=1&times=8`, `${there}?weeks=1&times=8`)
    const starts = form.fields.filter(([name]) => name === 'start')
    expect(starts).toHaveLength(8)
    const made = await madeBy(async () => {
      const first = await Promise.all([1, 2].map(() => send(form)))
      const answers = [...first, await send(form)]
      expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
        [1, 2, 3].map(() => [303, `/desk/bookings/${booking.id}`]),
      )
    })
    expect(made).toBe(8)
  })

  test('two servers that get the same form at once book once, and both lead to that booking', async () => {
    const other = browser(await testServer(undefined, { databaseUrl }))
    for (const [name, cookie] of jo.jar) other.jar.set(name, cookie)
    for (let round = 0; round < 5; round++) {
      const form = await newBooking('svc_class')
      const made = await madeBy(async () => {
        const answers = await Promise.all([
          send(form, { first_name: 'Ada' }),
          other.visit('POST', form.action, filled(form, { first_name: 'Ada' })),
        ])
        expect(answers.map(({ status }) => status)).toEqual([303, 303])
        expect(answers[0]?.headers.location).toBe(answers[1]?.headers.location)
      })
      expect(made).toBe(1)
      await cancelAll()
    }
  })

  test('a server that stopped after it booked, before it kept where the form led, books no second time', async () => {
    const form = await newBooking('svc_pooled')
    const first = await send(form, { first_name: 'Ada' })
    await db.deleteFrom('replies').where('key', 'like', 'desk form % answer').execute()
    const made = await madeBy(async () => {
      const { status, headers } = await send(form, { first_name: 'Ada' })
      expect([status, headers.location]).toEqual([303, first.headers.location])
    })
    expect(made).toBe(0)
  })

  test('a form with several calls makes each of them once', async () => {
    const start = '2026-11-26T10:00:00-05:00'
    for (const resource_id of ['staff_ann', 'staff_ben'])
      await platform.call(
        'usp_business_blocks_create',
        { resource_id, start, end: '2026-11-26T11:00:00-05:00' },
        { as: shop.staff, idempotencyKey: `block ${resource_id}` },
      )
    const form = await formOn('/desk/blocks', '/desk/blocks')
    expect(form.fields.filter(([name]) => name === 'block')).toHaveLength(2)
    const answers = await Promise.all([1, 2, 3].map(() => send(form)))
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
      [1, 2, 3].map(() => [303, '/desk/blocks']),
    )
    expect(await db.selectFrom('blocks').select('id').execute()).toEqual([])
    const entered = await db.selectFrom('changes').select('subject').where('action', '=', 'unblock').execute()
    expect(new Set(entered.map(({ subject }) => subject)).size).toBe(entered.length)
    expect(entered).toHaveLength(2)
  })
})

describe('[another form, another effect] at the desk', () => {
  test('two pages with the same entries are two forms', async () => {
    const [one, other] = [await newBooking('svc_class'), await newBooking('svc_class')]
    const made = await madeBy(() => Promise.all([one, other].map((form) => send(form, { first_name: 'Ada' }))))
    expect(made).toBe(2)
  })

  test('a form that was done and is sent with other entries does nothing, keeps them, and does it when asked once more', async () => {
    const form = await newBooking('svc_class')
    const first = await send(form, { first_name: 'Ada', notes: 'First' })
    const refused = await send(form, { first_name: 'Grace <b>', notes: 'Two\r\nlines' })
    expect([refused.status, refused.body.includes('This form was already sent')]).toEqual([409, true])
    expect(refused.body).toContain(`<a class="button" href="${first.headers.location}">`)
    const asked = formIn(refused.body)
    const made = await madeBy(async () => {
      const { headers } = await send(asked)
      const { body } = await jo.open(headers.location ?? '')
      expect([body.includes('<h1>Grace &lt;b&gt;</h1>'), /Two\r?\nlines/.test(body)]).toEqual([true, true])
    })
    expect(made).toBe(1)
  })

  test('the same entries for another booking are other entries', async () => {
    const [{ booking: one }, { booking: other }] = [await booked('svc_class'), await booked('svc_class')]
    const form = await formOn(`/desk/bookings/${one.id}`, `/desk/bookings/${one.id}`, 'cancel')
    await send(form)
    expect((await send({ ...form, action: `/desk/bookings/${other.id}` })).status).toBe(409)
    const row = (await bookings()).find(({ id }) => id === other.id)
    expect(row?.status).toBe('confirmed')
  })
})

describe('[a refusal is not repeated] at the desk', () => {
  const taken = async () => {
    const form = await newBooking('svc_chosen')
    const [slot] = await platform.slots('svc_chosen')
    const { data } = await platform.book(slot)
    const entries = { ...chosen(slot), first_name: 'Ada', notes: 'Kept' }
    const refused = await send(form, entries)
    expect(refused.status).toBe(409)
    return { form, entries, refused, booking: data.booking.id as string }
  }

  test('the page of the refusal has what was written and a form of its own', async () => {
    const { refused } = await taken()
    const form = formIn(refused.body)
    expect(form.fields).toContainEqual(['notes', 'Kept'])
    expect(await madeBy(() => send(form))).toBe(1)
  })

  test('the form that was refused can be sent again, as it is, once the reason is gone', async () => {
    const { form, entries, booking } = await taken()
    await platform.cancel(booking)
    expect(await madeBy(() => send(form, entries))).toBe(1)
  })

  test('and with other entries', async () => {
    const { form } = await taken()
    const free = (await platform.slots('svc_chosen')).at(-1)
    expect(await madeBy(() => send(form, { ...chosen(free), first_name: 'Ada' }))).toBe(1)
  })

  test('settings are reviewed as often as wanted', async () => {
    const owner = await signedIn('owner')
    const page = '/desk/setup/resources/room_one'
    const form = await formOn(page, page, 'review', owner)
    for (const name of ['Two', 'Three']) {
      const { status, body } = await send(form, { name }, owner)
      expect([status, body.includes('value="apply"'), body.includes(name)]).toEqual([200, true, true])
    }
  })
})

describe('[how long a page can stay open] at the desk', () => {
  const hoursLater = (hours: number) => shop.minutesLater(hours * 60)

  test('over a weekend: its forms still work', async () => {
    const form = await newBooking('svc_pooled')
    hoursLater(71)
    const slot = (await platform.slots('svc_pooled', { start_date: '2026-12-01', end_date: '2026-12-04' })).at(-1)
    expect(await madeBy(() => send(form, { ...chosen(slot), first_name: 'Ada' }))).toBe(1)
    hoursLater(-71)
  })

  test('for longer: what was written is kept, and one press does it', async () => {
    const form = await newBooking('svc_pooled')
    const slot = (await platform.slots('svc_pooled', { start_date: '2026-12-01', end_date: '2026-12-04' })).at(0)
    hoursLater(73)
    const old = await send(form, { ...chosen(slot), first_name: 'Ada', notes: 'Kept' })
    expect([old.status, old.body.includes('This page was open for too long')]).toEqual([422, true])
    const asked = formIn(old.body)
    const made = await madeBy(async () => {
      const { headers } = await send(asked)
      expect((await jo.open(headers.location ?? '')).body).toContain('Kept')
    })
    expect(made).toBe(1)
    hoursLater(-73)
  })

  test('until somebody else signs in: nothing is done in the name of another', async () => {
    const one = person()
    await one.send(await (await hire('staff')).link())
    const form = await newBooking('svc_class', one as Person)
    await one.send('/desk/leave')
    await one.send(await (await hire('staff')).link())
    expect(await madeBy(() => send(form, { first_name: 'Ada' }, one as Person))).toBe(0)
  })
})
