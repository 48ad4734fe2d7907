import type { Tool } from '@modelcontextprotocol/server'
import { remember } from '../../basics/remember.ts'
import { answerSchema } from '../../protocol/envelope.ts'
import type { Operation } from '../../protocol/operation.ts'
import { metaSchema } from '../../protocol/operation-validators.ts'
import { selfContained } from '../../protocol/schemas.ts'
import { isServed } from '../../protocol/served-capabilities.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

export interface ToolList {
  tools: Tool[]
  /** The same as it goes over the wire: 750 kB that a hundred bytes ask for are put into words once for all who ask. */
  written: Buffer
}

/** Tells what a business lets its callers call. */
export const toolLists = remember(2, (operations: Operation[]) => {
  const all = operations.map((operation) => ({ operation, tool: toolOf(operation) }))
  const made = new Map<string, ToolList>()
  return (definition: BusinessDefinition | undefined): ToolList => {
    const tools = all.flatMap(({ operation, tool }) => (isServed(operation, definition) ? [tool] : []))
    const names = tools.map(({ name }) => name).join(' ')
    const list = made.get(names) ?? { tools, written: Buffer.from(JSON.stringify(tools)) }
    made.set(names, list)
    return list
  }
})

function toolOf(operation: Operation): Tool {
  const { tool, title, description, effect, input } = operation
  const meta = metaSchema(operation)
  const required = [...(input.required ?? []), ...(operation.access.startsWith('privileged') ? ['_meta'] : [])]
  const inputSchema = { ...input, required, properties: { ...input.properties, ...(meta && { _meta: meta }) } }
  return {
    name: tool,
    title,
    description,
    inputSchema: { ...selfContained(inputSchema), type: 'object' },
    outputSchema: { ...selfContained(answerSchema(operation)), type: 'object' },
    annotations: {
      title,
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'remove' || effect === 'update',
      idempotentHint: effect !== 'create',
      openWorldHint: false,
    },
  }
}
