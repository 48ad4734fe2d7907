import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectStatus } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { BOOKINGS, CATALOGUE, changedPlatform, ownEntry } from './named-platforms.ts'

const needs = ['discovery.registry']

export const ucpRegistrationChecks = [
  check(
    'LIV-096',
    'The registry ignores only a capability without version, specification or schema, not the whole profile',
    async (c) => {
      for (const member of ['version', 'spec', 'schema'] as const) {
        const { [member]: _, ...faulty } = ownEntry()
        const answer = await register(c, { [CATALOGUE]: [ownEntry()], [BOOKINGS]: [faulty] })
        expectMembers(answer.success().registration, 'the registration')
      }
    },
    { needs },
  ),
  check(
    'LIV-097',
    'The registry accepts entries of other namespaces without specification and schema',
    async (c) => {
      const version = '2026-08-25'
      const answer = await register(c, { [CATALOGUE]: [ownEntry()], 'dev.ucp.shopping.checkout': [{ version }] })
      expectMembers(answer.success().registration, 'the registration')
    },
    { needs },
  ),
  check(
    'REST-003 REST-005',
    'A registration gets HTTP 201, and its deletion HTTP 204 without a body',
    async (c) => {
      const answer = await register(c, { [CATALOGUE]: [ownEntry()] })
      expectStatus(answer, 201)
      const { id } = expectMembers(answer.success().registration, 'the registration')
      const removed = await c.caller.call('deleteRegistration', { id })
      expectStatus(removed, 204)
      expectEqual(removed.text, '', 'the body')
    },
    { only: 'rest', needs },
  ),
]

/** Registers a business whose UCP profile the suite hosts. Deletes the registration after the check. */
async function register(c: CheckContext, capabilities: Record<string, object[]>) {
  const { hosted } = changedPlatform(c, ({ document, key }) => {
    for (const member of Object.keys(document)) delete document[member]
    Object.assign(document, { ucp: ucpOf(capabilities), keys: [key.published] })
  })
  const answer = await c.caller.call('register', {
    profile_url: hosted.profile,
    deployment_mode: 'ucp_native',
    name: 'Conformance',
    verticals: ['appointment'],
    categories: ['conformance'],
    location: { address: 'Conformance Street 1' },
    timezone: 'UTC',
  })
  const id = asMembers(answer.result?.registration)?.id
  if (id !== undefined) c.afterwards(() => c.caller.call('deleteRegistration', { id }))
  return answer
}

function ucpOf(capabilities: Record<string, object[]>): Members {
  const authorization = {
    privileged_operations_require_authentication: true,
    accepted_mechanisms: ['http_message_signature'],
  }
  const binding = {
    ...ownEntry(),
    transport: 'rest',
    endpoint: 'https://business.invalid/usp',
    config: { authorization },
  }
  return {
    version: '2026-08-25',
    services: { 'dev.usp-protocol.services': [binding] },
    capabilities,
    business: { name: 'Conformance', timezone: 'UTC', currency: 'EUR' },
  }
}
