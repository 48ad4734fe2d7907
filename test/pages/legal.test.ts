import { expect, test } from 'vitest'
import { mailHtml } from '../../src/core/mails/mail-html.ts'
import { mailText } from '../../src/core/mails/mail-text.ts'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import { languages } from '../../src/infra/i18n/languages.ts'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { visitor } from '../booking-flow/visitor.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { lineOf } from '../waitlist/queue.ts'

const { payment_timing: _, ...usual } = service('svc').policies
const unpaid: Partial<ServiceDefinition> = {
  pricing: { model: 'free', currency: 'USD' },
  policies: { ...usual, requires_payment: false },
}
const asked = { ...usual, confirmation_mode: 'manual', payment_timing: 'at_service' } as const
const queue = (id: string, more: Partial<ServiceDefinition> = {}) =>
  service(id, {
    type: 'group',
    capacity: { max: 1, waitlist: true },
    sessions: [{ days: ['tuesday'], starts: '10:00' }],
    ...more,
  })

const base = businessWith([
  service('svc_paid'),
  service('svc_asked', { policies: asked }),
  service('svc_free', unpaid),
  queue('svc_line'),
  queue('svc_free_line', unpaid),
])
const definition = {
  ...base,
  business: {
    ...base.business,
    links: [
      { type: 'faq', url: 'https://studio.example/faq' },
      { type: 'imprint', url: 'https://studio.example/imprint' },
      { type: 'terms_of_service', url: 'https://studio.example/terms', title: 'House rules' },
      { type: 'privacy_policy', url: 'https://studio.example/privacy' },
    ],
  },
}
const shop = await testShop(definition, { env: { BASE_URL: 'https://book.example' } })
const desk = restDesk(shop)
const anchors = [
  '<a href="https://studio.example/imprint" rel="noreferrer">Impressum</a>',
  '<a href="https://studio.example/terms" rel="noreferrer">House rules</a>',
  '<a href="https://studio.example/privacy" rel="noreferrer">Datenschutz</a>',
]
const below = anchors.map((anchor) => `<li>${anchor}</li>`).join('')
const beside = `<p class="soft">${anchors.join(' · ')}</p>`
const german = visitor(shop, { 'accept-language': 'de' })

/** What whoever has pressed a time is asked. */
async function detailsOf(id: string, browser = german) {
  const page = await browser.open(`/book/${id}`)
  const { headers } = await browser.press(page, browser.times(page).at(-1)?.time ?? '')
  return browser.open(headers.location ?? '')
}

test.each(['/book', '/book/svc_paid', '/my', '/book/svc_none'])('[legal] stands below %s', async (path) => {
  expect((await german.open(path)).body).toContain(`<nav aria-label="Rechtliches"><ul>${below}</ul></nav>`)
})

test('[legal] stands below every mail, written and as a page', () => {
  const letter = { subject: 'Gebucht', heading: 'Gebucht', paragraphs: [] }
  const localizer = localizerFor('de')
  if (!localizer) throw new Error('Nobody speaks German')
  expect(mailText(letter, definition, localizer)).toMatch(
    /-- \nTest Studio\nImpressum: https:\/\/studio\.example\/imprint\nHouse rules: .*\nDatenschutz: .*\n$/,
  )
  const page = mailHtml(letter, definition, localizer)
  for (const { url } of definition.business.links.slice(1)) expect(page).toContain(`<a href="${url}"`)
  expect(page).not.toContain('/faq')
})

test('[legal] stands beside the button that books, which says that it binds to pay', async () => {
  for (const [id, button] of [
    ['svc_paid', 'Zahlungspflichtig buchen: 75,00\u00a0$'],
    ['svc_asked', 'Zahlungspflichtig anfragen: 75,00\u00a0$'],
    ['svc_free', 'Jetzt buchen'],
  ] as const) {
    const { body } = await detailsOf(id)
    expect(body).toContain(`${beside}\n<button>${button}</button>`)
  }
})

test('[legal] stands beside the button that takes what is offered, which binds as much', async () => {
  for (const [service_id, button] of [
    ['svc_line', 'Zahlungspflichtig buchen: 75,00\u00a0$'],
    ['svc_free_line', 'Platz annehmen'],
  ] as const) {
    const { booking } = (await desk.book((await desk.slots(service_id))[0])).data
    const entry = await lineOf(desk).wait('Ann', { service_id })
    await desk.cancel(booking.id)
    const { body } = await german.open(new URL(entryUrl('https://book.example', shop.runtime.tag, entry.id)).pathname)
    expect(body).toContain(`${beside}\n<button>${button}</button>`)
  }
})

/** What the laws that carry out Article 8(2) of Directive 2011/83/EU want to be read; elsewhere the price says it. */
const words: Partial<Record<keyof typeof languages, string>> = {
  de: 'Zahlungspflichtig',
  fr: 'avec obligation de paiement',
  es: 'con obligación de pago',
  it: 'con obbligo di pagare',
  pt: 'com obrigação de pagamento',
  nl: 'met betalingsverplichting',
  pl: 'z obowiązkiem zapłaty',
}

test.each(Object.keys(languages))('[legal] what binds to pay says so: %s', (language) => {
  const localizer = localizerFor(language)
  for (const message of ['book.confirm.paid', 'book.request.paid'] as const) {
    const said = localizer?.say(message, { price: '75,00 €' })
    expect(said).toContain(words[language as keyof typeof languages] ?? '75,00 €')
    expect(said).toContain('75,00 €')
  }
})

test('[legal] where nothing is written nothing stands there', async () => {
  const silent = await testShop(base)
  const browser = visitor(silent, { 'accept-language': 'de' })
  const { body } = await detailsOf('svc_paid', browser)
  expect(body).toContain('Zahlungspflichtig buchen')
  expect(body).not.toMatch(/Rechtliches|studio\.example/)
})
