import type { Operation } from '../../src/protocol/operation.ts'

/** An operation for one test alone: a public read that takes and gives nothing, but for what is changed. */
export const testOperation = (id: string, changes: Partial<Operation> = {}): Operation => ({
  id,
  rest: `POST /${id}`,
  tool: `usp_${id}`,
  title: 'Probe',
  description: 'For this test alone.',
  capability: 'dev.usp-protocol.services.catalog',
  access: 'public',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: { type: 'object', properties: {} },
  summary: () => 'Done.',
  handle: async () => ({}),
  ...changes,
})
