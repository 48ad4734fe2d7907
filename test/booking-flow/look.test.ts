import { describe, expect, test } from 'vitest'
import { languages } from '../../src/infra/i18n/languages.ts'
import { accentOf } from '../../src/infra/util/accent-color.ts'
import { testShop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'
import { salon, visitor } from './visitor.ts'

const ACCENT = '#0f766e'
const IMAGE = 'https://glamour-salon.example/images/womens-haircut.svg'
/** The server has its own copy, because the host of the demo salon is invented. */
const SHOWN = '/assets/demo/womens-haircut.svg'
const WITHOUT_PICTURE = ['svc_massage', 'svc_bike', 'svc_call']
const HOSTILE = 'Ends </script><script>alert(1)</script>\u2028<!-- here'
const services = salon().services.map(({ media, ...one }) =>
  WITHOUT_PICTURE.includes(one.id) || !media ? one : { ...one, media },
)
const shop = await testShop(
  salon({
    website: { accent: ACCENT, logo: 'https://salon.example/logo.png', welcome: 'Come <in> & sit down.' },
    services: services.map((one) => (one.id === 'svc_call' ? { ...one, description: HOSTILE } : one)),
  }),
)
const LIST = '/book'
const urls = [LIST, ...services.map(({ id }) => `/book/${id}`)]
const pages = await Promise.all(urls.map(async (url) => ({ url, body: String((await visitor(shop).open(url)).body) })))
const bodyOf = (wanted: string) => pages.find(({ url }) => url === wanted)?.body ?? ''
const { light, dark } = accentOf(ACCENT)

describe('[as the business wants it]', () => {
  const haircut = ['/book/svc_haircut']
  test.each([
    ['its colour', `:root{--accent:${light.accent};--on-accent:${light.on}}`, urls],
    ['its colour in the dark', `:root{--accent:${dark.accent};--on-accent:${dark.on}}`, urls],
    [
      'its logo',
      '<a href="/book"><img src="https://salon.example/logo.png" alt="" height="40">Glamour Salon</a>',
      urls,
    ],
    ['its welcome', '<p lang="en" dir="auto">Come &lt;in&gt; &amp; sit down.</p>', [LIST]],
    ['its welcome in previews', '<meta property="og:description" content="Come &lt;in&gt; &amp; sit down.">', [LIST]],
    ['a picture', `<div class="picture"><img src="${SHOWN}" alt="A woman in front of`, haircut],
    ['a picture in previews', `<meta property="og:image" content="${IMAGE}">`, haircut],
    ['a length', '<li>20 min</li>', ['/book/svc_consult']],
    ['a length to choose', '<li>1 hr to 4 hr</li>', ['/book/svc_bike']],
    ['a place', '<li>$110.00 plus tax</li><li>1 hr</li><li>Glamour Salon Downtown</li>', ['/book/svc_massage']],
    [
      'several places',
      '<li>$75.00 plus tax</li><li>1 hr</li><li>Glamour Salon Downtown · Glamour Salon Uptown</li>',
      haircut,
    ],
    ['where the buyer is', '<li>At your address: Manhattan south of 96th Street</li>', ['/book/svc_plumbing']],
    ['no place', '<ul class="facts"><li>Free</li><li>By phone</li></ul>', ['/book/svc_call']],
  ])('%s is where it belongs, and nowhere else', (_, markup, expected) => {
    expect(pages.filter(({ body }) => body.includes(markup)).map(({ url }) => url)).toEqual(expected)
  })
})

describe('[the list of services]', () => {
  const picture = `<div class="picture"><img src="${SHOWN}" alt="" loading="lazy"></div>`
  const cards = bodyOf(LIST).split('<article class="card">')
  test.each([
    ['svc_haircut', [picture], '$75.00 plus tax</span> <span>1 hr</span></p>'],
    ['svc_massage', [], '$110.00 plus tax</span> <span>1 hr · Glamour Salon Downtown</span></p>'],
    ['svc_bike', [], '$12.00 per hour plus tax</span> <span>1 hr to 4 hr · Glamour Salon Downtown</span></p>'],
    ['svc_call', [], 'Free</span> <span>By phone</span></p>'],
  ])('%s has its picture if it has one, its price, its length and its one place', (id, pictures, facts) => {
    const card = cards.find((text) => text.includes(`href="/book/${id}"`))
    expect(card?.match(/<div class="picture">.*?<\/div>/g) ?? []).toEqual(pictures)
    expect(card).toContain(facts)
  })
})

test('[the languages of a page] are in one selector, which shows the chosen language', () => {
  const [, selector = ''] = /<nav class="languages"[^>]*><details>([\s\S]*?)<\/details>/.exec(bodyOf(LIST)) ?? []
  expect(selector).toMatch(/<summary>.*English<\/summary>/)
  expect(selector.match(/<a href="\?lang=\w\w"/g)).toHaveLength(Object.keys(languages).length - 1)
})

test('[a service on a phone] its price and the way to its times stay in sight, if it has free times', () => {
  const bar = '<p class="choose-bar"><span class="price">$75.00 plus tax</span> <a class="button" href="#times">'
  expect(bodyOf('/book/svc_haircut')).toContain(bar)
  expect(bodyOf(LIST)).not.toContain('<p class="choose-bar">')
})

describe('[the language of a page] is what was asked for, else what was chosen before, else the browser’s, else the business’s', async () => {
  const italian = await testShop(salon({ business: { ...salon().business, language: 'it' } }))
  const languageOf = ({ body }: Answer) => /<html lang="([\w-]+)"/.exec(body)?.[1]
  const open = (url: string, cookie?: string, accepted?: string) =>
    visitor(italian, { ...(cookie && { cookie }), ...(accepted && { 'accept-language': accepted }) }).open(url)

  test.each([
    ['/book?lang=de', 'lang=pl', 'fr', 'de'],
    ['/book', 'lang=pl', 'fr', 'pl'],
    ['/book/svc_haircut', 'lang=xx', 'fr', 'fr'],
    ['/book?lang=xx', undefined, 'xx', 'it'],
  ])('%s with the cookie %s and the browser’s %s is in %s', async (url, cookie, accepted, language) => {
    expect(languageOf(await open(url, cookie, accepted))).toBe(language)
  })

  test('and what was asked for once is chosen from then on', async () => {
    const { headers } = await open('/book?lang=ja')
    const [cookie = ''] = String(headers['set-cookie']).split(';')
    expect(languageOf(await open('/book/svc_haircut', cookie, 'fr'))).toBe('ja')
    expect((await open('/book', undefined, 'fr')).headers['set-cookie']).toBeUndefined()
  })
})

test('[texts are data] what ends a script does not end the one that search engines read', () => {
  const body = bodyOf('/book/svc_call')
  const [, data = ''] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(body) ?? []
  expect(JSON.parse(data)).toMatchObject({ '@type': 'Service', description: HOSTILE })
  expect(body.match(/<script/g)).toHaveLength(2)
})
