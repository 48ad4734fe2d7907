import { sql } from 'kysely'
import { defineOperation } from '../../protocol/operation.ts'
import type { BusinessDefinition, GetBusinessDefinition } from '../../protocol/types.generated.ts'
import { atDesk } from '../shared/operation-parts.ts'
import { versionShape } from './setup-parts.ts'

export const getDefinition = defineOperation<GetBusinessDefinition>({
  ...atDesk,
  id: 'getBusinessDefinition',
  rest: 'GET /business/definition',
  tool: 'usp_business_definition_get',
  title: 'Get the business definition',
  description:
    'Everything the server knows of the business, as `usp apply` takes it from a file: who it is, when it is open, who ' +
    'works there, what can be booked on which terms.',
  role: 'manager',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: {
    type: 'object',
    required: ['version', 'definition'],
    properties: {
      version: versionShape('Which it is: 0 where no business is set up yet. Give it back with what you make of it.'),
      definition: { type: 'string', description: 'As YAML; empty where no business is set up yet.' },
    },
  },
  summary: ({ version }) => (version === 0 ? 'No business is set up yet.' : `This is version ${version}.`),
  async handle({ db }) {
    const { rows } = await sql<{ version: number; definition: BusinessDefinition }>`
      select version, definition from business`.execute(db)
    const [row] = rows
    if (!row) return { version: 0, definition: '' }
    // A server needs it when somebody looks at the definition, and then alone.
    const { stringify } = await import('yaml')
    return { version: row.version, definition: stringify(row.definition) }
  },
})
