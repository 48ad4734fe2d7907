import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const services = [service('svc_a'), service('svc_b'), service('svc_gone', { status: 'archived' })]
const server = await testServer(businessWith(services))
const { baseUrl } = server.runtime.config
const get = async (url: string, from = server) => {
  const { statusCode, headers, body } = await from.inject({ method: 'GET', url })
  return { status: statusCode, type: headers['content-type'], headers, body }
}

test('robots.txt names the site map and keeps crawlers from the pages of one person', async () => {
  const { status, type, body } = await get('/robots.txt')
  expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
  const lines = body.split('\n')
  expect(lines[0]).toBe('User-agent: *')
  for (const path of ['/desk', '/my', '/booking/', '/usp/']) expect(lines).toContain(`Disallow: ${path}`)
  expect(lines).toContain(`Sitemap: ${baseUrl}/sitemap.xml`)
})

test('sitemap.xml lists the pages where something can be booked', async () => {
  const { status, type, body } = await get('/sitemap.xml')
  expect([status, type]).toEqual([200, 'application/xml; charset=utf-8'])
  const pages = [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, page]) => page)
  expect(pages).toEqual([`${baseUrl}/book`, `${baseUrl}/book/svc_a`, `${baseUrl}/book/svc_b`])
  expect(body).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset /)
})

test('a business without pages has no site map and names none', async () => {
  const closed = await testServer(businessWith(services, { website: { enabled: false } }))
  expect((await get('/sitemap.xml', closed)).status).toBe(404)
  expect((await get('/robots.txt', closed)).body).not.toContain('Sitemap:')
})

test('the icon has the first letter and the colour of the business, and every page names it', async () => {
  const shop = await testServer(
    businessWith(services, {
      business: { ...businessWith([]).business, name: '“<ölwerk>' },
      website: { accent: '#115533' },
    }),
  )
  for (const url of ['/favicon.ico', '/favicon.svg']) {
    const { status, type, body } = await get(url, shop)
    expect([status, type]).toEqual([200, 'image/svg+xml'])
    expect(body).toContain('fill="#115533"')
    expect(body).toContain('>Ö</text>')
  }
  for (const url of ['/book', '/desk']) {
    const { headers, body } = await get(url, shop)
    expect(body).toContain('<link rel="icon" href="/favicon.svg" type="image/svg+xml">')
    expect(headers['content-security-policy']).toContain("img-src 'self'")
  }
})

test.each([
  ['en', 'en_US'],
  ['en-GB', 'en_GB'],
  ['de-AT', 'de_AT'],
  ['ja', 'ja_JP'],
  ['ar', 'ar_EG'],
])('the page for %s names the locale %s to previews', async (language, locale) => {
  const headers = { 'accept-language': language }
  const { body } = await server.inject({ method: 'GET', url: '/book', headers })
  expect(body).toContain(`<meta property="og:locale" content="${locale}">`)
})
