import type { Operation } from '../src/protocol/define-operation.ts'
import { operations } from '../src/server/all-operations.ts'
import { typeNameOf } from './generate-types.ts'

const HEAD = `// Generated from the operations by \`npm run generate\`. Do not edit.
import type * as types from '../../src/protocol/types.generated.ts'
import { open, read, write } from './operation-routes.ts'

/** Every operation that the client has a method for: all but those of the staff. */
export const operations = {
`

/** Generates `operations.generated.ts` of the client: the routes of all operations that platforms call. */
export function generateClient(): string {
  const lines = operations.filter(({ access }) => access !== 'business_only').map(lineOf)
  return `${HEAD}${lines.join('\n')}\n}\n`
}

function lineOf(operation: Operation): string {
  const { id, rest, tool, access, effect } = operation
  const asks = access === 'public' ? 'open' : effect === 'read' ? 'read' : 'write'
  const parameters = [rest, tool, resourceMember(operation) ?? []].flat().map((text) => `'${text}'`)
  return `  ${id}: ${asks}<types.${typeNameOf(id)}>(${parameters.join(', ')}),`
}

/**
 * Finds the input member that contains the id of the resource. The function `resource` gets a proxy that returns the
 * name of each member it reads.
 */
function resourceMember({ resource }: Operation): string | undefined {
  const names = new Proxy({}, { get: (_, name) => name })
  return resource?.(names).id
}
