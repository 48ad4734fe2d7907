import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { businessDefinition } from '../../../../src/core/business/definition-queries.ts'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { deskSalon } from '../receptionist.ts'
import { sent } from './sent-form.ts'

const barber: BusinessDefinition = parse(readFileSync('examples/weeks-that-differ.yaml', 'utf8'))
const { shop, signedIn } = await deskSalon({}, barber)
const owner = await signedIn('owner')

const inForce = async () => (await businessDefinition(shop.runtime.db)) ?? barber
const formAt = async (path: string) => sent((await owner.open(`/desk/setup/${path}`)).body)
async function pressed(path: string, what: string, form: URLSearchParams, more: Record<string, string> = {}) {
  for (const [name, value] of Object.entries({ ...more, do: what })) form.set(name, value)
  return owner.sendForm(`/desk/setup/${path}`, form)
}

test.each(['hours', 'resources/staff_mia', 'resources/staff_leo', 'services/svc_cut'])(
  '[weeks that differ] what nobody touched stays as it is: %s',
  async (page) => {
    const { status, body } = await pressed(page, 'review', await formAt(page))
    expect(status).toBe(200)
    expect(body).toContain('Nothing has changed.')
  },
)

test('[weeks that differ] a special day is added in the form of the hours', async () => {
  const added = sent((await pressed('hours', 'add:special_hours', await formAt('hours'))).body)
  const day = { from: '2026-12-31', opens: '09:00', closes: '12:00', reason: 'New Year’s Eve' }
  const written = Object.fromEntries(Object.entries(day).map(([name, value]) => [`special_hours.3.${name}`, value]))
  const shown = await pressed('hours', 'review', added, written)
  expect(shown.body).toContain('special_hours')
  expect((await pressed('hours', 'apply', sent(shown.body))).status).toBe(303)
  expect((await inForce()).special_hours).toEqual([...(barber.special_hours ?? []), day])
})

test('[weeks that differ] a rota takes the place of hours, one week after the other', async () => {
  const page = 'resources/staff_leo'
  let form = await formAt(page)
  const step = async (what: string, more: Record<string, string> = {}) => {
    form = sent((await pressed(page, what, form, more)).body)
  }
  const both = await pressed(page, 'add:rota.weeks', await formAt(page), { 'rota.begins': '2026-11-02' })
  const refused = await pressed(page, 'apply', sent(both.body))
  expect([refused.status, refused.body.includes('cannot be combined with hours: each week has its own hours')]).toEqual(
    [409, true],
  )

  await step('remove:hours:0')
  await step('add:rota.weeks', { 'rota.begins': '2026-11-02' })
  await step('add:rota.weeks')
  await step('add:rota.weeks.1.hours')
  form.append('rota.weeks.1.hours.0.days', 'tuesday')
  const times = { 'rota.weeks.1.hours.0.opens': '09:00', 'rota.weeks.1.hours.0.closes': '12:00' }
  expect((await pressed(page, 'apply', form, times)).status).toBe(303)
  const { hours, rota } = (await inForce()).resources?.find(({ id }) => id === 'staff_leo') ?? {}
  expect([hours, rota]).toEqual([
    undefined,
    { begins: '2026-11-02', weeks: [{}, { hours: [{ days: ['tuesday'], opens: '09:00', closes: '12:00' }] }] },
  ])
})
