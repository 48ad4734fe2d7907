import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const MANY = 150
const services = Array.from({ length: MANY }, (_, index) => service(`svc_${index}`))
const { app } = await serverWithAllInterfaces(businessWith(services))
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const GZIP = { 'accept-encoding': 'gzip, deflate, br' }

describe('[what is the same for everybody] goes compressed to who takes it', () => {
  const files = [
    '/assets/pages.js',
    '/embed.js',
    '/desk/desk.css',
    '/desk/desk.js',
    '/docs/api/static/swagger-ui-bundle.js',
  ]

  test.each(files)('%s', async (file) => {
    const [plain, packed] = [await get(file), await get(file, GZIP)]
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(Number(packed.headers['content-length'])).toBe(packed.rawPayload.length)
  })

  test('each of the two has a tag of its own', async () => {
    const [plain, packed] = [await get('/assets/pages.js'), await get('/assets/pages.js', GZIP)]
    const tags = [plain, packed].map(({ headers }) => String(headers.etag))
    expect(new Set(tags).size).toBe(2)
    const [ofPlain = '', ofPacked = ''] = tags
    const status = async (headers: Record<string, string>) => (await get('/assets/pages.js', headers)).statusCode
    expect(await status({ 'if-none-match': ofPlain })).toBe(304)
    expect(await status({ 'if-none-match': ofPacked })).toBe(200)
    expect(await status({ ...GZIP, 'if-none-match': ofPacked })).toBe(304)
    expect(await status({ ...GZIP, 'if-none-match': ofPlain })).toBe(200)
  })

  test.each([
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=1.0, gzip; q=0.8, *;q=0.1', 'gzip'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, br', undefined],
    ['gzip;q=much', undefined],
    ['br, notgzip', undefined],
    ['identity', undefined],
    ['', undefined],
    [',;,'.repeat(2_000), undefined],
  ])('where it says %j', async (accepted, encoding) => {
    const { headers } = await get('/assets/pages.js', { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
  })
})

describe('[the length of a page tells no other site a secret] a large page', () => {
  const asked = async (headers: Record<string, string>, url = '/book') => await get(url, { ...GZIP, ...headers })

  test.each(['same-origin', 'none'])('goes compressed where it is opened from %s', async (site) => {
    const page = await asked({ 'sec-fetch-site': site })
    expect(page.headers['content-encoding']).toBe('gzip')
    const text = gunzipSync(page.rawPayload).toString()
    expect(text).toContain(`/book/svc_${MANY - 1}"`)
    expect(text.length).toBeGreaterThan(32 * 1024)
    expect(text.length).toBeGreaterThan(4 * page.rawPayload.length)
  })

  test.each([{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])(
    'and as it is with %j',
    async (headers) => {
      const page = await asked(headers)
      expect(page.headers).not.toHaveProperty('content-encoding')
      expect(page.body).toContain('/book/svc_0"')
    },
  )

  test('and a small one always', async () => {
    const page = await asked({ 'sec-fetch-site': 'none' }, '/book/svc_0')
    expect(page.headers).not.toHaveProperty('content-encoding')
    expect(page.body).toContain('<!doctype html>')
  })
})
