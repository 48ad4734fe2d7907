import { Ajv2020 } from 'ajv/dist/2020.js'
import { FORMAT, type Head, type Section, type Tail } from './file-format.ts'

const ajv = new Ajv2020()

/**
 * The schema for table and column names in a backup. The server puts these names into SQL statements, so the pattern
 * prevents SQL injection.
 */
const name = { type: 'string', pattern: '^[a-z_][a-z0-9_]{0,62}$' }
const digest = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const byName = (value: object) => ({ type: 'object', propertyNames: name, additionalProperties: value })

/**
 * Whether a value is the first part (head) of a backup file. The server checks each part of the file against a schema,
 * because a backup file is untrusted input.
 */
export const isHead = ajv.compile<Head>({
  type: 'object',
  required: ['format', 'taken_at', 'migrations'],
  properties: {
    format: { const: FORMAT },
    taken_at: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,}Z$' },
    migrations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'sha256'],
        properties: { name: { type: 'string', maxLength: 100 }, sha256: digest },
      },
    },
    secret: { type: 'string', maxLength: 10_000 },
  },
})

export const isSection = ajv.compile<Section>({
  type: 'object',
  required: ['table', 'columns'],
  properties: { table: name, columns: { type: 'array', minItems: 1, items: name } },
})

export const isTail = ajv.compile<Tail>({
  type: 'object',
  required: ['rows', 'sequences', 'bytes', 'sha256'],
  properties: {
    rows: byName({ type: 'integer', minimum: 0 }),
    sequences: byName({ type: 'string', pattern: '^-?\\d{1,19}$' }),
    bytes: { type: 'integer', minimum: 0 },
    sha256: digest,
    mac: digest,
  },
})
