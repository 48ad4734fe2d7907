import { expect, test } from 'vitest'
import { grouped } from '../../src/basics/phone-number.ts'

test.each([
  ['of New York', '+12125550100', '+1 212 555 0100'],
  ['of Berlin', '+4930123456', '+49 30 123456'],
  ['that is none', '555-CUTS', '555-CUTS'],
])('a number %s is read in its groups', (_, phone, text) => {
  expect(grouped(phone)).toBe(text)
})
