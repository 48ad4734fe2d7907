import { expect, test } from 'vitest'
import { ROSA, salon, visitor } from '../booking-flow/visitor.ts'
import { talkingShop } from './letters-shop.ts'

const SPANISH = { name: 'Corte y peinado para mujer', instructions: 'Llega cinco minutos antes y con el pelo seco' }
const { registry: _, website: __, ...demo } = salon()
const withJane = (demo.resources ?? []).map((one) =>
  one.id === 'staff_jane' ? { ...one, localized: { name: { es: 'Juana Smith' } } } : one,
)
const localizedYoga = demo.services.map((one) =>
  one.id === 'svc_yoga' ? { ...one, localized: { name: { es: 'Yoga para todos' } } } : one,
)
const shop = await talkingShop({
  ...demo,
  resources: withJane,
  services: localizedYoga,
  mails: { staff: ['desk@salon.example'] },
})
const spanish = visitor(shop, { 'accept-language': 'es' })
/** The calendar folds long lines. */
const unfolded = (text: string) => text.replaceAll('\r\n ', '')

test('[localized] a booking is called on its page, in its mails and in the calendar as its buyer reads', async () => {
  const { done } = await spanish.book('/book/svc_haircut?with=staff_jane')
  const address = done.headers.location ?? ''
  const page = await spanish.open(address)
  expect(page.body).toContain(`<dd>${SPANISH.name}</dd>`)
  expect(page.body).toContain('<dd>Juana Smith</dd>')
  const file = await spanish.open(`${address}/calendar.ics`)
  expect(unfolded(file.body)).toContain(`SUMMARY:${SPANISH.name}`)
  expect(unfolded(file.body)).toContain(SPANISH.instructions)
  // The same page is read in another language, which the business has no name in.
  const english = await visitor(shop, { 'accept-language': 'en' }).open(address)
  expect(english.body).toContain('<dd>Women’s Haircut &amp; Style</dd>')

  const [, id = ''] = address.split('/').filter(Boolean)
  const letters = await shop.lettersOf({ id })
  expect(letters.map(({ audience, letter }) => [audience, Object.fromEntries(letter.rows ?? [])])).toEqual([
    ['buyer', expect.objectContaining({ Servicio: SPANISH.name })],
    ['staff', expect.objectContaining({ What: 'Women’s Haircut & Style', With: 'Jane Smith' })],
  ])
  expect(letters[0]?.letter.subject).toContain(SPANISH.name)
})

test('[localized] what the business does not offer any more is called as it was booked', async () => {
  const { done } = await spanish.book('/book/svc_haircut?with=staff_jane')
  await shop.apply({ ...shop.definition, services: shop.definition.services.filter(({ id }) => id !== 'svc_haircut') })
  await expect
    .poll(async () => (await spanish.open(done.headers.location ?? '')).body)
    .toContain('<dd><bdi lang="en">Women’s Haircut &amp; Style</bdi></dd>')
  await shop.apply(shop.definition)
})

test('[localized] a place in line, too', async () => {
  const url = '/book/svc_yoga?day=2026-11-24'
  await spanish.book(`${url}&party=8`)
  const { body } = await spanish.open(url)
  const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  await spanish.fill(queue, ROSA)
  const entry = await shop.runtime.db.selectFrom('waitlist_entries').select('id').executeTakeFirstOrThrow()
  const [told] = await shop.lettersOf(entry)
  expect(told?.letter.rows).toContainEqual(['Servicio', 'Yoga para todos'])
})

test('[localized] what nobody translated says in which language it is, for voices that read it aloud', async () => {
  const name = '<bdi lang="en">Hair Care Advice by Phone</bdi>'
  const list = (await spanish.open('/book')).body
  expect(list).toContain(`<a href="/book/svc_call">${name}</a>`)
  expect(list).toContain('<a href="/book/svc_yoga">Yoga para todos</a>')
  const page = await spanish.open('/book/svc_call')
  expect(page.body).toContain(`<h1>${name}</h1>`)
  expect(page.body).toMatch(/<p dir="auto" lang="en">/)
  const [time] = spanish.times(page)
  const { headers } = await spanish.press(page, time?.time ?? '')
  expect((await spanish.open(headers.location ?? '')).body).toContain(`<dd>${name}</dd>`)
  const english = await visitor(shop, { 'accept-language': 'en' }).open('/book/svc_call')
  expect(english.body).toContain('<h1>Hair Care Advice by Phone</h1>')
  expect(english.body).not.toMatch(/<p[^>]* lang=/)
})
