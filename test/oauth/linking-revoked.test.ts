import { describe, expect, test } from 'vitest'
import { addClient, revokeClient } from '../../src/core/authentication/api-keys.ts'
import { restDesk } from '../support/desk.ts'
import {
  asLinked,
  BACK,
  browser,
  linked,
  linkingBusiness,
  linkingShop,
  newEmail,
  PASSWORD,
  refresh,
} from './browser.ts'
import { basic, post } from './support.ts'

const { shop, client } = await linkingShop()
const desk = restDesk(shop)
const tomorrow = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10)

/** What a call with the token is told: a booking that is none, or that the token is good no more. */
const told = async (token: string) => {
  const { status, code } = await desk.get('bkg_none', { as: asLinked(shop, token) })
  return [status, code]
}
const GOOD = [404, 'booking_not_found']
const DEAD = [401, 'authentication_required']

const revoke = (token: string, by = client) => post(shop, '/oauth/revoke', { token }, basic(by))

async function signedIn(email: string) {
  const person = browser(shop)
  const page = await person.send('/account', { do: 'sign_in', email, password: PASSWORD })
  return { person, page }
}

test('[AUT-079] [AUT-080] revoking a refresh token ends all that was ever issued on its grant', async () => {
  const first = await linked(shop, client)
  const second = (await refresh(shop, client, first.refresh)).body
  const third = (await refresh(shop, client, second.refresh_token)).body
  const access = [first.access, second.access_token, third.access_token]
  for (const token of access) expect(await told(token)).toEqual(GOOD)
  expect((await revoke(third.refresh_token)).status).toBe(200)
  for (const token of access) expect(await told(token)).toEqual(DEAD)
  expect((await refresh(shop, client, third.refresh_token)).body.error).toBe('invalid_grant')
})

test('[AUT-080] a refresh token that was used is worth nothing, and shown again it ends the grant', async () => {
  const first = await linked(shop, client)
  const second = (await refresh(shop, client, first.refresh)).body
  expect(second.refresh_token).not.toBe(first.refresh)
  expect((await refresh(shop, client, first.refresh)).body.error).toBe('invalid_grant')
  expect(await told(second.access_token)).toEqual(DEAD)
  expect((await refresh(shop, client, second.refresh_token)).body.error).toBe('invalid_grant')
})

test('[AUT-080] of many who refresh at once not two get on', async () => {
  const { refresh: token } = await linked(shop, client)
  const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(shop, client, token)))
  for (const { body } of answers.filter(({ status }) => status === 200))
    expect(await told(body.access_token)).toEqual(DEAD)
})

test('[AUT-078] revoking an access token ends that one', async () => {
  const { access, refresh: token } = await linked(shop, client)
  await revoke(access)
  expect(await told(access)).toEqual(DEAD)
  expect(await told((await refresh(shop, client, token)).body.access_token)).toEqual(GOOD)
})

test('nobody revokes what another client was given', async () => {
  const other = await addClient(shop.runtime.db, 'Other', new Date(), [BACK])
  const tokens = await linked(shop, client)
  for (const token of [tokens.refresh, tokens.access]) expect((await revoke(token, other)).status).toBe(200)
  expect(await told(tokens.access)).toEqual(GOOD)
  expect((await refresh(shop, client, tokens.refresh)).status).toBe(200)
})

