import { describe, expect, test } from 'vitest'
import { openapi } from '../../src/interfaces/docs/openapi.ts'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { validatorsOf } from '../../src/protocol/operation-validators.ts'
import { operations } from '../../src/server/all-operations.ts'

type Schema = Record<string, unknown>
interface Place {
  at: string
  schema: Schema
}

const document = JSON.parse(JSON.stringify(openapi(operations)))

function* objectsIn(value: unknown, at = ''): Generator<Place> {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* objectsIn(item, `${at}/${index}`)
  else if (typeof value === 'object' && value !== null) {
    yield { at, schema: value as Schema }
    for (const [name, child] of Object.entries(value))
      if (!/^examples?$/.test(name)) yield* objectsIn(child, `${at}/${name}`)
  }
}

const all = [...objectsIn(document)]
const where = (fits: (schema: Schema) => boolean) => all.filter(({ schema }) => fits(schema)).map(({ at }) => at)

const isShape = (branch: object) => '$ref' in branch || 'type' in branch
const isSchemaList = (value: unknown): value is object[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object')

describe('[generators drop the data of what they cannot read]', () => {
  test('every branch of a choice says by itself what the value is', () => {
    const branches = (schema: Schema) =>
      ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (isSchemaList(schema[keyword]) ? schema[keyword] : []))
    expect(where((schema) => !branches(schema).every(isShape))).toEqual([])
  })

  test('no choice is between forms of one type, such as of a day and an instant', () => {
    const kinds = (branches: unknown) =>
      isSchemaList(branches) ? branches.flatMap((branch) => ('type' in branch ? [String(branch.type)] : [])) : []
    const isTwice = (branches: unknown) => new Set(kinds(branches)).size < kinds(branches).length
    expect(where(({ anyOf, oneOf }) => isTwice(anyOf) || isTwice(oneOf))).toEqual([])
  })

  test('no choice stands beside the members of an object', () => {
    expect(where((schema) => 'properties' in schema && ('anyOf' in schema || 'oneOf' in schema))).toEqual([])
  })

  test('there are no conditions', () => {
    const conditions = ['if', 'then', 'else', 'not', 'dependentRequired', 'dependentSchemas', 'propertyNames']
    expect(where((schema) => conditions.some((keyword) => typeof schema[keyword] === 'object'))).toEqual([])
  })

  test('a value has one type, or one type and null; what stands in the address is never null', () => {
    const isMixed = ({ type }: Schema) => Array.isArray(type) && type.filter((one) => one !== 'null').length > 1
    expect(where(isMixed)).toEqual([])
    const parameters = all.filter(({ schema }) => schema.in === 'query' || schema.in === 'path')
    expect(parameters.filter(({ schema }) => Array.isArray(Object(schema.schema).type))).toEqual([])
  })

  test('whatever is named says of what type it is', () => {
    const named = all.flatMap(({ schema: { properties } }) => Object.values(properties ?? {}))
    const items = all.flatMap(({ schema: { items } }) => items ?? [])
    const types = ['type', '$ref', 'oneOf', 'anyOf', 'allOf']
    expect([...named, ...items].filter((schema) => !types.some((keyword) => keyword in Object(schema)))).toEqual([])
  })

  test('what is always true is a boolean: as the only value of a list it is compared with the word', () => {
    const fixed = (schema: Schema) => schema.type === 'boolean' && ('const' in schema || 'enum' in schema)
    expect(where(fixed)).toEqual([])
  })

  test('what may hold anything says so', () => {
    const sayings = ['properties', 'required', 'additionalProperties']
    expect(where((schema) => schema.type === 'object' && !sayings.some((keyword) => keyword in schema))).toEqual([])
  })

  test('no two named schemas go by one name, be it their title', () => {
    const named: [string, { title?: string }][] = Object.entries(document.components.schemas)
    const names = named.map(([name, { title = name }]) => title.toLowerCase())
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

describe.each(operations)('$id', (operation) => {
  const { method, path } = restRouteOf(operation)
  const { responses } = document.paths[`/usp/v1${path}`][method.toLowerCase()]
  const { required = [], properties } = operation.output
  const usp = { version: '2026-08-20' }

  test('[HLD-007] [BKG-058] what it answers with can be read member by member, and what it made is always there', () => {
    const schemaOf = (status: number) => responses[status].content['application/json'].schema
    expect(Object.keys(schemaOf(200).properties)).toEqual(['usp', ...Object.keys(properties), 'messages'])
    expect(schemaOf(200).required).toEqual(['usp'])
    if (operation.effect === 'create') expect(schemaOf(201).required).toEqual(['usp', ...required])
  })

  test.runIf(required.length > 0)('our own validation demands the whole, or a refusal with its reasons', () => {
    const { answer } = validatorsOf(operation)
    expect(answer({ usp })).toBe(false)
    expect(answer({ usp: { ...usp, status: 'error' } })).toBe(false)
    expect(answer({ usp: { ...usp, status: 'error' }, messages: [] })).toBe(true)
  })
})
