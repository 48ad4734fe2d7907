import { expect, test } from 'vitest'
import { networkOf } from '../../src/infra/net/ip-addresses.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:1200::1', '2001:db8:1:1200::/56'],
  ['2001:db8:1:12ff:ffff:ffff:ffff:ffff', '2001:db8:1:1200::/56'],
  ['2001:db8:1:1300::1', '2001:db8:1:1300::/56'],
  ['2001:0DB8:0001:1234::1', '2001:db8:1:1200::/56'],
  ['unknown', 'unknown'],
])('[one subscriber is one network] %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
