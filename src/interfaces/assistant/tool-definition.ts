import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { CallDependencies } from '../../pipeline/dispatch-operation.ts'
import type { Assistant, Peer } from '../../protocol/caller-types.ts'
import type { ObjectSchema } from '../../protocol/define-operation.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { compile, type Validator } from '../../protocol/schema-validator.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { McpContext } from '../mcp/mcp-request-context.ts'

export type AssistantDependencies = CallDependencies & Dependencies<'log'> & { accessTokens: AccessTokens }

export interface ToolContext {
  definition: BusinessDefinition
  peer: Peer
  /** The assistant that calls the tool, with the account of the person who signed in. Undefined without a sign-in. */
  assistant: Assistant | undefined
  now: Date
  dependencies: AssistantDependencies
}

export async function toolContextIn(
  { peer, assistant }: McpContext,
  dependencies: AssistantDependencies,
): Promise<ToolContext> {
  const definition = await dependencies.business.get()
  if (!definition) throw new ToolError('Nothing can be booked here yet.')
  return { definition, peer, assistant, now: dependencies.clock(), dependencies }
}

/** The result of a tool in two forms: as a complete text for the AI model, and as structured data. */
export interface ToolResult {
  text: string
  data: NonNullable<CallToolResult['structuredContent']>
  /**
   * A link that the MCP client opens before it repeats the tool call. The server ignores this property if the client
   * cannot open links.
   */
  opens?: UrlToOpen
  /**
   * Returns the texts in `data` in the language of the localizer. The booking view (an HTML page) shows these texts to
   * the person.
   */
  words?: (localizer: Localizer) => readonly string[]
}

export interface UrlToOpen {
  link: string
  status_code: string
  what: string
}

interface ToolOf<Input> {
  name: string
  title: string
  description: string
  input: Pick<ObjectSchema, 'properties' | 'required'>
  annotations: ToolAnnotations
  needsAccount?: true | 'unless by a link'
  isShown?: true
  run(input: Input, toolContext: ToolContext): Promise<ToolResult>
}

export type AssistantTool = Omit<ToolOf<unknown>, 'input'> & { input: ObjectSchema; validator: Validator }

/**
 * Defines a tool. The server refuses input with unknown properties, so that the AI model notices the mistake and
 * corrects the call.
 */
export function defineTool<Input>({ input, run, ...tool }: ToolOf<Input>): AssistantTool {
  const closed = { ...input, type: 'object' as const, additionalProperties: false }
  // The cast of the input to the type of the tool is safe, because `validator` has already checked the input.
  return {
    ...tool,
    input: closed,
    validator: compile(closed),
    run: (given, toolContext) => run(given as Input, toolContext),
  }
}

/** The error for a refused tool call. Its message tells the AI model how to continue. */
export class ToolError extends Error {
  readonly data: Record<string, unknown>

  constructor(message: string, data: Record<string, unknown> = {}) {
    super(message)
    this.data = data
  }
}
