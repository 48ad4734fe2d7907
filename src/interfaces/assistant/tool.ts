import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import type { CallMeans } from '../../pipeline/dispatch.ts'
import type { Assistant, Peer } from '../../protocol/caller.ts'
import type { Means } from '../../protocol/means.ts'
import type { ObjectSchema } from '../../protocol/operation.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { compile, type Validator } from '../../protocol/validator.ts'
import type { Exchange } from '../mcp/exchange.ts'

export type AssistantMeans = CallMeans & Means<'log'> & { accessTokens: AccessTokens }

/** For whom a tool works. */
export interface Asked {
  definition: BusinessDefinition
  peer: Peer
  /** Who lets the assistant act, where it signed in for somebody. */
  assistant: Assistant | undefined
  now: Date
  means: AssistantMeans
}

/** For whom, in one exchange. */
export async function askedIn({ peer, assistant }: Exchange, means: AssistantMeans): Promise<Asked> {
  const definition = await means.business.get()
  if (!definition) throw new Unable('Nothing can be booked here yet.')
  return { definition, peer, assistant, now: means.clock(), means }
}

/** The same twice: in words that are complete by themselves, and as data. */
export interface Said {
  text: string
  data: NonNullable<CallToolResult['structuredContent']>
  /** What a client that can is asked to open, and tell when the person has. */
  opens?: Opening
  /** Sentences of the data that are shown to the person (`view.ts`): the same in whichever language. */
  words?: (speech: Speech) => readonly string[]
}

/** A link, by what its outcome is asked, and what it is for. */
export interface Opening {
  link: string
  status_code: string
  what: string
}

/** One thing that an assistant can do for somebody. */
interface ToolOf<Input> {
  name: string
  title: string
  description: string
  input: Pick<ObjectSchema, 'properties' | 'required'>
  annotations: ToolAnnotations
  /** Whether it is of no use to whoever has not signed in. */
  needsAccount?: true | 'unless by a link'
  /** Whether a host that shows views shows what it says. */
  isShown?: true
  run(input: Input, asked: Asked): Promise<Said>
}

export type AssistantTool = Omit<ToolOf<unknown>, 'input'> & { input: ObjectSchema; validator: Validator }

/** Its input is closed: a member that means nothing is a slip, and a model mends it. */
export function defineTool<Input>({ input, run, ...tool }: ToolOf<Input>): AssistantTool {
  const closed = { ...input, type: 'object' as const, additionalProperties: false }
  // Whatever is run was held against the schema a moment ago.
  return { ...tool, input: closed, validator: compile(closed), run: (given, asked) => run(given as Input, asked) }
}

/** What cannot be done, in a sentence by which a model knows what to do instead. */
export class Unable extends Error {
  /** What of it is of use to a program too. */
  readonly data: Record<string, unknown>

  constructor(message: string, data: Record<string, unknown> = {}) {
    super(message)
    this.data = data
  }
}
