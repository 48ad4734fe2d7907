import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { DEMO_PICTURES, pictureAddress } from '../../src/interfaces/assets/demo-pictures.ts'
import { testServer } from '../support/server.ts'
import { definition } from './demo-salon.ts'

const names = readdirSync(DEMO_PICTURES)
const contentOf = (name: string) => readFileSync(new URL(name, DEMO_PICTURES), 'utf8')
const urls = definition.services.flatMap(({ media = [] }) => media.map(({ url }) => url))

test('[pictures of the demo] each service has one, and the page shows the copy of this server', async () => {
  expect(urls).toHaveLength(definition.services.length)
  const server = await testServer(definition)
  for (const url of urls) {
    const path = pictureAddress(url)
    expect(path).toMatch(/^\/assets\/demo\/[\w-]+\.svg$/)
    const { status, headers, body } = await server.raw({ method: 'GET', url: path })
    expect([status, headers['content-type'], body]).toEqual([200, 'image/svg+xml', contentOf(path.slice(13))])
  }
  const { body } = await server.raw({ method: 'GET', url: '/book' })
  expect([...String(body).matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src)).toEqual(urls.map(pictureAddress))
})

test('[pictures of the demo] the picture of another business keeps its address', () => {
  for (const url of ['https://salon.example/a.svg', 'https://glamour-salon.example/images/unknown.svg'])
    expect(pictureAddress(url)).toBe(url)
})

test.each(names)(
  '[pictures of the demo] %s is small, and has no text, no script and nothing from elsewhere',
  (name) => {
    const content = contentOf(name)
    expect(content.length).toBeLessThan(4_000)
    expect(content.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /<(text|script|image|use|style)|http|\bon\w+=/,
    )
  },
)

test('[pictures of the demo] the package contains them', () => {
  expect(manifest.files).toContain('examples/pictures')
})
