import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import published from '../support/ucp/published.json' with { type: 'json' }

const amount = { type: 'integer', minimum: 0 }
const totals = {
  type: 'array',
  items: { type: 'object', required: ['type', 'amount'], properties: { amount: { type: 'integer' } } },
  allOf: ['subtotal', 'total'].map((type) => ({
    contains: { properties: { type: { const: type } }, required: ['type'] },
    minContains: 1,
    maxContains: 1,
  })),
}
const message = {
  type: 'object',
  required: ['type', 'code', 'content'],
  if: { properties: { type: { const: 'error' } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['severity'] },
}
const failed = {
  type: 'object',
  required: ['ucp', 'messages'],
  properties: { ucp: { properties: { status: { const: 'error' } }, required: ['status', 'version'] } },
  additionalProperties: { type: 'array', items: message, minItems: 1 },
}
const item = { type: 'object', required: ['id', 'title', 'price'], properties: { price: amount } }
const meta = (...required: string[]) => ({
  type: 'object',
  required: ['version', ...required],
  properties: { version: { const: '2026-08-25' }, status: { const: 'success' } },
})

/** The shapes that UCP 2026-08-25 asks of answers, in our words. */
const ours = {
  checkout: {
    type: 'object',
    required: ['ucp', 'id', 'line_items', 'status', 'currency', 'totals', 'links'],
    properties: {
      ucp: meta('payment_handlers'),
      line_items: {
        type: 'array',
        items: { type: 'object', required: ['id', 'item', 'quantity', 'totals'], properties: { item } },
      },
      totals,
      messages: { type: 'array', items: message },
      order: { type: 'object', required: ['id', 'permalink_url'] },
    },
  },
  order: {
    type: 'object',
    required: ['ucp', 'id', 'checkout_id', 'permalink_url', 'line_items', 'fulfillment', 'currency', 'totals'],
    properties: { ucp: meta(), totals },
  },
} as const

type Kind = keyof typeof ours

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))
for (const schema of published.schemas) ajv.addSchema(schema)

const inOurWords: Record<Kind, ValidateFunction> = {
  checkout: ajv.compile({ anyOf: [ours.checkout, failed] }),
  order: ajv.compile({ anyOf: [ours.order, failed] }),
}
const asPublished = (kind: Kind) => ajv.getSchema(`https://ucp.dev/schemas/shopping/${kind}.json`)

/** Checks an answer against the shape of UCP, and against the published schemas of UCP. */
export function fitsUcp(kind: Kind, body: { ucp?: { status?: string } }): void {
  const applying = body.ucp?.status === 'error' ? [inOurWords[kind]] : [inOurWords[kind], asPublished(kind)]
  for (const fits of applying) {
    if (!fits) throw new Error(`There is no published schema of ${kind}`)
    expect(fits(body) ? [] : fits.errors).toEqual([])
  }
}
