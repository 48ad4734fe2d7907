import { describe, expect, test } from 'vitest'
import { countSegments, fittingText } from '../../src/core/texts/count-segments.ts'
import { textsOf } from '../../src/domain/notifications/text-messages.ts'
import { unreadReplyText } from '../../src/domain/notifications/unread-reply.ts'
import { shortMomentText } from '../../src/infra/i18n/format-times.ts'
import { languages } from '../../src/infra/i18n/languages.ts'
import { localizerFor, type Message } from '../../src/infra/i18n/localizer.ts'
import { businessWith } from '../support/definitions.ts'

test.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  ['ü'.repeat(160), 1],
  // A euro sign takes the place of two characters.
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  // The pair at the end of the first segment moves into the second one as a whole.
  [`${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
  ['ł'.repeat(70), 1],
  ['ł'.repeat(71), 2],
  ['ł'.repeat(134), 2],
  ['ł'.repeat(135), 3],
  ['😀'.repeat(35), 1],
  ['😀'.repeat(36), 2],
  // 33 emojis fit into a segment of 67 units.
  ['😀'.repeat(66), 2],
  ['😀'.repeat(67), 3],
])('[segments] %#: %s', (text, segments) => {
  expect(countSegments(text)).toBe(segments)
})

test('[segments] the first text that fits is sent', () => {
  expect(fittingText([`a ${'b'.repeat(305)}`, 'short'])).toBe('short')
  expect(fittingText([`a ${'b'.repeat(304)}`, 'short'])).toBe(`a ${'b'.repeat(304)}`)
})

test('[segments] a text that never fits is cut, and no character is halved', () => {
  const cut = fittingText(['😀'.repeat(200)])
  expect([countSegments(cut), cut.isWellFormed(), cut.length > 0]).toEqual([2, true, true])
})

test('[segments] typographic characters do not make a message longer', () => {
  expect(fittingText(['At 7:30\u202fAM – “Anna’s” \u2066now\u2069…'])).toBe('At 7:30 AM - "Anna\'s" now...')
})

const MESSAGES: [Message, Message | undefined][] = [
  ['text.confirmed', undefined],
  ['text.confirmed', 'text.stop'],
  ['text.moved', undefined],
  ['text.canceled', undefined],
  ['text.canceled_by_business', undefined],
  ['text.reminder', undefined],
  ['text.reminder', 'text.reply'],
  ['text.attending', undefined],
  ['text.waitlist_offer', undefined],
]
const LONG = 'Wellness- und Gesundheitszentrum am Alten Marktplatz'

describe.each(Object.keys(languages))('[segments] in %s', (language) => {
  const localizer = localizerFor(language) ?? expect.fail(language)
  const when = shortMomentText(localizer, new Date('2026-09-30T10:45:00Z'), 'America/New_York')
  const url = `https://booking.salon.example/booking/bkg_${'x'.repeat(16)}/manage/${'y'.repeat(32)}`

  test.each(MESSAGES)('%s and %s has the time and fits, however long the names are', (message, answer) => {
    for (const name of ['Salon', LONG]) {
      const texts = textsOf(message, { business: name, service: name, when: `${when} (+12)`, url }, localizer, answer)
      const sent = fittingText(texts)
      expect(countSegments(sent)).toBeLessThanOrEqual(2)
      expect(sent).toContain(fittingText([when]))
      if (answer !== undefined) expect(sent).toContain(fittingText([localizer.say(answer)]))
    }
  })

  test.each([{}, { website: { contact: { phone: '+49 30 1234 5678 90' } } }])(
    'who writes to a number that nobody reads learns how to reach the business: %j',
    (more) => {
      const definition = businessWith([], { ...more, business: { ...businessWith([]).business, name: LONG } })
      const { textMessage } = unreadReplyText(url, localizer, definition)
      const sent = fittingText(textMessage?.texts ?? [])
      expect(countSegments(sent)).toBeLessThanOrEqual(2)
      expect(sent).toContain(definition.website?.contact?.phone ?? 'Wellness')
    },
  )
})

test('[segments] in languages whose letters are in the GSM alphabet, the message has the link', () => {
  for (const language of ['en', 'de', 'it', 'nl']) {
    const localizer = localizerFor(language) ?? expect.fail(language)
    const when = shortMomentText(localizer, new Date('2026-09-30T10:45:00Z'), 'Europe/Berlin')
    const values = { business: LONG, service: LONG, when, url: 'https://booking.salon.example/x' }
    for (const [message, answer] of MESSAGES)
      expect(fittingText(textsOf(message, values, localizer, answer))).toContain(values.url)
  }
})
