import { expect, test } from 'vitest'
import { waysToReach } from '../../src/business/ways-to-reach.ts'
import { businessWith } from '../support/definitions.ts'

test.each([
  ['of New York', '+12125550100', '+1 212 555 0100'],
  ['of Berlin', '+4930123456', '+49 30 123456'],
  ['that is none', '555-CUTS', '555-CUTS'],
])('a number %s is read in its groups', (_, phone, text) => {
  const [way] = waysToReach({ ...businessWith([]), website: { contact: { phone } } })
  expect(way).toMatchObject({ text, href: `tel:${phone}` })
})
