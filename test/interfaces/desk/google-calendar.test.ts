import { afterAll, beforeEach, expect, test } from 'vitest'
import { startCalendarReader } from '../../../src/domain/busy-times/source-worker.ts'
import { salon } from '../../busy-times/connected-shop.ts'
import { APP, googleStandIn } from '../../busy-times/google.ts'
import { ANN, at } from '../../busy-times/google-shop.ts'
import { deskSalon } from './receptionist.ts'

const PATH = '/desk/calendars'
const SETUP = '/desk/setup/google-calendar'
const GRANT = '/desk/calendars/google'
const DAY = '2026-11-24'

const google = await googleStandIn()
const desk = await deskSalon({ GOOGLE_API_BASE: google.origin }, salon)
const { shop } = desk
const worker = startCalendarReader(shop.runtime)
afterAll(() => worker.close())

type Person = Awaited<ReturnType<typeof desk.signedIn>>

const textOf = (body: unknown) =>
  String(body)
    .replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const setUp = async (owner: Person, app = APP) => owner.send(SETUP, { do: 'save', ...app })
const toGoogle = async (one: Person) => String((await one.open(GRANT)).headers.location ?? '')
const grantOf = (body: unknown) => / name="grant" value="([^"]+)"/.exec(String(body))?.[1] ?? ''
const LATE = 'This page was open for too long. Connect the account again.'
const DENIED = 'Google did not grant access to the calendars. Try again, and allow both permissions.'

const [owner, manager] = [await desk.signedIn('owner'), await desk.signedIn('manager')]
beforeEach(async () => {
  shop.minutesLater(1)
  google.intercept = undefined
})

test('[calendars at Google] an owner enters the app in the settings, and the secret is never shown again', async () => {
  expect(textOf((await owner.open(PATH)).body)).toContain('Set up Google Calendar')
  expect(textOf((await manager.open(PATH)).body)).not.toContain('Google Calendar ')
  expect((await manager.open(GRANT)).headers.location).toBe(PATH)
  expect((await owner.open('/desk/setup')).body).toContain(`href="${SETUP}"`)
  const page = String((await owner.open(SETUP)).body)
  expect(page).toContain('<code dir="ltr">http://127.0.0.1:8080/desk/calendars/google/return</code>')
  const refused = await setUp(owner, { ...APP, client_secret: '' })
  expect(refused.status).toBe(409)
  expect(String(refused.body)).toContain('id="client_secret-error"')
  expect((await setUp(owner)).headers.location).toBe(`${SETUP}?saved`)
  const stored = String((await owner.open(SETUP)).body)
  expect(stored).toContain(`value="${APP.client_id}"`)
  expect(stored).toContain('A secret is stored.')
  expect(stored).not.toContain(APP.client_secret)
  expect((await manager.open(SETUP)).status).toBe(403)
})

