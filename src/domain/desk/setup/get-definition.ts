import { sql } from 'kysely'
import { defineOperation } from '../../../protocol/operation.ts'
import type { GetBusinessDefinition } from '../../../protocol/types.generated.ts'
import { writeInWorker } from '../../definition/read-in-worker.ts'
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
  input: {
    type: 'object',
    properties: {
      format: {
        enum: ['yaml', 'json'],
        default: 'yaml',
        description: 'How it is written: for people, or for programs.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['version', 'definition'],
    properties: {
      version: versionShape('Which it is: 0 where no business is set up yet. Give it back with what you make of it.'),
      definition: { type: 'string', description: 'All of it; empty where no business is set up yet.' },
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
