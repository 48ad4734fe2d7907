import { expect, test } from 'vitest'
import { describeService } from '../../src/domain/catalog/describe-service.ts'
import type { Service } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'

test.each([
  [{}, 'Service svc_a (svc_a): appointment, 60 minutes, 75.00 USD.'],
  [
    { type: 'field_service', duration: { fixed: 'PT1H30M' } },
    'Service svc_a (svc_a): field service, 1 hour 30 minutes, 75.00 USD.',
  ],
  [
    { duration: { range: { min: 'PT1H', max: 'PT4H' } }, pricing: { model: 'hourly', amount: 1200, currency: 'USD' } },
    'Service svc_a (svc_a): appointment, 1 hour to 4 hours, 12.00 USD an hour.',
  ],
  [
    { duration: { undetermined: true }, pricing: { model: 'free', currency: 'USD' } },
    'Service svc_a (svc_a): appointment, free.',
  ],
  [
    { pricing: { model: 'per_person', amount: 2500, currency: 'JPY' } },
    'Service svc_a (svc_a): appointment, 60 minutes, 2500 JPY a person.',
  ],
  [
    { pricing: { model: 'variable', currency: 'USD', price_range: { min: 100, max: 250 } } },
    'Service svc_a (svc_a): appointment, 60 minutes, 1.00 to 2.50 USD.',
  ],
  [
    { pricing: { model: 'variable', amount: 900, currency: 'USD' } },
    'Service svc_a (svc_a): appointment, 60 minutes, from 9.00 USD.',
  ],
  [
    { type: 'com.example.services.courses', pricing: { model: 'variable', currency: 'USD' } },
    'Service svc_a (svc_a): 60 minutes.',
  ],
])('a service is told of in a sentence: %j', (more, sentence) => {
  expect(describeService({ ...service('svc_a'), business_id: 'biz_test', ...more } as Service)).toBe(sentence)
})
