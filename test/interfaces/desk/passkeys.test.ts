import { describe, expect, test } from 'vitest'
import { authenticator } from '../../support/authenticator.ts'
import { selfSigned } from '../../support/certificates.ts'
import { deskSalon } from './receptionist.ts'

const ORIGIN = 'https://salon.example'
const { shop, hire, signedIn, person } = await deskSalon({ BASE_URL: ORIGIN, TRUST_PROXY: '127.0.0.1' })
const { db } = shop.runtime
type One = Pick<ReturnType<typeof person>, 'open' | 'send' | 'jar'>

let networks = 1
const from = () => ({ 'x-forwarded-for': `203.0.${networks++ % 250}.11` })
const added = async (one: One) => (await one.send('/desk/passkey/options')).body
const asked = async (one: One, headers = from()) => (await one.send('/desk/enter/options', {}, headers)).body
const isIn = async (one: One, name: string) => String((await one.open('/desk')).body).includes(`Sign out ${name}`)
const changesOf = (id: string) =>
  db.selectFrom('changes').select(['action', 'actor']).where('subject', '=', `staff ${id}`).orderBy('number').execute()

/** Somebody who has a passkey on a device, and may not be signed in. */
async function withPasskey(counts = true) {
  const one = await signedIn('staff')
  const device = authenticator(ORIGIN, { counts })
  const { status } = await one.send('/desk/passkey', device.add(await added(one)))
  expect(status).toBe(303)
  return { one, device, who: one.who }
}

test('[a passkey] is offered after a link, made once, and lets in from then on', async () => {
  const jo = await hire('staff')
  const one = person()
  expect((await one.send(await jo.link())).headers.location).toBe('/desk/passkey')
  expect((await one.open('/desk/passkey')).body).toContain('data-passkey="add"')
  const device = authenticator(ORIGIN)
  expect((await one.send('/desk/passkey', device.add(await added(one)))).headers.location).toBe('/desk')
  expect((await one.send(await jo.link())).headers.location).toBe('/desk')
  const other = person()
  expect((await other.open('/desk')).body).toContain('data-passkey="enter"')
  const { headers } = await other.send('/desk/enter', device.enter(await asked(other)), from())
  expect(headers.location).toBe('/desk')
  expect(await isIn(other, jo.name)).toBe(true)
  expect(await changesOf(jo.id)).toEqual([{ action: 'add_passkey', actor: `staff:${jo.id}` }])
})

