import type { Tool } from '@modelcontextprotocol/server'
import { memoize } from '../../infra/util/memoize.ts'
import { asRecord, omitUndefined } from '../../infra/util/object-members.ts'
import { isRoleSufficient } from '../../pipeline/check-permissions.ts'
import type { Role } from '../../protocol/caller-types.ts'
import { isServed } from '../../protocol/capabilities.ts'
import { withPlainAmounts } from '../../protocol/convert-money-strings.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import { selfContained } from '../../protocol/json-schemas.ts'
import { metaSchema } from '../../protocol/operation-validators.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * Returns a function that lists the MCP tools for a caller. Without a staff role, the list contains the tools for
 * platforms. With a role, it contains the tools for a staff member with this role.
 */
export const toolLists = memoize(2, (operations: Operation[]) => {
  const all = operations.map((operation) => ({
    operation,
    forPlatforms: toolOf(operation, metaSchema(operation)),
    // Staff members have no platform profile, so they send no `_meta`.
    forStaff: withoutDefaultHints(toolOf(operation)),
  }))
  return (definition: BusinessDefinition | undefined, role: Role | undefined): Tool[] =>
    all
      .filter(({ operation }) => isListedFor(operation, role) && isServed(operation, definition))
      .map(({ forPlatforms, forStaff }) => (role === undefined ? forPlatforms : forStaff))
})

/**
 * Whether a caller sees the tool. Platforms see all tools except the staff tools. Staff members have no platform
 * profile, so they see only the public operations and the staff tools of their role.
 */
function isListedFor(operation: Operation, role: Role | undefined): boolean {
  const { access, tool } = operation
  if (role === undefined) return !tool.startsWith('usp_business_')
  return access === 'public' || (access === 'business_only' && isRoleSufficient(role, operation))
}

/**
 * Returns an entry of the MCP tool list. AI models read the whole list at each step, so each entry must be short. Only
 * the OpenRPC document describes answers and authentication proofs in detail.
 */
function toolOf(operation: Operation, meta?: ReturnType<typeof metaSchema>): Tool {
  const { tool, title, description, effect, input } = operation
  const required = [...(input.required ?? []), ...(operation.access.startsWith('privileged') ? ['_meta'] : [])]
  const inputSchema = {
    ...input,
    ...(required.length > 0 && { required }),
    properties: { ...input.properties, ...(meta && { _meta: { ...meta, description: 'The caller.' } }) },
  }
  return {
    name: tool,
    title,
    description,
    inputSchema: { ...briefSchema(withPlainAmounts(selfContained(inputSchema))), type: 'object' },
    annotations: {
      readOnlyHint: effect === 'read',
      destructiveHint: effect === 'remove',
      // The hint has no meaning for a tool that only reads.
      ...(effect !== 'read' && { idempotentHint: effect !== 'create' }),
      openWorldHint: false,
    },
  }
}

/**
 * Removes the hints that have the default value of MCP, and hints about changes from a tool that only reads. The list for
 * staff is the longest one.
 */
function withoutDefaultHints({ annotations = {}, ...tool }: Tool): Tool {
  const { readOnlyHint, openWorldHint, destructiveHint, idempotentHint } = annotations
  const shortened = readOnlyHint
    ? { readOnlyHint, openWorldHint }
    : { destructiveHint, openWorldHint, ...(idempotentHint && { idempotentHint }) }
  return { ...tool, annotations: omitUndefined(shortened) }
}

const PROOF_SHAPES = ['McpAuthorization', 'AuthorizationMechanism', 'PopProofJwt']

/**
 * Shortens the schemas of a tool. Removes titles, because they repeat the names, and removes the details of
 * authentication proofs. Also removes the usual limits for the length of a text, which the server checks. Also shortens
 * `_meta`, which all tools for platforms have.
 */
function briefSchema(schema: ReturnType<typeof selfContained>) {
  const { $defs, ...rest } = withoutTextLengths(schema)
  const definitions = Object.entries(asRecord($defs))
    .filter(([name]) => !PROOF_SHAPES.includes(name))
    .map(([name, shape]) => {
      const { title: _, ...untitled } = asRecord(shape)
      return [name, name.startsWith('McpUspMeta') ? briefMetaSchema(name, untitled) : untitled]
    })
  return definitions.length > 0 ? { ...rest, $defs: Object.fromEntries(definitions) } : rest
}

const withoutTextLengths = <T>(schema: T): T =>
  JSON.parse(JSON.stringify(schema, (name, value) => (isTextLength(name, value) ? undefined : value)))

const isTextLength = (name: string, value: unknown): boolean =>
  (name === 'minLength' && value === 1) || (name === 'maxLength' && typeof value === 'number')

/**
 * Returns a short schema of the tool parameter `_meta`. For a public operation, the schema contains only the caller's
 * profile, because such an operation needs no authentication.
 */
const briefMetaSchema = (shape: string, { required, properties }: Readonly<Record<string, unknown>>) => ({
  type: 'object',
  description: 'The calling platform.',
  ...(required !== undefined && { required }),
  properties: Object.fromEntries(
    Object.entries(shape === 'McpUspMetaPublic' ? { profile: BRIEF_META_MEMBERS.profile } : BRIEF_META_MEMBERS).filter(
      ([name]) => name in asRecord(properties),
    ),
  ),
})

const BRIEF_META_MEMBERS = {
  profile: { type: 'string', description: "Address of the platform's profile document, https." },
  idempotency_key: {
    type: 'string',
    description: 'A new value for each intended change; the same value for a retry.',
  },
  if_match: {
    type: 'string',
    description: 'The revision last read; the call is refused if the resource has another one.',
  },
  authorization: {
    type: 'object',
    description: 'The proof, unless the HTTP request carries it: McpAuthorization in the OpenRPC document.',
  },
}
