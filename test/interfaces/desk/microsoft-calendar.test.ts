import { afterAll, beforeEach, expect, test } from 'vitest'
import { startCalendarReader } from '../../../src/domain/busy-times/source-worker.ts'
import { salon } from '../../busy-times/connected-shop.ts'
import { googleStandIn } from '../../busy-times/google.ts'
import { APP, microsoftStandIn } from '../../busy-times/microsoft.ts'
import { deskSalon } from './receptionist.ts'

const PATH = '/desk/calendars'
const SETUP = '/desk/setup/microsoft-calendar'
const GRANT = '/desk/calendars/microsoft'
const ANN = 'ann@outlook.com'
const DENIED = 'Microsoft did not grant access to the calendars. Try again, and accept the permission.'

const [microsoft, google] = await Promise.all([microsoftStandIn(), googleStandIn()])
const desk = await deskSalon({ MICROSOFT_API_BASE: microsoft.origin, GOOGLE_API_BASE: google.origin }, salon)
const { shop } = desk
const worker = startCalendarReader(shop.runtime)
afterAll(() => worker.close())

type Person = Awaited<ReturnType<typeof desk.signedIn>>

const textOf = (body: unknown) =>
  String(body)
    .replace(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
const toMicrosoft = async (one: Person, path = GRANT) => String((await one.open(path)).headers.location ?? '')
const grantOf = (body: unknown) => / name="grant" value="([^"]+)"/.exec(String(body))?.[1] ?? ''

const [owner, manager] = [await desk.signedIn('owner'), await desk.signedIn('manager')]
beforeEach(() => shop.minutesLater(1))

test('[calendars at Microsoft] an owner enters the app, and a manager connects an account with it', async () => {
  expect(String((await owner.open('/desk/setup')).body)).toContain(`href="${SETUP}"`)
  const setup = String((await owner.open(SETUP)).body)
  expect(setup).toContain('<code dir="ltr">http://127.0.0.1:8080/desk/calendars/microsoft/return</code>')
  expect(setup).toContain('href="/docs/calendars#connect-microsoft-365-and-outlook"')
  expect((await owner.send(SETUP, { do: 'save', ...APP })).headers.location).toBe(`${SETUP}?saved`)
  const calendar = String((await manager.open(PATH)).body)
  expect(calendar).toContain(`href="${GRANT}"`)
  expect(calendar).not.toContain('href="/desk/calendars/google"')
  const url = new URL(await toMicrosoft(manager))
  expect(`${url.origin}${url.pathname}`).toBe(`${microsoft.origin}/common/oauth2/v2.0/authorize`)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: APP.client_id,
    redirect_uri: 'http://127.0.0.1:8080/desk/calendars/microsoft/return',
    scope: 'https://graph.microsoft.com/Calendars.Read offline_access',
    code_challenge_method: 'S256',
  })
  const work = microsoft.makeCalendar(ANN, 'Work')
  microsoft.put(work, 'one', { start: '2026-11-24T16:00:00', end: '2026-11-24T17:00:00' })
  const chosen = await manager.open(microsoft.comeBack(url.href, ANN))
  expect(textOf(chosen.body)).toMatch(/Connect Outlook calendar .*ann@outlook\.com .+ Calendar Work/)
  const form = { do: 'account', grant: grantOf(chosen.body), resource: 'staff_ann', calendar: work }
  expect((await manager.send(PATH, form)).status).toBe(303)
  expect(textOf((await manager.open(PATH)).body)).toMatch(
    /Ann · ann@outlook\.com outlook\.office\.com 1 busy time in the next 30 days Read /,
  )
})

test('[calendars at Microsoft] the desk says what to do about revoked access and an expired secret', async () => {
  const [, id = ''] = /<li id="(ccal_[\w-]+)"/.exec(String((await manager.open(PATH)).body)) ?? []
  microsoft.app.client_secret = 'renewed'
  await manager.send(PATH, { do: 'refresh', source: id })
  expect(textOf((await manager.open(PATH)).body)).toContain('Microsoft refuses the app of the business. Its secret may')
  microsoft.app.client_secret = APP.client_secret
  microsoft.revoke(ANN)
  await manager.send(PATH, { do: 'refresh', source: id })
  expect(textOf((await manager.open(PATH)).body)).toContain('Press “Connect Outlook calendar”, and choose the same')
  const { body } = await manager.open(microsoft.comeBack(await toMicrosoft(manager), ANN))
  await manager.send(PATH, { do: 'account', grant: grantOf(body), resource: 'staff_ann' })
  const page = String((await manager.open(PATH)).body)
  expect(page.match(/<li id="ccal_/g)).toHaveLength(1)
  expect(page).not.toContain('Microsoft refuses')
})

test('[calendars at Microsoft] refused access, a foreign session and the return of another provider connect nothing', async () => {
  await owner.send('/desk/setup/google-calendar', { do: 'save', ...APP })
  const other = await desk.signedIn('manager')
  const isRefused = async (one: Person, path: string, text = DENIED) =>
    expect(textOf((await one.open(path)).body)).toContain(text)
  await isRefused(manager, microsoft.comeBack(await toMicrosoft(manager), ANN, { error: 'access_denied' }))
  await isRefused(other, microsoft.comeBack(await toMicrosoft(manager), ANN))
  const first = microsoft.comeBack(await toMicrosoft(manager), ANN)
  expect(grantOf((await manager.open(first)).body)).not.toBe('')
  await isRefused(manager, first)
  // A state of Google is no state of Microsoft.
  const mixed = new URL(await toMicrosoft(manager, '/desk/calendars/google'))
  const back = microsoft.comeBack(await toMicrosoft(manager), ANN)
  await isRefused(manager, back.replace(/state=[^&]+/, `state=${mixed.searchParams.get('state')}`))
})

test('[calendars at Microsoft] an owner removes the app, and its calendars say so', async () => {
  expect((await owner.send(SETUP, { do: 'remove' })).status).toBe(303)
  const page = String((await manager.open(PATH)).body)
  expect(page).not.toContain(`href="${GRANT}"`)
  expect((await manager.open(GRANT)).headers.location).toBe(PATH)
  const [, id = ''] = /<li id="(ccal_[\w-]+)"/.exec(page) ?? []
  await manager.send(PATH, { do: 'refresh', source: id })
  expect(textOf((await manager.open(PATH)).body)).toContain('Microsoft refuses the app of the business.')
})
