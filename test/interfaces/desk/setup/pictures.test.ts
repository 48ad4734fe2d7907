import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import type { BusinessDefinition } from '../../../../src/protocol/types.generated.ts'
import { logo, noise, photo, pngSaying, striped, svg } from '../../../pictures/picture-files.ts'
import { upload, uploadRequest } from '../../../pictures/upload-form.ts'
import { deskSalon } from '../receptionist.ts'

const { shop, signedIn, person } = await deskSalon()
const { db, business } = shop.runtime
const manager = await signedIn('manager')
const OF_SERVICE = '/desk/setup/services/svc_auto/picture'
const OF_PERSON = '/desk/setup/resources/staff_ann/picture'
const LOGO = '/desk/setup/website/logo'
const send = (url: string, file?: Buffer, fields: Record<string, string> = {}) =>
  upload(shop, manager, url, { ...(file && { file }), fields })
const current = async (): Promise<BusinessDefinition> =>
  (await business.seenBy(db)) ?? { business: Object(), services: [] }
const haircut = async () => (await current()).services.find(({ id }) => id === 'svc_auto')
const stored = async () => (await db.selectFrom('pictures').select('digest').execute()).length

test('[pictures] a manager uploads the picture of a service, and buyers see it', async () => {
  expect((await manager.open('/desk/setup/services/svc_auto')).body).toContain(`href="${OF_SERVICE}">Add a picture</a>`)
  const page = await manager.open(OF_SERVICE)
  expect(page.body).toContain('<h1>Picture: Haircut</h1>')
  expect(page.body).toMatch(/<form method="post" action="[^"]*picture" enctype="multipart\/form-data"/)
  const { status, headers } = await send(OF_SERVICE, await photo(2000, 2000), { alt: 'Scissors & comb' })
  expect([status, headers.location]).toEqual([303, '/desk/setup/services/svc_auto?saved'])
  const [medium] = (await haircut())?.media ?? []
  expect(medium).toEqual({
    type: 'image',
    url: expect.stringMatching(/^https:.*\/pictures\/\w{64}\.jpg$/),
    alt_text: 'Scissors & comb',
  })
  const { pathname } = new URL(medium?.url ?? '')
  const small = pathname.replace('.jpg', '-small.jpg')
  expect((await manager.open('/desk/setup/services/svc_auto')).body).toContain(
    `<img class="uploaded service" src="${small}" alt="">`,
  )
  const list = await person().open('/book')
  expect(list.body).toContain(`<img src="${pathname}" srcset="${small} 640w, ${pathname} 1600w"`)
  const own = await person().open('/book/svc_auto')
  expect(own.body).toContain('alt="Scissors &amp; comb"')
  expect(own.body).toContain(`<meta property="og:image" content="${medium?.url}">`)
  expect((await shop.raw({ method: 'GET', url: pathname })).status).toBe(200)
})

test('[pictures] another picture takes its place, and keeps the other media', async () => {
  const before = await current()
  const video = { type: 'video', url: 'https://salon.example/cut.mp4' }
  await shop.apply({
    ...before,
    services: before.services.map((one) =>
      one.id === 'svc_auto'
        ? { ...one, media: [video, { type: 'image', url: 'https://salon.example/a.jpg', role: 'hero', width: 3 }] }
        : one,
    ),
  })
  await send(OF_SERVICE, await photo(1700, 1000))
  expect((await haircut())?.media).toEqual([
    { type: 'image', url: expect.stringContaining('/pictures/'), role: 'hero' },
    video,
  ])
  // Only the description changes.
  const url = (await haircut())?.media?.[0]?.url
  expect((await send(OF_SERVICE, undefined, { alt: 'A hand' })).status).toBe(303)
  expect((await haircut())?.media?.[0]).toMatchObject({ url, alt_text: 'A hand' })
  await send(OF_SERVICE, undefined, { do: 'remove' })
  expect((await haircut())?.media).toEqual([video])
})

test('[pictures] a person has a square one, and the business its logo', async () => {
  await send(OF_PERSON, await striped(900, 400))
  const ann = (await current()).resources?.find(({ id }) => id === 'staff_ann')
  expect(ann?.image_url).toMatch(/\/pictures\/\w{64}\.jpg$/)
  const { headers } = await send(LOGO, await logo())
  expect(headers.location).toBe('/desk/setup/website?saved')
  const { website } = await current()
  expect(website?.logo).toMatch(/^https:.*\/pictures\/\w{64}\.png$/)
  const { pathname } = new URL(website?.logo ?? '')
  expect((await person().open('/book')).body).toContain(`<img src="${pathname}" alt="" height="40">`)
  await send(LOGO, undefined, { do: 'remove' })
  expect((await current()).website?.logo).toBeUndefined()
})