test('[calendars at Google] a manager grants access, chooses the calendars, and sees their busy times', async () => {
  await setUp(owner)
  const family = google.makeCalendar(ANN, 'Family & friends')
  google.put(ANN, 'one', at(DAY, 11))
  google.put(family, 'two', at(DAY, 13))
  expect(String((await manager.open(PATH)).body)).toContain(`href="${GRANT}"`)
  const url = new URL(await toGoogle(manager))
  expect(`${url.origin}${url.pathname}`).toBe(`${google.origin}/o/oauth2/v2/auth`)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: APP.client_id,
    redirect_uri: 'http://127.0.0.1:8080/desk/calendars/google/return',
    scope:
      'https://www.googleapis.com/auth/calendar.calendarlist.readonly https://www.googleapis.com/auth/calendar.events.readonly',
    access_type: 'offline',
    prompt: 'consent',
    state: expect.stringMatching(/^[\w.-]{40,}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const chosen = await manager.open(google.comeBack(url.href, ANN))
  expect(chosen.status).toBe(200)
  expect(textOf(chosen.body)).toMatch(/ann@gmail\.com .+Family &amp; friends/)
  const form = { do: 'account', grant: grantOf(chosen.body), resource: 'staff_ann', calendar: family, name: 'Family' }
  const { status, headers } = await manager.send(PATH, form)
  expect([status, headers.location]).toEqual([303, expect.stringMatching(/^\/desk\/calendars#ccal_/)])
  const page = textOf((await manager.open(PATH)).body)
  expect(page).toMatch(/Ann · Family calendar\.google\.com 1 busy time in the next 30 days Read /)
})

test('[cal.diy 7564] with access that is revoked, the desk says so and what to do, and connecting again helps', async () => {
  google.revoke(ANN)
  const [, id = ''] = /<li id="(ccal_[\w-]+)"/.exec(String((await manager.open(PATH)).body)) ?? []
  await manager.send(PATH, { do: 'refresh', source: id })
  expect(textOf((await manager.open(PATH)).body)).toMatch(
    /Cannot be read since .+ The times from the last read stay blocked\. .+ Press “Connect Google Calendar”, and choose the same Google account\./,
  )
  const { body } = await manager.open(google.comeBack(await toGoogle(manager), ANN))
  await manager.send(PATH, { do: 'account', grant: grantOf(body), resource: 'staff_ann' })
  const page = String((await manager.open(PATH)).body)
  expect(page.match(/<li id="ccal_/g)).toHaveLength(1)
  expect(page).toContain(id)
  expect(textOf(page)).toMatch(/Ann · ann@gmail\.com calendar\.google\.com 2 busy times in the next 30 days Read /)
})

test.each<[string, { scopes?: string[]; error?: string }]>([
  ['that a person refuses', { error: 'access_denied' }],
  ['to the list of calendars alone', { scopes: ['https://www.googleapis.com/auth/calendar.calendarlist.readonly'] }],
  ['to the events alone', { scopes: ['https://www.googleapis.com/auth/calendar.events.readonly'] }],
])('[calendars at Google] access %s connects nothing, and says what to do', async (_, more) => {
  const { status, body } = await manager.open(google.comeBack(await toGoogle(manager), ANN, more))
  expect([status, textOf(body)]).toEqual([409, expect.stringContaining(DENIED)])
  expect(grantOf(body)).toBe('')
})

test('[calendars at Google] a return works once, only in the session that began, and only with the app it began with', async () => {
  const other = await desk.signedIn('manager')
  const back = async () => google.comeBack(await toGoogle(manager), ANN)
  const isRefused = async (one: Pick<Person, 'open'>, path: string) =>
    expect(textOf((await one.open(path)).body)).toContain(DENIED)
  await isRefused(other, await back())
  const first = await back()
  expect(grantOf((await manager.open(first)).body)).not.toBe('')
  await isRefused(manager, first)
  await isRefused(manager, '/desk/calendars/google/return?state=made-up&code=made-up')
  await isRefused(manager, `${(await back()).split('&code')[0]}`)
  const late = await back()
  shop.minutesLater(31)
  await isRefused(manager, late)
  const changed = await back()
  await setUp(owner, { client_id: 'other', client_secret: 'other' })
  await setUp(owner)
  await isRefused(manager, changed)
  expect((await desk.person().open(await back())).body).not.toContain('name="grant"')
})

test('[calendars at Google] a grant is for the session that got it, and for half an hour', async () => {
  const other = await desk.signedIn('manager')
  const newGrant = async () => grantOf((await manager.open(google.comeBack(await toGoogle(manager), ANN))).body)
  const grant = await newGrant()
  const send = async (one: Person, value: string) =>
    textOf((await one.send(PATH, { do: 'account', grant: value, resource: 'staff_ben' })).body)
  expect(Buffer.from(grant, 'base64url').toString('latin1')).not.toContain('1//')
  expect(await send(other, grant)).toContain(LATE)
  expect(await send(manager, 'made up')).toContain(LATE)
  expect(await send(manager, '')).toContain(LATE)
  shop.minutesLater(31)
  expect(await send(manager, grant)).toContain(LATE)
  google.revoke(ANN)
  const revoked = await newGrant()
  google.revoke(ANN)
  expect(await send(manager, revoked)).toContain(DENIED)
  expect(String((await manager.open(PATH)).body)).not.toContain('Ben ·')
})

test('[calendars at Google] only managers connect, a foreign page cannot begin it, and faults of Google are named', async () => {
  const staff = await desk.signedIn('staff')
  for (const path of [GRANT, google.comeBack(await toGoogle(manager), ANN)])
    expect((await staff.open(path)).status).toBe(403)
  expect(String((await staff.open(PATH)).body)).not.toContain(GRANT)
  expect((await manager.open(GRANT, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  google.app.client_secret = 'changed at Google'
  const { body } = await manager.open(google.comeBack(await toGoogle(manager), ANN))
  expect(textOf(body)).toContain('Google refuses the app of the business.')
  google.app.client_secret = APP.client_secret
  const back = google.comeBack(await toGoogle(manager), ANN)
  google.intercept = () => ({ status: 503, body: '' })
  expect(textOf((await manager.open(back)).body)).toContain('The provider does not answer.')
})

test('[calendars at Google] an owner removes the app, and its calendars say so', async () => {
  google.intercept = undefined
  expect((await owner.send(SETUP, { do: 'remove' })).status).toBe(303)
  const page = String((await manager.open(PATH)).body)
  expect(page).not.toContain(GRANT)
  const [, id = ''] = /<li id="(ccal_[\w-]+)"/.exec(page) ?? []
  await manager.send(PATH, { do: 'refresh', source: id })
  expect(textOf((await manager.open(PATH)).body)).toContain('Google refuses the app of the business.')
})
