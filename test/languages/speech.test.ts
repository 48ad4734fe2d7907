import { expect, test } from 'vitest'
import { languages } from '../../src/languages/languages.ts'
import { english, speechOf } from '../../src/languages/speech.ts'
import { momentText, timeRange, untilText } from '../../src/languages/times.ts'

const NOON = new Date('2026-12-02T17:00:00Z')
const written = (locale: string, zone: string) => momentText(speechOf(locale) ?? english(), NOON, zone)

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
  const speech = speechOf(language) ?? english()
  for (const zone of ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo', 'Australia/Sydney']) {
    const all = [
      timeRange(speech, NOON, new Date(NOON.getTime() + 3_600_000), zone),
      untilText(speech, NOON, zone, NOON),
    ]
    expect(all.filter((text) => /(GMT|UTC|غرينتش)[+−-]/.test(text))).toEqual([])
  }
})

test.each([
  ['USD', '\u200f75.00 \u2068US$\u2069'],
  ['EUR', '\u200f75.00 \u2068€\u2069'],
])('[from right to left] the sign of %s stays whole: alone it would be turned around', (currency, said) => {
  expect(speechOf('ar')?.money(7500, currency).replace('\u00a0', ' ')).toBe(said)
})

test('[from right to left] what is put into a sentence keeps its own direction, and from left to right it is left as it is', () => {
  const values = { email: '+rosa@example.com' }
  expect(speechOf('ar')?.say('my.signed_in', values)).toContain('\u2068+rosa@example.com\u2069')
  expect(speechOf('de')?.say('my.signed_in', values)).not.toMatch(/[\u2066-\u2069]/)
})
