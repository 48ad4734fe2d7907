import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { address, instant, text, written } from '../../src/domain/calendar/ical-text-format.ts'
import { linesOf } from './calendar-file.ts'

const wild = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', ' ', '\\', ';', ',', ':', '"', '\r', '\n', '\t') })

const fileWith = (lines: string[]) =>
  written(['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR'])

const eventIn = (file: string) => new ICAL.Component(ICAL.parse(file)).getFirstSubcomponent('vevent')

test('[ICS-009] every line ends in CRLF and has at most 75 octets, and no character is cut in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), wild, (one, other) => {
      const file = fileWith([text('SUMMARY', one + other), text('DESCRIPTION', other + one)])
      expect(file.endsWith('\r\n')).toBe(true)
      const lines = Buffer.from(file).toString('latin1').split('\r\n').slice(0, -1)
      const isWhole = (line: string) => isUtf8(Buffer.from(line, 'latin1'))
      expect(lines.filter((line) => line.length > 75 || /[\r\n]/.test(line) || !isWhole(line))).toEqual([])
    }),
  )
})

test('[ICS-010] text is read back as it was written, and stays one property', () => {
  fc.assert(
    fc.property(wild, (value) => {
      const event = eventIn(fileWith([text('SUMMARY', value)]))
      expect(event?.getAllProperties().map(({ name }) => name)).toEqual(['summary'])
      expect(event?.getFirstPropertyValue('summary')).toBe(value.replace(/\r\n|\r/g, '\n'))
    }),
  )
})

test('[ICS-010] control characters are left out of text', () => {
  expect(text('SUMMARY', 'a\u0000b\u001b\u007fc\td')).toBe('SUMMARY:abc\td')
})

test.each([
  ['https://example.com/a b\r\nX-EVIL:1', ['URL;VALUE=URI:https://example.com/a%20bX-EVIL:1']],
  ['https://example.com/é', ['URL;VALUE=URI:https://example.com/%C3%A9']],
  ['no address', []],
])('[ICS-010] the address %j is written as %j', (value, lines) => {
  expect(address('URL', value)).toEqual(lines)
})

test.each(['Zoom', 'Zoom; Pro: "A"', 'caret ^n', 'two\r\nlines', 'a\u0007b'])(
  '[ICS-010] the parameter %j stays within its property',
  (label) => {
    const lines = address('CONFERENCE', 'https://example.com/', { LABEL: label })
    expect(linesOf(written(lines))).toHaveLength(1)
    const parameter = eventIn(fileWith(lines))?.getFirstProperty('conference')?.getFirstParameter('label')
    expect(parameter).toBe(label.replace('\r\n', '\n').replace('\u0007', ''))
  },
)

test('[ICS-003] an instant is written in UTC, to the second', () => {
  expect(instant('DTSTART', new Date('2026-11-24T10:30:00.123-05:00'))).toBe('DTSTART:20261124T153000Z')
})
