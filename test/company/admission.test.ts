import { expect, test } from 'vitest'
import { admissionOf } from '../../src/domain/desk/staff/company-admission.ts'

const GOOGLE = 'https://accounts.google.com'
const ENTRA = 'https://login.microsoftonline.com/7f0c/v2.0'
const KEYCLOAK = 'https://login.example.com/realms/salon'
const verified = { email_verified: true }

const emailOf = (issuer: string, claims: object) =>
  admissionOf(
    { sub: 'a', email: 'Anna@Example.com', ...claims },
    { issuer, domains: ['example.com', 'example.org'], rules: [], default_role: null },
  ).email

test.each<[string, string, object, boolean]>([
  ['Keycloak: verified', KEYCLOAK, verified, true],
  ['Keycloak: not verified', KEYCLOAK, {}, false],
  ['Google: of the organization', GOOGLE, { ...verified, hd: 'example.com' }, true],
  ['Google: of another allowed domain of the organization', GOOGLE, { ...verified, hd: 'example.org' }, true],
  ['Google: a private account that once had the address', GOOGLE, verified, false],
  ['Google: of another organization', GOOGLE, { ...verified, hd: 'other.example' }, false],
  ['Google: of no organization that is a text', GOOGLE, { ...verified, hd: ['example.com'] }, false],
  ['Entra: the organization owns the domain', ENTRA, { xms_edov: true }, true],
  ['Entra: the same as a number', ENTRA, { xms_edov: 1 }, true],
  ['Entra: the same as a text', ENTRA, { xms_edov: '1' }, true],
  ['Entra: the organization does not own the domain', ENTRA, { xms_edov: false }, false],
  ['Entra: without the optional claim', ENTRA, {}, false],
  [
    'a host whose name begins like the one of Entra',
    'https://login.microsoftonline.com.evil.example/x',
    { xms_edov: true },
    false,
  ],
])('[company sign-in] whether an address is trusted: %s', (_, issuer, claims, isTrusted) => {
  expect(emailOf(issuer, claims)).toBe(isTrusted ? 'anna@example.com' : undefined)
})

test.each<[unknown, boolean]>([
  ['salon', true],
  [['all', 'salon'], true],
  ['salons', false],
  ['Salon', false],
  ['all salon', false],
  [['salon heads'], false],
  [[['salon']], false],
  [{ salon: true }, false],
  [null, false],
  [undefined, false],
])('[company sign-in] whether the claim %j contains salon: %s', (groups, isContained) => {
  const rules = [{ claim: 'groups', value: 'salon', role: 'staff' as const }]
  const { ruledRole } = admissionOf({ sub: 'a', groups }, { issuer: KEYCLOAK, domains: [], rules, default_role: null })
  expect(ruledRole).toBe(isContained ? 'staff' : undefined)
})

test.each(['constructor', '__proto__', 'toString'])(
  '[company sign-in] the claim %s is in no token without it',
  (claim) => {
    const rules = [{ claim, value: 'Object', role: 'manager' as const }]
    const settings = { issuer: KEYCLOAK, domains: [], rules, default_role: null }
    expect(admissionOf({ sub: 'a' }, settings).newRole).toBeUndefined()
  },
)

test('[company sign-in] with domains, a rule alone lets nobody new in', () => {
  const rules = [{ claim: 'groups', value: 'salon', role: 'staff' as const }]
  const settings = { issuer: KEYCLOAK, domains: ['example.com'], rules, default_role: 'viewer' as const }
  const claims = { sub: 'a', groups: ['salon'], email: 'anna@example.com' }
  expect(admissionOf(claims, settings).newRole).toBeUndefined()
  expect(admissionOf({ ...claims, ...verified }, settings).newRole).toBe('staff')
  expect(admissionOf({ ...claims, ...verified, groups: [] }, settings).newRole).toBe('viewer')
})
