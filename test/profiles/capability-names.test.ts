import { expect, test } from 'vitest'
import { readProfile } from '../../src/core/profiles/read-platform-profile.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import { compile } from '../../src/protocol/schema-validator.ts'
import { uspProfile } from '../support/listed-business.ts'
import { platformProfile } from '../support/platform.ts'

const { usp } = platformProfile()
const offering = (name: string) => ({ usp: { ...usp, capabilities: { ...usp.capabilities, [name]: [] } } })
const read = (document: object) =>
  readProfile({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)) }).profile
const isBusinessProfile = compile(shape('BusinessProfile'))
const serving = (name: string) => {
  const { usp: own, ...rest } = uspProfile()
  return { ...rest, usp: { ...own, services: { ...own.services, [name]: [] } } }
}

test.each(['dev.usp-protocol.services.paid_bookings', 'com.example.a-b_c', 'com.exa-mple.x1'])(
  '[LIV-100] %s is the name of a capability and of a service',
  (name) => {
    expect(read(offering(name)).usp.capabilities).toHaveProperty([name])
    expect(isBusinessProfile(serving(name))).toBe(true)
  },
)

test.each([
  'dev.usp-protocol-.x',
  'dev.example.x_',
  'dev.example.x-',
  'dev-.example.x',
  'dev.example._x',
  'dev.-example.x',
  'dev.1x',
  'dev.example.X',
  'dev..x',
  'catalog',
])('[LIV-100] %s is none', (name) => {
  expect(() => read(offering(name))).toThrow(/does not match its schema/)
  expect(isBusinessProfile(serving(name))).toBe(false)
})