describe('on the page of the account', () => {
  test('[AUT-078] a buyer sees who may act for them and what for, and ends it at once', async () => {
    const email = newEmail()
    const tokens = await linked(shop, client, { email, granted: ['usp:booking'] })
    const others = await linked(shop, client)
    const { person, page } = await signedIn(email)
    expect(page.body).toContain('<h2>Concierge &lt;App&gt;</h2>')
    expect(page.body).toContain('Book for you here')
    expect(page.body).not.toContain('in the past')
    const after = await person.send('/account', { do: 'unlink', client: client.id })
    expect(after.body).toContain('No app has access to your account.')
    expect(await told(tokens.access)).toEqual(DEAD)
    expect((await refresh(shop, client, tokens.refresh)).body.error).toBe('invalid_grant')
    expect(await told(others.access)).toEqual(GOOD)
  })

  test('[AUT-078] what was booked stays, for the buyer who links again', async () => {
    const email = newEmail()
    const [slot] = await desk.slots('svc_a', { start_date: tomorrow, end_date: tomorrow })
    const before = asLinked(shop, (await linked(shop, client, { email })).access)
    const { booking } = (await desk.book(slot, {}, { as: before })).data
    const { person } = await signedIn(email)
    await person.send('/account', { do: 'unlink', client: client.id })
    expect((await desk.get(booking.id, { as: before })).status).toBe(401)
    const asPlatform = { bearer: client.key, ...(before.profile && { profile: before.profile }) }
    expect((await desk.get(booking.id, { as: asPlatform })).code).toBe('booking_not_found')
    const after = asLinked(shop, (await linked(shop, client, { email })).access)
    expect((await desk.get(booking.id, { as: after })).data.booking.status).toBe(booking.status)
  })

  test('nothing is seen or ended without signing in, after signing out, or half an hour later', async () => {
    const email = newEmail()
    const tokens = await linked(shop, client, { email })
    await browser(shop).send('/account', { do: 'unlink', client: client.id })
    const { person, page } = await signedIn(email)
    expect(page.body).toContain('<h1>Your account</h1>')
    const before = shop.time.now
    shop.time.now = new Date(Date.now() + 31 * 60_000)
    expect((await person.open('/account')).body).toContain('<h1>Sign in</h1>')
    shop.time.now = before
    expect((await person.open('/account')).body).toContain('<h1>Your account</h1>')
    const cookie = [...person.jar].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ')
    expect((await person.send('/account', { do: 'leave' })).body).toContain('<h1>Sign in</h1>')
    const stolen = await shop.raw({ method: 'GET', url: '/account', headers: { cookie } })
    expect(stolen.body).toContain('<h1>Sign in</h1>')
    expect(await told(tokens.access)).toEqual(GOOD)
  })

  test('a form of another site ends nothing, and the cookie is sent along with none', async () => {
    const email = newEmail()
    const tokens = await linked(shop, client, { email })
    const { person } = await signedIn(email)
    const forged = await person.send(
      '/account',
      { do: 'unlink', client: client.id },
      { origin: 'https://evil.example' },
    )
    expect(forged.status).toBe(403)
    expect(await told(tokens.access)).toEqual(GOOD)
    const { headers } = await browser(shop).visit(
      'POST',
      '/account',
      new URLSearchParams({ do: 'sign_in', email, password: PASSWORD }),
    )
    expect(headers['set-cookie']).toMatch(/HttpOnly; SameSite=Lax$/)
  })
})

test('[AUT-078] erasing a buyer erases the account under the address, and its links with it', async () => {
  const email = newEmail()
  const tokens = await linked(shop, client, { email })
  const { status } = await desk.call('usp_business_buyers_erase', { email: email.toUpperCase() }, { as: shop.staff })
  expect(status).toBe(200)
  expect(await told(tokens.access)).toEqual(DEAD)
  expect((await refresh(shop, client, tokens.refresh)).body.error).toBe('invalid_grant')
  expect((await signedIn(email)).page.status).toBe(422)
})

test('a client that is revoked takes its links with it', async () => {
  const gone = await addClient(shop.runtime.db, 'Gone', new Date(), [BACK])
  const tokens = await linked(shop, gone)
  expect(await told(tokens.access)).toEqual(GOOD)
  await revokeClient(shop.runtime.db, gone.id)
  expect(await told(tokens.access)).toEqual(DEAD)
})

test('where linking is switched off its tokens are worth nothing', async () => {
  const off = await linkingShop()
  const tokens = await linked(off.shop, off.client)
  const ask = { as: asLinked(off.shop, tokens.access) }
  const status = async () => (await restDesk(off.shop).get('bkg_none', ask)).status
  expect(await status()).toBe(404)
  await off.shop.apply(linkingBusiness({ identity_linking: false, accepted_mechanisms: ['oauth2_bearer'] }))
  await expect.poll(status).toBe(401)
})
