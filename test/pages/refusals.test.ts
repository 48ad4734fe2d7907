import fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { languages } from '../../src/infra/i18n/languages.ts'
import { localizerFor } from '../../src/infra/i18n/localizer.ts'
import { failure } from '../../src/interfaces/pages/error-pages.ts'
import { BusinessRefusal, type BusinessRefusalCode, errors, ProtocolError } from '../../src/protocol/errors.ts'
import { testShop } from '../support/desk.ts'
import { studio } from './shop.ts'

const FOR_PROGRAMS = 'Query for others.'

/** A page on which something goes wrong. */
async function refusedWith(error: Error, language: string) {
  const app = fastify()
  app.decorateRequest('localizer')
  app.addHook('onRequest', async (request) => {
    const localizer = localizerFor(language)
    if (localizer) request.localizer = localizer
  })
  app.setErrorHandler(async (caught, request, reply) => {
    const { status, title, body } = failure(caught, request, reply)
    return reply.code(status).send(`${title}: ${body.text}`)
  })
  app.get('/', () => {
    throw error
  })
  const { statusCode, body, headers } = await app.inject('/')
  return { status: statusCode, body, headers }
}

const outcomes: BusinessRefusalCode[] = [
  'slot_unavailable',
  'hold_expired',
  'booking_window_violated',
  'capacity_exceeded',
  'waitlist_full',
  'reschedule_limit_reached',
  'price_mismatch',
]

describe.each(Object.keys(languages))('[people read their own language] in %s', (language) => {
  test.each(outcomes)('%s is told in a sentence of the catalogue', async (code) => {
    const own = await refusedWith(new BusinessRefusal(code, FOR_PROGRAMS), language)
    expect(own.status).toBe(409)
    expect(own.body).not.toContain(FOR_PROGRAMS)
    if (language !== 'en')
      expect(own.body).not.toBe((await refusedWith(new BusinessRefusal(code, FOR_PROGRAMS), 'en')).body)
  })

  test.each([
    'validation_error',
    'service_not_found',
    'content_too_large',
    'idempotency_conflict',
    'not_found',
  ] as const)('%s too', async (code) => {
    const { status, body } = await refusedWith(new ProtocolError(code, FOR_PROGRAMS), language)
    expect(status).toBe(errors[code].http)
    expect(body).not.toContain(FOR_PROGRAMS)
  })
})

test('[too much is kept already] is told apart from pages that are opened too often', async () => {
  const refused = await refusedWith(new ProtocolError('hold_limit_exceeded', FOR_PROGRAMS, { retryAfter: 500 }), 'en')
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '500' } })
  expect(refused.body).toContain('try again in 9 minutes')
})

test('a form of too many fields is told to a person, in their language', async () => {
  const shop = await testShop(studio())
  const answer = await shop.raw({
    method: 'POST',
    url: '/my',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'de' },
    payload: 'a=1&'.repeat(1_100),
  })
  expect(answer.status).toBe(413)
  expect(answer.body).toContain('Das Formular ist nicht vollständig angekommen.')
})