test('[a passkey] is asked for with all that makes it one: for this site, with the owner shown, none that is there already', async () => {
  const { one, device, who } = await withPasskey()
  expect(await added(one)).toMatchObject({
    rp: { id: 'salon.example', name: 'Test Studio' },
    user: { name: who.name, id: Buffer.from(who.id).toString('base64url') },
    excludeCredentials: [{ id: device.id }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  })
  const outside = await asked(person())
  expect(outside).toMatchObject({ rpId: 'salon.example', userVerification: 'required' })
  expect(outside.allowCredentials ?? []).toEqual([])
})

describe('[a passkey is refused] that was', () => {
  const add: [string, (one: One) => Promise<Record<string, string>>][] = [
    ['made for another site', async (one) => authenticator('https://evil.example').add(await added(one))],
    ['made for another host', async (one) => authenticator(ORIGIN).add(await added(one), { rpId: 'evil.example' })],
    ['shown instead of made', async (one) => authenticator(ORIGIN).add(await added(one), { type: 'webauthn.get' })],
    ['made by who knows who', async (one) => authenticator(ORIGIN).add(await added(one), { isVerified: false })],
    [
      'made for what we never asked',
      async () => authenticator(ORIGIN).add({ challenge: 'bm90aGluZw', rp: { id: 'salon.example' } }),
    ],
    ['asked for by another browser', async () => authenticator(ORIGIN).add(await added(await signedIn('staff')))],
    [
      'asked for from outside',
      async (one) => authenticator(ORIGIN).add({ ...(await asked(one)), rp: { id: 'salon.example' } }),
    ],
    [
      'vouched for by whom nobody asked',
      async (one) => authenticator(ORIGIN).add(await added(one), { certificate: selfSigned('maker') }),
    ],
    ['not made at all', async () => ({ id: 'x', clientDataJSON: '', attestationObject: '' })],
    [
      'of no end',
      async (one) => ({ ...authenticator(ORIGIN).add(await added(one)), attestationObject: 'o'.repeat(9_000) }),
    ],
    [
      'not in form',
      async (one) => ({ ...authenticator(ORIGIN).add(await added(one)), attestationObject: 'o2NmbXRkbm9uZQ' }),
    ],
  ]
  test.each(add)('%s', async (_, fields) => {
    const one = await signedIn('staff')
    const { status, body } = await one.send('/desk/passkey', await fields(one))
    expect([status, body.includes('That did not work.')]).toEqual([422, true])
    expect(await db.selectFrom('staff_passkeys').select('id').where('staff_id', '=', one.who.id).execute()).toEqual([])
  })

  test('made with what was asked before, or too long ago', async () => {
    const one = await signedIn('staff')
    const options = await added(one)
    expect((await one.send('/desk/passkey', authenticator(ORIGIN).add(options))).status).toBe(303)
    expect((await one.send('/desk/passkey', authenticator(ORIGIN).add(options))).status).toBe(422)
    const late = await added(one)
    shop.minutesLater(6)
    expect((await one.send('/desk/passkey', authenticator(ORIGIN).add(late))).status).toBe(422)
  })

  test('somebody else’s already', async () => {
    const { device } = await withPasskey()
    const other = await signedIn('staff')
    expect((await other.send('/desk/passkey', device.add(await added(other)))).status).toBe(422)
  })
})

describe('[nobody comes in] by a passkey', async () => {
  const { device, who } = await withPasskey()
  const elsewhere = await withPasskey()
  const enter: [string, (one: One) => Promise<Record<string, string>>][] = [
    [
      'that was shown to another site',
      async (one) => device.enter(await asked(one), { origin: 'https://evil.example' }),
    ],
    ['of another host', async (one) => device.enter(await asked(one), { rpId: 'evil.example' })],
    ['that is made instead of shown', async (one) => device.enter(await asked(one), { type: 'webauthn.create' })],
    ['without its owner', async (one) => device.enter(await asked(one), { isVerified: false })],
    ['that another device signs', async (one) => device.enter(await asked(one), { by: elsewhere.device })],
    ['for what we never asked', async () => device.enter({ challenge: 'bm90aGluZw', rpId: 'salon.example' })],
    ['for what another browser was asked', async () => device.enter(await asked(person()))],
    [
      'for what was asked to make one',
      async () => device.enter({ ...(await added(await signedIn('staff'))), rpId: 'salon.example' }),
    ],
    ['that says to be used less than before', async (one) => device.enter(await asked(one), { counter: 0 })],
    ['that is none of ours', async (one) => authenticator(ORIGIN).enter(await asked(one))],
    ['without an end', async (one) => ({ ...device.enter(await asked(one)), signature: 's'.repeat(9_000) })],
    ['without a signature', async (one) => ({ ...device.enter(await asked(one)), signature: '' })],
  ]
  test.each(enter)('%s', async (_, fields) => {
    const one = person()
    const { status, body } = await one.send('/desk/enter', await fields(one), from())
    expect([status, body.includes('That did not work.')]).toEqual([422, true])
    expect(await isIn(one, who.name)).toBe(false)
  })

  test('twice for one question, also at the same moment, nor later than five minutes after it', async () => {
    const one = person()
    const fields = device.enter(await asked(one))
    const sent = await Promise.all([1, 2, 3].map(() => one.send('/desk/enter', fields, from())))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 422, 422])
    const late = person()
    const options = await asked(late)
    shop.minutesLater(6)
    expect((await late.send('/desk/enter', device.enter(options), from())).status).toBe(422)
  })

  test('twice as often used, of two that count the same, at the same moment', async () => {
    const copied = await withPasskey()
    const people = [person(), person()]
    const fields: Record<string, string>[] = []
    for (const one of people) fields.push(copied.device.enter(await asked(one), { counter: 9 }))
    const sent = await Promise.all(people.map((one, nth) => one.send('/desk/enter', fields[nth], from())))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 422])
  })

  test('once it has ended, or its owner has left', async () => {
    const { one, device: ended, who: jo } = await withPasskey()
    const [, id = ''] = /name="passkey" value="(pky_[\w-]+)"/.exec((await one.open('/desk/devices')).body) ?? []
    const other = await signedIn('staff')
    await other.send('/desk/devices', { passkey: id })
    const far = person()
    expect((await far.send('/desk/enter', ended.enter(await asked(far)), from())).status).toBe(303)
    await one.send('/desk/devices', { passkey: id })
    expect((await far.send('/desk/enter', ended.enter(await asked(far)), from())).status).toBe(422)
    expect((await changesOf(jo.id)).map(({ action }) => action)).toEqual(['add_passkey', 'end_passkey'])
    const gone = await withPasskey()
    const owner = await signedIn('owner')
    await owner.send('/desk/people', { do: 'remove', staff: gone.who.id })
    expect((await far.send('/desk/enter', gone.device.enter(await asked(far)), from())).status).toBe(422)
  })

  test('[limits] more than ten times a minute from one network; others go on', async () => {
    const here = from()
    const one = person()
    const answers = []
    for (let time = 0; time < 11; time++)
      answers.push(await one.send('/desk/enter', device.enter(await asked(one, here), { isVerified: false }), here))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(422), 429])
    const other = person()
    expect((await other.send('/desk/enter', device.enter(await asked(other)), from())).status).toBe(303)
  })
})

