import { expect, test } from 'vitest'
import { contactChannelsOf, isSafeWebUrl } from '../../src/core/business/contact-channels.ts'
import { businessWith } from '../support/definitions.ts'

test.each([
  ['of New York', '+12125550100', '+1 212 555 0100'],
  ['of Berlin', '+4930123456', '+49 30 123456'],
  ['that is none', '555-CUTS', '555-CUTS'],
])('a number %s is read in its groups', (_, phone, text) => {
  const [way] = contactChannelsOf({ ...businessWith([]), website: { contact: { phone } } })
  expect(way).toMatchObject({ text, href: `tel:${phone}` })
})

test.each([
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    ' javascript:x',
    'java\nscript:x',
    'mailto:a@example.com',
    '//example.com',
    '',
  ],
  ...[
    'https://salon.example@evil.example/',
    'http://user:word@salon.example',
    'https://',
    'https:\\\\user@evil.example',
  ],
])('%j is no page that people are led to', (url) => {
  expect(isSafeWebUrl(url)).toBe(false)
})

test.each(['https://salon.example', 'HTTP://salon.example/a@b?c=@d'])('%j is one', (url) => {
  expect(isSafeWebUrl(url)).toBe(true)
})
