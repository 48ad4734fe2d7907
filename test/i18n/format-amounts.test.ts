import { expect, test } from 'vitest'
import { formatAmount, parseAmount } from '../../src/infra/i18n/format-amounts.ts'
import { languages } from '../../src/infra/i18n/languages.ts'

test.each([
  ['12.50', 'USD', 'en', 1250],
  ['12', 'USD', 'en', 1200],
  [' 1,234.50 ', 'USD', 'en', 123450],
  ['0.05', 'USD', 'en', 5],
  ['0', 'USD', 'en', 0],
  ['12,50', 'EUR', 'de', 1250],
  ['1.234', 'EUR', 'de', 123400],
  ['1 234,50', 'EUR', 'fr', 123450],
  ['1.234,50', 'EUR', 'es', 123450],
  ['1200', 'JPY', 'ja', 1200],
  ['1.500', 'KWD', 'en', 1500],
  ['12,34,567.00', 'INR', 'en-IN', 123456700],
  ['١٢٫٥٠', 'EGP', 'ar-EG', 1250],
  ['12.50', 'EGP', 'ar-EG', 1250],
])('[no comma is taken for a point] %s %s in %s is %i', (text, currency, locale, sum) => {
  expect(parseAmount(text, currency, locale)).toBe(sum)
})

test.each([
  ['12.50', 'EUR', 'de'],
  ['12,50', 'USD', 'en'],
  ['12.5', 'USD', 'en'],
  ['12.505', 'USD', 'en'],
  ['1,2345', 'USD', 'en'],
  ['12.50', 'JPY', 'ja'],
  ['-12.50', 'USD', 'en'],
  ['1e3', 'USD', 'en'],
  ['012', 'USD', 'en'],
  ['$12', 'USD', 'en'],
  ['', 'USD', 'en'],
  ['twelve', 'USD', 'en'],
  ['1'.repeat(30), 'USD', 'en'],
  ['99999999999999999999', 'USD', 'en'],
])('[no comma is taken for a point] %s %s in %s is no amount', (text, currency, locale) => {
  expect(parseAmount(text, currency, locale)).toBeUndefined()
})

test.each([...Object.keys(languages), 'de-CH', 'fr-CH', 'en-IN', 'ar-EG', 'en-ZA'])(
  '[%s] what a field shows is read as what it was',
  (locale) => {
    for (const currency of ['USD', 'EUR', 'JPY', 'KWD', 'CHF', 'HUF'])
      for (const sum of [0, 1, 99, 100, 1250, 99_999, 123_456, 100_000_000, 987_654_321])
        expect(parseAmount(formatAmount(sum, currency, locale), currency, locale)).toBe(sum)
  },
)
