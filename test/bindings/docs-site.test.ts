import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_one')]))
const get = async (url: string) => {
  const { status, headers, body } = await server.raw({ method: 'GET', url })
  return { status, headers, text: String(body) }
}
const linksIn = (html: string) => [...html.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)

/** Every page that a reader can reach from the start page. */
async function crawl() {
  const found = new Map<string, { text: string; status: number }>()
  const todo = ['/docs']
  for (const path of todo) {
    if (found.has(path)) continue
    const page = await get(path)
    found.set(path, page)
    const own = linksIn(page.text).filter((link) => link.startsWith('/docs') && !link.startsWith('/docs/api'))
    todo.push(...own.map((link) => link.replace(/#.*/, '')))
  }
  return found
}

const found = await crawl()

describe('the documentation site', () => {
  test('shows every page of the folder docs, within reach of the start page', () => {
    const files = globSync('docs/**/*.md').map((file) => `/${file.slice(0, -'.md'.length)}`)
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((path) => !found.has(path))).toEqual([])
    expect([...found].filter(([, { status }]) => status !== 200)).toEqual([])
  })

  test('links only to headings that exist', () => {
    const broken = [...found].flatMap(([path, { text }]) =>
      linksIn(text)
        .filter((link) => link.includes('#') && !link.startsWith('http'))
        .filter((link) => {
          const [page = '', anchor] = link.split('#')
          return !found.get(page || path)?.text.includes(`id="${anchor}"`)
        })
        .map((link) => `${path}: ${link}`),
    )
    expect(broken).toEqual([])
  })

  test('has the API reference beside it, and the pictures of its pages', async () => {
    expect(linksIn(found.get('/docs')?.text ?? '')).toContain('/docs/api')
    expect((await get('/docs/api')).status).toBe(200)
    const picture = await server.raw({ method: 'GET', url: '/docs/images/desk.png' })
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/png'])
  })

  test.each([
    '/docs/none',
    '/docs/images/none.png',
    '/docs/../package',
    '/docs/%2e%2e%2fREADME',
    '/docs/images/..%2frunning.md',
  ])('has nothing at %s', async (url) => {
    expect((await get(url)).status).toBe(404)
  })

  test('runs no script, whatever a page or a question contains', async () => {
    const { headers, text } = await get('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E%22')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(text).not.toContain('<script')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;')
    for (const [, page] of found) expect(page.text).not.toMatch(/<script/i)
  })
})

describe('its search', () => {
  test('finds the section with all words, a heading before a text', async () => {
    const { text } = await get('/docs/search?q=SMTP_URL')
    expect(linksIn(text).filter((link) => /^\/docs\/(owners|running|settings)#/.test(link))).not.toEqual([])
    const first = linksIn((await get('/docs/search?q=restore%20backup')).text).find((link) => /^\/docs.*#/.test(link))
    expect(first).toMatch(/^\/docs\/running#/)
  })

  test('shows sections that have a text, without the marks of code blocks', async () => {
    const { text } = await get('/docs/search?q=restore%20backup')
    expect(text).toContain('npm run usp -- backup')
    expect(text).not.toMatch(/<br>\s*<\/li>|<br>sh /)
  })

  test('shows a part of a long text around the first word, and marks where it is cut', async () => {
    const { text } = await get('/docs/search?q=backup')
    const excerpts = [...text.matchAll(/<br>([^<]*)<\/li>/g)].map(([, excerpt = '']) => excerpt)
    const cut = excerpts.filter((excerpt) => excerpt.endsWith(' …'))
    expect([cut.length > 0, cut.length < excerpts.length]).toEqual([true, true])
    for (const excerpt of excerpts) {
      expect(excerpt.length).toBeLessThan(300)
      expect(excerpt.toLowerCase()).toContain('backup')
    }
  })

  test('leads to headings that exist', async () => {
    for (const words of ['database', 'price', 'token', 'backup', 'waitlist', 'the']) {
      const targets = linksIn((await get(`/docs/search?q=${words}`)).text).filter(
        (link) => link.includes('#') && !link.startsWith('#'),
      )
      expect(targets.length).toBeGreaterThan(0)
      for (const target of targets) {
        const [page = '', anchor] = target.split('#')
        expect(found.get(page)?.text, target).toContain(`id="${anchor}"`)
      }
    }
  })

  test('says so when no page contains the words, and when none were given', async () => {
    expect((await get('/docs/search?q=qqqqzzzz')).text).toContain('No page contains “qqqqzzzz”.')
    expect((await get('/docs/search')).text).toContain('Type one word or more.')
  })

  test.each(['q=a&q=b', `q=${'a'.repeat(5000)}`, 'q=%00%ff', 'q=...%20---', 'q[a]=1'])('answers %s', async (query) => {
    expect((await get(`/docs/search?${query}`)).status).toBeLessThan(500)
  })
})
