import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { roles } from '../../../src/protocol/caller-types.ts'
import { deskSalon } from './receptionist.ts'

const PATHS = ['/desk/design', '/desk/design/buyers']
const { shop, signedIn } = await deskSalon()

const componentsIn = (body: string) => [...body.matchAll(/<h2 lang="en">([^<]*)</g)].map(([, name = '']) => name)

test('[design pages] each role may open them, and they are the same for all roles', async () => {
  for (const path of PATHS) {
    const bodies = await Promise.all(
      roles.map(async (role) => {
        const { status, body } = await (await signedIn(role)).open(path)
        expect([path, role, status]).toEqual([path, role, 200])
        // The menu shows the places of the role, and each form has its own token.
        return String(body)
          .replace(/<header class="desk">.*?<\/header>/s, '')
          .replaceAll(/ name="form" value="[^"]*"/g, '')
          .replaceAll(/ data-newest="[^"]*"/g, '')
      }),
    )
    expect(new Set(bodies).size).toBe(1)
    expect(componentsIn(bodies[0] ?? '').length).toBeGreaterThan(6)
  }
})

test('[design pages] a browser in which nobody is signed in is sent to the sign-in page', async () => {
  for (const path of PATHS) {
    const { status, headers, body } = await shop.raw({ url: path })
    expect([status, headers.location, componentsIn(String(body))]).toEqual([303, '/desk', []])
  }
})

test('[design pages] they take no forms, and the browser sends none from them', async () => {
  const owner = await signedIn('owner')
  for (const path of PATHS) {
    expect((await owner.send(path)).status).toBe(405)
    const { headers } = await owner.open(path)
    expect(headers['content-security-policy']).toContain("form-action 'none'")
  }
  expect((await owner.open('/desk')).headers['content-security-policy']).toContain("form-action 'self'")
})

test('[design pages] a production server answers as for any unknown address', async () => {
  const production = await deskSalon({
    USP_MODE: 'production',
    DATABASE_URL: 'postgres://u@h/d',
    BASE_URL: 'https://salon.example',
    USP_SECRET_KEY: 'x'.repeat(32),
    TRUST_PROXY: '127.0.0.1',
  })
  const answerTo = async ({ raw }: typeof shop, url: string) => {
    const { status, headers, body } = await raw({ url, headers: { 'x-forwarded-proto': 'https' } })
    return { status, type: headers['content-type'], body: String(body).replaceAll(url, 'ADDRESS') }
  }
  for (const path of [...PATHS, '/desk/design.css']) {
    const answer = await answerTo(production.shop, path)
    expect(answer.status).toBe(404)
    expect(answer).toEqual(await answerTo(production.shop, path.replace('design', 'unknown')))
    expect((await answerTo(shop, path)).status).toBe(path.endsWith('.css') ? 200 : 303)
  }
})

test('[design pages] docs/design.md has a section for each group of components, and no others', async () => {
  const owner = await signedIn('owner')
  const text = readFileSync('docs/design.md', 'utf8')
  for (const [path, heading] of [
    ['/desk/design', 'Components of the desk'],
    ['/desk/design/buyers', 'Components of the pages for buyers'],
  ] as const) {
    const [, section = ''] = new RegExp(`^## ${heading}\n(.*?)(?=^## |$(?![\\s\\S]))`, 'ms').exec(text) ?? []
    const rows = [...section.matchAll(/^\| ([A-Z][^|]*?) \|/gm)].map(([, name]) => name)
    expect(rows).toEqual(componentsIn(String((await owner.open(path)).body)))
  }
})
