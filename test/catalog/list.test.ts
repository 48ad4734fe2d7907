import { expect, test } from 'vitest'
import { businessWith, services } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith(services(25)))

test('[CAT-001] a list with an empty body object', async () => {
  const { status, body } = await server.rest('POST', '/services/list', {})
  expect(status).toBe(200)
  expect(body.usp.version).toBe('2026-08-20')
  expect(body.services).toHaveLength(20)
  expect(body.pagination).toMatchObject({ has_more: true, cursor: expect.any(String) })
})
test('tool', async () => {
  const { body } = await server.tool('usp_services_list', {})
  expect(body.result.structuredContent.services).toHaveLength(20)
})
