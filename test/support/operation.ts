import type { ChangeOperation, Effect, Operation, ReadOperation } from '../../src/protocol/define-operation.ts'

/** The handler of a test operation. Its type also allows writes, even in a read operation. */
export type Handle = ChangeOperation['handle']

type Changes = Partial<Omit<ChangeOperation, 'effect'>> & { effect?: Effect }

/** An operation for one test. Default: a public read without input and output. */
export const testOperation = (
  id: string,
  { effect = 'read', handle, prepare, ...changes }: Changes = {},
): Operation => {
  const described = {
    id,
    rest: `POST /${id}` as const,
    tool: `usp_${id}`,
    title: 'Probe',
    description: 'For this test alone.',
    capability: 'dev.usp-protocol.services.catalog' as const,
    access: 'public' as const,
    input: { type: 'object' as const, properties: {} },
    output: { type: 'object' as const, properties: {} },
    summary: () => 'Done.',
    ...changes,
  }
  const nothing = async () => ({})
  // The test must ensure that its handler does not write in a read.
  const reading = handle as ReadOperation['handle'] | undefined
  return effect === 'read'
    ? { ...described, effect, handle: reading ?? nothing }
    : { ...described, effect, handle: handle ?? nothing, ...(prepare && { prepare }) }
}
