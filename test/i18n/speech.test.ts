import { expect, test } from 'vitest'
import {
  clockRange,
  clockText,
  momentText,
  shortRangeText,
  timeRange,
  untilText,
} from '../../src/infra/i18n/format-times.ts'
import { languages } from '../../src/infra/i18n/languages.ts'
import { englishLocalizer, localizerFor } from '../../src/infra/i18n/localizer.ts'

const NOON = new Date('2026-12-02T17:00:00Z')
const written = (locale: string, zone: string) => momentText(localizerFor(locale) ?? englishLocalizer(), NOON, zone)

test.each([
  ['en', 'America/New_York', /EST$/],
  ['en', 'Europe/Berlin', /Germany Time$/],
  ['de', 'Europe/Berlin', /MEZ$/],
  ['de', 'America/New_York', /New York \(Ortszeit\)$/],
  ['ja', 'America/New_York', /ニューヨーク時間/],
  ['ar', 'America/New_York', /توقيت نيويورك$/],
  ['fr', 'UTC', /UTC$/],
])('[a zone has a name] in %s that of %s is one that people know', (locale, zone, name) => {
  expect(written(locale, zone)).toMatch(name)
})

test.each(Object.keys(languages))('[a zone has a name] in %s nobody has to count hours', (language) => {
  const localizer = localizerFor(language) ?? englishLocalizer()
  for (const zone of ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo', 'Australia/Sydney']) {
    const all = [
      timeRange(localizer, NOON, new Date(NOON.getTime() + 3_600_000), zone),
      untilText(localizer, NOON, zone, NOON),
    ]
    expect(all.filter((text) => /(GMT|UTC|غرينتش)[+−-]/.test(text))).toEqual([])
  }
})

test.each(Object.keys(languages))(
  '[the hour that autumn repeats] in %s it is told which of the two is meant',
  (language) => {
    const localizer = localizerFor(language) ?? englishLocalizer()
    const at = (time: string) => new Date(`2026-11-01T${time}:00Z`)
    for (const zone of ['America/New_York', 'America/Chicago']) {
      const [first, second] = zone === 'America/New_York' ? [at('05:30'), at('06:30')] : [at('06:30'), at('07:30')]
      for (const text of [clockText, momentText])
        expect(text(localizer, first, zone)).not.toBe(text(localizer, second, zone))
      const [fromFirst, fromSecond] = [first, second].map((from) => timeRange(localizer, from, at('08:00'), zone))
      expect(fromFirst).not.toBe(fromSecond)
      expect(timeRange(localizer, first, second, zone)).toContain(' – ')
      expect(clockText(localizer, at('15:00'), zone)).not.toMatch(/GMT|EST|CST/)
    }
  },
)

test.each(Object.keys(languages))('[a range of times] in %s is written as its day writes it', (language) => {
  const [localizer, zone] = [localizerFor(language) ?? englishLocalizer(), 'America/New_York']
  const form = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: zone })
  // Summer and winter, over noon, over midnight, over the hour that spring skips.
  for (const start of ['2026-07-01T13:15:00Z', '2026-12-01T16:30:00Z', '2026-12-02T04:30:00Z', '2026-03-08T06:30:00Z'])
    for (const minutes of [15, 45, 90]) {
      const [from, to] = [new Date(start), new Date(Date.parse(start) + minutes * 60_000)]
      const range = { start, end: to.toISOString() }
      // The second time it is remembered.
      for (let time = 0; time < 2; time++) expect(clockRange(localizer, range, zone)).toBe(form.formatRange(from, to))
    }
})

test('[where clocks change meanwhile] each end of a time has the zone that it is in', () => {
  const range = (from: string, to: string) =>
    timeRange(englishLocalizer(), new Date(from), new Date(to), 'America/New_York').replace(/\s/g, ' ')
  expect(range('2026-11-01T05:30:00Z', '2026-11-01T07:00:00Z')).toBe(
    'Sunday, November 1, 2026 at 1:30 AM EDT – 2:00 AM EST',
  )
  expect(range('2026-10-31T14:00:00Z', '2026-11-02T15:00:00Z')).toBe(
    'Saturday, October 31, 2026 at 10:00 AM EDT – Monday, November 2, 2026 at 10:00 AM EST',
  )
})

test('[the hour that autumn repeats] a range of times with its date says which of both hours it means', () => {
  const range = (start: string, end: string) =>
    shortRangeText(englishLocalizer(), { start, end }, 'America/New_York').replace(/\s/g, ' ')
  expect(range('2026-11-24T16:00:00Z', '2026-11-24T17:00:00Z')).toBe('Tue, Nov 24, 11:00 AM – 12:00 PM')
  expect(range('2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z')).toBe(
    'Sun, Nov 1, 1:30 AM EDT – Sun, Nov 1, 1:30 AM EST',
  )
})

test.each([
  ['USD', '\u200f75.00 \u2068US$\u2069'],
  ['EUR', '\u200f75.00 \u2068€\u2069'],
])('[from right to left] the sign of %s stays whole: alone it would be turned around', (currency, said) => {
  expect(localizerFor('ar')?.money(7500, currency).replace('\u00a0', ' ')).toBe(said)
})

test('[from right to left] what is put into a sentence keeps its own direction, and from left to right it is left as it is', () => {
  const values = { email: '+rosa@example.com' }
  expect(localizerFor('ar')?.say('my.signed_in', values)).toContain('\u2068+rosa@example.com\u2069')
  expect(localizerFor('de')?.say('my.signed_in', values)).not.toMatch(/[\u2066-\u2069]/)
})

test.each(Object.keys(languages))('[a time of day] in %s is written as its day writes it', (language) => {
  const [localizer, zone] = [localizerFor(language) ?? englishLocalizer(), 'America/New_York']
  const form = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', timeZone: zone })
  for (const time of ['2026-07-01T13:15:00Z', '2026-12-01T05:00:00Z', '2026-12-01T17:00:00Z', '2026-03-08T07:30:00Z'])
    expect(clockText(localizer, new Date(time), zone)).toBe(form.format(new Date(time)))
})

test('[the days of the week] are in short where a column has room, else by a letter', () => {
  expect(localizerFor('en')?.weekdays(0)).toEqual(['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'])
  expect(localizerFor('de')?.weekdays(1)).toEqual(['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'])
  expect(localizerFor('ar')?.weekdays(6)).toEqual(['س', 'ح', 'ن', 'ث', 'ر', 'خ', 'ج'])
})
