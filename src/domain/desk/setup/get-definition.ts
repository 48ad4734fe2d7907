import { sql } from 'kysely'
import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetBusinessDefinition } from '../../../protocol/types.generated.ts'
import { writeInWorker } from '../../definition/parse-definition-in-worker.ts'
import { atDesk } from '../shared/operation-defaults.ts'

export const versionShape = (description: string) => ({
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description,
})

/**
 * The maximum number of characters of a business definition. The server can parse a text of this length quickly, and
 * known definitions are much shorter.
 */
export const LONGEST_DEFINITION = 200_000

export const getDefinition = defineOperation<GetBusinessDefinition>({
  ...atDesk,
  id: 'getBusinessDefinition',
  rest: 'GET /business/definition',
  tool: 'usp_business_definition_get',
  title: 'Get the business definition',
  description:
    'Returns the whole business definition, in the form of a file for `usp apply`: the business, its opening ' +
    'hours, its staff, its services and their terms.',
  role: 'manager',
  effect: 'read',
  input: {
    type: 'object',
    properties: {
      format: {
        enum: ['yaml', 'json'],
        default: 'yaml',
        description: 'The format: YAML for people, JSON for programs.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['version', 'definition'],
    properties: {
      version: versionShape('The version; 0 if no business is set up yet. Send it back with the changed definition.'),
      definition: { type: 'string', description: 'The whole definition; empty if no business is set up yet.' },
    },
  },
  summary: ({ version }) => (version === 0 ? 'No business is set up yet.' : `This is version ${version}.`),
  async handle({ db, input: { format } }) {
    const { rows } = await sql<{ version: number; json: string }>`
      select version, definition::text as json from business`.execute(db)
    const [{ version, json } = { version: 0, json: '' }] = rows
    return { version, definition: version === 0 || format === 'json' ? json : await writeInWorker(json) }
  },
})