test('[a device that does not count] lets in again and again', async () => {
  const { device } = await withPasskey(false)
  for (let time = 0; time < 2; time++) {
    const one = person()
    expect((await one.send('/desk/enter', device.enter(await asked(one)), from())).status).toBe(303)
  }
})

test.each([{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])(
  '[other sites] ask for nothing and send nothing: %j',
  async (headers) => {
    const one = await signedIn('staff')
    for (const path of ['/desk/passkey/options', '/desk/passkey', '/desk/enter/options', '/desk/enter'])
      expect((await one.send(path, {}, headers)).status).toBe(403)
  },
)

test('whoever is not signed in is asked to make none', async () => {
  const { status, body } = await person().send('/desk/passkey/options')
  expect([status, typeof body]).toEqual([403, 'string'])
})

test('[what is kept] of a passkey lets nobody in, and no page or log names more', async () => {
  const { device } = await withPasskey()
  const [row] = await db.selectFrom('staff_passkeys').selectAll().where('credential', '=', device.id).execute()
  expect(Object.keys(row ?? {}).toSorted()).toEqual(
    ['credential', 'id', 'staff_id', 'public_key', 'counter', 'device', 'created_at', 'used_at'].toSorted(),
  )
  expect(shop.logged.join('')).not.toContain(device.id)
})

test.each(['http://127.0.0.1:8080', 'https://192.0.2.7', 'https://[2001:db8::7]', 'http://salon.example'])(
  'where browsers have none, at %s, none is offered',
  async (BASE_URL) => {
    const bare = await deskSalon({ BASE_URL })
    const one = bare.person()
    expect((await one.open('/desk')).body).not.toContain('data-passkey')
    expect((await one.send(await (await bare.hire('staff')).link())).headers.location).toBe('/desk')
    expect((await one.open('/desk/passkey')).headers.location).toBe('/desk/devices')
    expect((await one.open('/desk/devices')).body).not.toContain('data-passkey')
  },
)
