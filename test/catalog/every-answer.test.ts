import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDefinition } from '../../src/domain/definition/read-definition.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import { compile } from '../../src/protocol/schema-validator.ts'
import type { Service } from '../../src/protocol/types.generated.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { testServer } from '../support/server.ts'

const file = 'examples/glamour-salon.yaml'
const { definition } = readDefinition(readFileSync(file, 'utf8'), file)
const suspended = {
  ...definition,
  services: definition.services.map((one) => ({ ...one, status: 'suspended' as const })),
}
const server = await testServer(suspended)
const isService = compile(shape('Service'))

const calls: [string, Record<string, unknown>][] = [
  ['usp_services_list', { context: { language: 'fr' } }],
  ['usp_services_get', { service_id: 'svc_haircut' }],
  ['usp_services_lookup', { ids: ['svc_yoga', 'svc_none', 'svc_color'] }],
  ['usp_services_feed', {}],
]

onBothBindings(server, (call) => {
  test.each(calls)(
    '[CAT-063] [CAT-064] an anonymous %s is answered, and the answer names the version',
    async (tool, input) => {
      const { payload, error } = await call(tool, input)
      expect(error).toBeUndefined()
      expect(payload.usp.version).toBe('2026-08-20')
    },
  )

  test('[CAT-062] every message of an answer has a type, a code and a text', async () => {
    const messages = (await Promise.all(calls.map(([tool, input]) => call(tool, input)))).flatMap(
      ({ payload }) => payload.messages ?? [],
    )
    expect(messages.map(({ code }) => code).sort()).toEqual([
      'service_not_found',
      'service_suspended',
      'service_unresolved',
    ])
    for (const message of messages)
      expect(message).toMatchObject({
        type: expect.stringMatching(/^(error|warning|info)$/),
        code: expect.stringMatching(/^[a-z_]+$/),
        content: expect.stringMatching(/\w/),
      })
  })

  test('[CAT-066] every service of every answer fits the published schema', async () => {
    for (const service of await everyService(call)) expect(isService(service) ? [] : isService.errors).toEqual([])
  })

  test('[CAT-071] no service of any answer breaks the rules of payment, price and duration', async () => {
    const services = await everyService(call)
    expect(new Set(services.map(({ id }) => id)).size).toBe(9)
    for (const { pricing, policies, duration } of services) {
      const free = pricing.model === 'free'
      expect(policies.requires_payment).toBe(!free)
      expect(policies.payment_timing !== undefined).toBe(policies.requires_payment)
      if (free) expect(pricing).not.toHaveProperty('amount')
      if (['fixed', 'hourly', 'per_person'].includes(pricing.model)) expect(pricing.amount).toBeGreaterThan(0)
      if (policies.payment_timing === 'deposit_required') expect(pricing.deposit).toBeDefined()
      const kinds = [duration.fixed, duration.range, duration.undetermined].filter((kind) => kind !== undefined)
      expect(kinds).toHaveLength(1)
      if (duration.undetermined) expect(pricing.model).not.toBe('hourly')
    }
  })
})

async function everyService(call: Caller): Promise<Service[]> {
  const [listed, got, looked, fed] = await Promise.all(calls.map(([tool, input]) => call(tool, input)))
  return [
    ...(listed?.payload.services ?? []),
    got?.payload.service,
    ...(looked?.payload.services ?? []),
    ...(fed?.payload.items.map(({ data }: { data: Service }) => data) ?? []),
  ]
}