test.each([
  ['no file', undefined, 'Choose a file first.'],
  ['an SVG', svg, 'This file cannot be read as a picture.'],
  ['a bomb', pngSaying(40_000, 40_000), 'This picture is too large.'],
])('[pictures] %s is refused at its field, and what was typed stays', async (_, file, text) => {
  const before = await stored()
  const { status, body } = await send(OF_PERSON, file)
  expect(status).toBe(409)
  expect(body).toContain('<a href="#picture">')
  expect(body).toMatch(new RegExp(`id="picture-error">${text}`))
  const again = await send(OF_SERVICE, file ?? svg, { alt: 'A chair' })
  expect(again.body).toContain('value="A chair"')
  expect(await stored()).toBe(before)
})

test('[pictures] a file above the limit is refused before it is read', async () => {
  const { status, headers } = await send(OF_SERVICE, Buffer.alloc(10_100_000))
  expect([status, headers.location]).toEqual([303, `${OF_SERVICE}?large`])
  expect((await manager.open(`${OF_SERVICE}?large`)).body).toContain('This picture is too large.')
})

test('[pictures] a picture may come in many small pieces, as over a slow connection', async () => {
  const url = await (await shop.whole()).listen({ port: 0, host: '127.0.0.1' })
  const { headers, payload } = await uploadRequest(manager, { file: await noise(1_200, 1_000) })
  const sent = request(`${url}${OF_PERSON}`, { method: 'POST', headers })
  const answered = once(sent, 'response')
  const pieces = Array.from({ length: Math.ceil(payload.length / 600) }, (_, nth) =>
    payload.subarray(nth * 600, (nth + 1) * 600),
  )
  expect(pieces.length).toBeGreaterThan(5_000)
  for (const piece of pieces) if (!sent.write(piece)) await once(sent, 'drain')
  sent.end()
  const [{ statusCode }] = await answered
  expect(statusCode).toBe(303)
})

test('[pictures] a form that is sent twice takes effect once', async () => {
  const form = await manager.newToken()
  const file = await photo(640, 480)
  const first = await send(OF_PERSON, file, { form })
  const version = await db.selectFrom('business').select('version').executeTakeFirstOrThrow()
  const again = await send(OF_PERSON, file, { form })
  expect([again.status, again.headers.location]).toEqual([303, first.headers.location])
  expect(await db.selectFrom('business').select('version').executeTakeFirstOrThrow()).toEqual(version)
  expect((await send(OF_PERSON, await photo(641, 480), { form })).status).toBe(409)
})

test.each(['staff', 'viewer'] as const)('[pictures] %s see neither page nor upload', async (role) => {
  const one = await signedIn(role)
  const before = await stored()
  expect((await one.open(OF_SERVICE)).status).toBe(403)
  expect((await upload(shop, one, OF_SERVICE, { file: await photo() })).status).toBe(403)
  expect(await stored()).toBe(before)
})

test('[pictures] nobody else uploads: not signed in, from another site, or with another form', async () => {
  const before = await stored()
  const file = await photo()
  const stranger = { jar: new Map(), newToken: async () => 'none' }
  expect((await upload(shop, stranger, OF_SERVICE, { file })).body).toContain('action="/desk/enter"')
  const foreign = await upload(shop, manager, OF_SERVICE, { file, headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)
  expect((await send(OF_SERVICE, file, { form: 'none' })).status).toBe(422)
  expect(await stored()).toBe(before)
})

test('[pictures] what does not exist has no page, and other pages take no files', async () => {
  for (const path of ['locations/loc_here', 'website/x', 'nothing/x'])
    expect([path, (await manager.open(`/desk/setup/${path}/picture`)).status]).toEqual([path, 404])
  expect((await manager.open('/desk/setup/services/svc_none/picture')).status).toBe(404)
  expect((await send('/desk/setup/services/svc_none/picture', await photo())).status).toBe(404)
  expect((await send('/desk/setup/services/svc_auto', await photo())).status).toBe(415)
  expect((await send('/desk/enter', await photo())).status).toBe(415)
})
