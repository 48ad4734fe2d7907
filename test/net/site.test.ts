import { expect, test } from 'vitest'
import { siteOf } from '../../src/infra/net/ip-addresses.ts'

test.each([
  ['platform.example', 'platform.example'],
  ['hooks.eu.platform.example', 'platform.example'],
  ['a.platform.co.uk', 'platform.co.uk'],
  // Names that a company gives out to anybody.
  ['one.github.io', 'one.github.io'],
  ['deep.one.github.io', 'one.github.io'],
  ['github.io', 'github.io'],
  ['localhost', 'localhost'],
  ['203.0.113.7', '203.0.113.7'],
  ['[2001:db8::1]', '[2001:db8::1]'],
])('[names below a domain cost nothing] %s is of the site %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})
