import { afterAll, describe, expect, test } from 'vitest'
import { KeyPair } from '../../packages/conformance/caller/key-pair.ts'
import { signatureHeaders } from '../../packages/conformance/caller/message-signature.ts'
import { requestComponents, verifySignature } from '../../packages/conformance/caller/verify-signature.ts'
import { catalogueChecks } from '../../packages/conformance/checks/core/catalogue.ts'
import { platformKeyChecks } from '../../packages/conformance/checks/core/platform-keys.ts'
import { profileChecks } from '../../packages/conformance/checks/core/profile.ts'
import { profilePolicyChecks } from '../../packages/conformance/checks/core/profile-policy.ts'
import { subscriptionChecks } from '../../packages/conformance/checks/events/subscriptions.ts'
import { identityBindingChecks } from '../../packages/conformance/checks/security/identity-binding.ts'
import { proofIdentityChecks } from '../../packages/conformance/checks/security/proof-identity.ts'
import { proofKeyChecks } from '../../packages/conformance/checks/security/proof-key.ts'
import { signatureCoverageChecks } from '../../packages/conformance/checks/security/signature-coverage.ts'
import { signatureFormChecks } from '../../packages/conformance/checks/security/signature-form.ts'
import { signatureKeyChecks } from '../../packages/conformance/checks/security/signature-keys.ts'
import { bookingCreationChecks } from '../../packages/conformance/checks/transactions/booking-creation.ts'
import { holdLimitChecks } from '../../packages/conformance/checks/transactions/hold-limits.ts'
import { holdChecks } from '../../packages/conformance/checks/transactions/holds.ts'
import { accepting, mcpOnly, signaturesOnly } from './limited-proxies.ts'
import { proxiedServer } from './proxied-server.ts'

const server = await proxiedServer()
afterAll(() => server.stop())

type Findings = Awaited<ReturnType<typeof server.run>>

const failed = (findings: Findings) => findings.filter(({ result }) => result === 'failed')
const skippedWith = (findings: Findings, text: string) => findings.filter(({ reason }) => reason?.includes(text))

test('[conformance suite] checks a server that offers only MCP, and skips the checks of REST', async () => {
  const checks = [...profileChecks, ...profilePolicyChecks, ...catalogueChecks, ...holdChecks, ...bookingCreationChecks]
  const findings = await server.run(checks, mcpOnly)
  expect(failed(findings)).toEqual([])
  const ofRest = findings.filter(({ binding }) => binding === 'rest')
  expect(ofRest.length).toBeGreaterThan(1)
  for (const finding of ofRest)
    expect(finding).toMatchObject({ result: 'skipped', reason: 'The business does not offer REST.' })
  const proven = findings.filter(({ result }) => result === 'proven').map(({ rules }) => rules)
  for (const rule of ['PRO-001', 'CAT-001', 'HLD-012', 'BKG-001'])
    expect(proven.filter((rules) => rules.includes(rule))).not.toEqual([])
})

describe('[conformance suite] runs against a server that accepts', () => {
  const identity = [...proofKeyChecks, ...identityBindingChecks, ...proofIdentityChecks]
  const signatures = [...signatureKeyChecks, ...signatureFormChecks, ...signatureCoverageChecks]
  // The proxy also reads the profiles, and the check of PRO-077 counts the reads.
  const keys = platformKeyChecks.filter(({ rules }) => !rules.includes('PRO-077'))
  const checks = [...identity, ...signatures, ...keys, ...holdChecks, ...holdLimitChecks]
  const othersThan = (rule: string, findings: Findings) => failed(findings).filter(({ rules }) => !rules.includes(rule))

  test('only EdDSA', async () => {
    const findings = await server.run(checks, accepting({ proof: ['EdDSA'], signature: ['EdDSA'] }))
    // The protocol demands ES256 in signatures.
    expect(failed(findings)).not.toEqual([])
    expect(othersThan('SIG-030', findings)).toEqual([])
    expect(skippedWith(findings, 'does not accept ES256 in proofs')).toHaveLength(2)
    expect(skippedWith(findings, 'does not accept ES256 in signatures')).toHaveLength(1)
  })

  test('only ES256', async () => {
    const findings = await server.run(checks, accepting({ proof: ['ES256'], signature: ['ES256'] }))
    // The protocol demands EdDSA in proofs.
    expect(failed(findings)).not.toEqual([])
    expect(othersThan('POP-040', findings)).toEqual([])
    expect(skippedWith(findings, 'does not accept EdDSA in proofs')).toHaveLength(2)
    expect(skippedWith(findings, 'does not accept EdDSA in signatures')).toHaveLength(1)
  })

  test('only signatures', async () => {
    const findings = await server.run([...checks, ...subscriptionChecks, ...bookingCreationChecks], signaturesOnly)
    expect(failed(findings)).toEqual([])
    expect(skippedWith(findings, 'does not accept platform_key_pop').length).toBeGreaterThan(50)
    expect(skippedWith(findings, 'accepts only published keys of platforms')).toHaveLength(4)
    const proven = findings.filter(({ result }) => result === 'proven').map(({ rules }) => rules)
    for (const rule of ['SIG-030', 'HLD-012', 'BKG-001']) expect(proven.join(' ')).toContain(rule)
  })

  test.each([true, false])('no more than the protocol demands (the profile lists it: %s)', async (lists) => {
    const findings = await server.run(checks, accepting({ proof: ['EdDSA'], signature: ['ES256'] }, { lists }))
    expect(failed(findings)).toEqual([])
    expect(skippedWith(findings, 'no algorithm for both proofs and signatures')).not.toEqual([])
  })
})

test.each(['EdDSA', 'ES256'] as const)('[conformance suite] verifies events that a business signs with %s', (alg) => {
  const key = new KeyPair(alg)
  const url = 'https://127.0.0.1:9443/platform/events'
  const headers = { 'content-type': 'application/json' }
  const signed = signatureHeaders(key, { method: 'POST', url, headers, body: '{}' })
  const message = { headers: { ...headers, ...signed }, body: '{}', derived: requestComponents('POST', new URL(url)) }
  expect(verifySignature(message, [key.published as never]).parameters.keyid).toBe(key.thumbprint)
  expect(() => verifySignature({ ...message, body: '' }, [])).toThrow('a keyid of the business profile')
})
