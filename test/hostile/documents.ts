import { type Schema, selfContained } from '../../src/protocol/json-schemas.ts'

/** A document that fits its schema up to one place, where there is as much as there is room for. */
export interface HostileDocument {
  what: string
  make(values: number): unknown
}

const examples = {
  date: '2026-11-24',
  'date-time': '2026-11-24T15:00:00Z',
  duration: 'PT1H',
  email: 'a@example.com',
  uri: 'https://a.example/',
  'uri-reference': '/a',
}
const texts = [
  ...[
    'a',
    'US',
    'USD',
    '12:00',
    '2026-11-24',
    'dev.example.a',
    'https://a.example',
    'https://a.example/',
    'bsc_a',
    'a.a.a',
  ],
  'a'.repeat(43),
]
/** A text may be so much longer than values may be many. */
const BYTES_A_VALUE = 6
/** Below that everything repeats what stood above. */
const DEEPEST = 6

interface Place {
  schema: Schema
  definitions: Record<string, Schema>
  depth: number
}

const asSchema = (value: unknown): Schema => Object(value)
const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.map(asSchema) : [])

export function hostileDocuments(schema: Schema): HostileDocument[] {
  const whole = selfContained(schema)
  const definitions: Record<string, Schema> = Object(whole.$defs)
  return [...attacks(resolved({ schema: whole, definitions, depth: 0 }))]
}

/** The least that fits the schema. */
export function example(schema: Schema): unknown {
  const whole = selfContained(schema)
  return least(resolved({ schema: whole, definitions: Object(whole.$defs), depth: 0 }))
}

const below = (place: Place, schema: unknown): Place =>
  resolved({ ...place, schema: asSchema(schema), depth: place.depth + 1 })

/** With what it refers to and the first of its branches drawn together. */
function resolved(place: Place): Place {
  const { $ref, allOf, anyOf, oneOf, ...own } = place.schema
  const parts = [
    ...(typeof $ref === 'string' ? [asSchema(place.definitions[$ref.slice('#/$defs/'.length)])] : []),
    ...schemasIn(allOf),
    ...schemasIn(anyOf).slice(0, 1),
    ...schemasIn(oneOf).slice(0, 1),
    ...schemasIn(allOf).flatMap(({ if: condition, then }) =>
      applies(asSchema(condition), own) ? [asSchema(then)] : [],
    ),
  ]
  return { ...place, schema: parts.map((schema) => resolved({ ...place, schema }).schema).reduce(merged, own) }
}

/** Whether the condition holds for the first value that each property may have. */
function applies(condition: Schema, { properties }: Schema): boolean {
  const named = Object.entries(Object(condition.properties))
  return (
    named.length > 0 &&
    named.every(([name, wanted]) => {
      const {
        type,
        const: only = type === 'boolean' || undefined,
        enum: some = [only],
      } = Object(Object(properties)[name])
      const { const: one, enum: others = [one] } = Object(wanted)
      return some[0] !== undefined && others.includes(some[0])
    })
  )
}

const merged = (one: Schema, other: Schema): Schema => ({
  ...other,
  ...one,
  properties: { ...Object(other.properties), ...Object(one.properties) },
  required: [...Object(other.required ?? []), ...Object(one.required ?? [])],
})

const typeOf = ({ type, properties, required }: Schema) =>
  [type].flat().find((one) => one !== 'null') ??
  (Object.keys(Object(properties)).length + Object(required ?? []).length > 0 ? 'object' : undefined)

function least(place: Place): unknown {
  const { schema } = place
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (typeOf(schema)) {
    case 'object':
      return withMembers(place)
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => least(below(place, schema.items)))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return textFor(schema)
  }
}

function withMembers(place: Place): object {
  const required: unknown[] = Object(place.schema.required ?? [])
  const properties: Record<string, Schema> = Object(place.schema.properties)
  return Object.fromEntries(required.map((name) => [String(name), least(below(place, properties[String(name)] ?? {}))]))
}

function textFor({ format, pattern, minLength = 0 }: Schema): string {
  if (typeof pattern === 'string') return texts.find((text) => new RegExp(pattern, 'u').test(text)) ?? 'a'
  const known = Object.entries(examples).find(([name]) => name === format)
  return known?.[1] ?? 'a'.repeat(Math.max(1, Number(minLength)))
}

function* attacks(place: Place): Generator<HostileDocument> {
  const { schema } = place
  const type = typeOf(schema)
  if (type === 'object') yield* onMembers(place)
  if (type === 'array') yield* onItems(place)
  if (type === 'string')
    for (const piece of ['a', ' ', '.', '~', '\u0301'])
      yield { what: `a long text of ${JSON.stringify(piece)}`, make: (values) => longText(piece, values) }
}

const longText = (piece: string, values: number) => piece.repeat((values * BYTES_A_VALUE) / Buffer.byteLength(piece))

function* onMembers(place: Place): Generator<HostileDocument> {
  const { schema, depth } = place
  const known = withMembers(place)
  const others = asSchema(schema.additionalProperties)
  const right = Object.keys(others).length > 0 ? least(below(place, others)) : {}
  const names: ((index: number) => string)[] = [(index) => `k${index}`, (index) => `dev.example.a${index}`]
  for (const [kind, nameOf] of names.entries())
    for (const value of [right, [{}]])
      yield {
        what: `many names of kind ${kind} for ${JSON.stringify(value)}`,
        make: (values) => ({ ...known, ...manyNames(values, nameOf, value) }),
      }
  yield { what: 'a __proto__', make: (values) => JSON.parse(`{"__proto__":[${'1,'.repeat(values - 1)}1]}`) }
  if (depth >= DEEPEST) return
  for (const [name, child] of Object.entries(Object(schema.properties)))
    for (const { what, make } of attacks(below(place, child)))
      yield { what: `${name}: ${what}`, make: (values) => ({ ...known, [name]: make(values) }) }
  for (const { what, make } of attacks(below(place, others)))
    yield { what: `any: ${what}`, make: (values) => ({ ...known, 'dev.example.any': make(values) }) }
}

const manyNames = (values: number, nameOf: (index: number) => string, value: unknown) =>
  Object.fromEntries(Array.from({ length: values / Math.max(1, sizeOf(value)) }, (_, index) => [nameOf(index), value]))

function* onItems(place: Place): Generator<HostileDocument> {
  const { schema, depth } = place
  const item = below(place, schema.items)
  const right = least(item)
  const wrong: unknown[] = [{}, [], 1, null]
  for (const value of [right, ...wrong])
    yield {
      what: `many of ${JSON.stringify(value)}`,
      make: (values) => Array(Math.floor(values / Math.max(1, sizeOf(value)))).fill(value),
    }
  yield { what: 'many texts', make: (values) => Array.from({ length: values }, (_, index) => `t${index}`) }
  if (depth >= DEEPEST) return
  for (const { what, make } of attacks(item)) yield { what: `[0]: ${what}`, make: (values) => [make(values)] }
}

/** How many values a value holds, itself included. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, child) => sum + sizeOf(child), 1)
}
