import { expect, test } from 'vitest'
import { businessDefinition } from '../../../../src/core/business/definition-queries.ts'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { deskSalon } from '../receptionist.ts'

const { shop, signedIn, booked } = await deskSalon()
const owner = await signedIn('owner')

/** The steps that the settings name, with their addresses. */
async function steps(as = owner) {
  const { body } = await as.open('/desk/setup')
  const [, list = ''] = /<h2>Next steps<\/h2><ul>(.*?)<\/ul>/s.exec(body) ?? []
  return [...list.matchAll(/<a href="([^"]+)">([^<]+)</g)].map(([, href, text]) => `${text}: ${href}`)
}

const PICTURE = 'Add a picture to a service: /desk/setup/services/svc_auto/picture'
const CLOSED = 'Enter holidays and other closed dates: /desk/setup/hours#closures'
const TEAM = 'Invite your team: /desk/people'
const BOOKING = 'Make a test booking: /book'

test('[next steps] each is named until it is done, and then the list is gone', async () => {
  expect(await steps()).toEqual([PICTURE, CLOSED, BOOKING])
  await booked('svc_auto')
  expect(await steps()).toEqual([PICTURE, CLOSED])
  const definition = await businessDefinition(shop.runtime.db)
  const [first, ...others] = definition?.services ?? []
  const media = [{ type: 'image/png', url: 'https://salon.example/cut.png' }]
  const closures = [{ from: '2026-12-24', to: '2026-12-26' }]
  const services = [{ ...first, media }, ...others]
  const ready = await deskSalon({}, { ...definition, closures, services } as BusinessDefinition)
  await ready.booked('svc_auto')
  const manager = await ready.signedIn('manager')
  expect(await steps(manager)).toEqual([])
  await ready.shop.runtime.db.deleteFrom('staff').where('id', '!=', manager.who.id).execute()
  expect(await steps(manager)).toEqual([TEAM])
})

const production = {
  USP_MODE: 'production',
  DATABASE_URL: 'postgres://u@h/d',
  BASE_URL: 'https://book.example',
  USP_SECRET_KEY: 'x'.repeat(32),
  TRUST_PROXY: '127.0.0.1',
}

test.each([
  [{}, false],
  [production, true],
  [{ ...production, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@salon.example' }, false],
])('[next steps] a server that cannot mail says so: %o', async (env, isSaid) => {
  const other = await deskSalon(env)
  const headers = { 'x-forwarded-proto': 'https', host: 'book.example', origin: 'https://book.example' }
  const manager = other.person()
  await manager.send(await (await other.hire('manager')).link(), {}, headers)
  const { status, body } = await manager.open('/desk/setup', headers)
  expect(status).toBe(200)
  expect(body.includes('Confirmations are not mailed yet.')).toBe(isSaid)
})
