import type { CallToolResult, Server } from '@modelcontextprotocol/server'
import manifest from '../../../package.json' with { type: 'json' }
import { recordOf } from '../../basics/record-of.ts'
import { checkAddress } from '../../pipeline/check-address.ts'
import { checkCaller } from '../../pipeline/check-caller.ts'
import { checks } from '../../pipeline/checks.ts'
import { type CallMeans, dispatch } from '../../pipeline/dispatch.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Call, Operation } from '../../protocol/operation.ts'
import { validatorsOf } from '../../protocol/operation-validators.ts'
import { isServed } from '../../protocol/served-capabilities.ts'
import type { Exchange } from './exchange.ts'
import { asJsonRpc, ofJsonRpc, refusalOf } from './refusals.ts'
import { toolLists } from './tool-list.ts'
import { ToolServer } from './tool-server.ts'

export interface McpBinding {
  /** A protocol server for one HTTP request or one stdio session. */
  serve(exchange: Exchange): Server
  has(tool: string): boolean
  /** Resolves when no call is being worked on. */
  idle(): Promise<void>
}

export function mcpBinding(means: CallMeans): McpBinding {
  const { operations, business } = means
  const tellTools = toolLists(operations)
  const ofStaff = operations.find(({ access }) => access === 'business_only')
  /** For one of the staff those of the desk, if they show their token as their calls do. */
  const listFor = async (exchange: Exchange) => {
    const definition = await business.get()
    if (!ofStaff || !STAFF_TOKEN.test(exchange.headers.authorization ?? '')) return tellTools(definition, undefined)
    const call = callOf(ofStaff, {}, exchange)
    await checkAddress(call, means)
    await checkCaller(call, means)
    return tellTools(definition, call.caller?.role)
  }
  const byName = new Map(operations.map((operation) => [operation.tool, operation]))
  const running = new Set<Promise<unknown>>()
  const noted = <T>(call: Promise<T>): Promise<T> => {
    running.add(call)
    return call.finally(() => running.delete(call))
  }
  for (const operation of operations) validatorsOf(operation)

  return {
    has: (tool) => byName.has(tool),
    async idle() {
      while (running.size > 0) await Promise.allSettled(running)
    },
    serve(exchange) {
      const server = new ToolServer(
        { name: manifest.name, version: manifest.version },
        { capabilities: { tools: {} }, instructions },
      )
      server.setRequestHandler('tools/list', async () => {
        const tools = await listFor(exchange).catch((error: unknown) => {
          throw refusalOf(error, exchange)
        })
        return { tools }
      })
      server.fallbackRequestHandler = async ({ method, params: given }) => {
        if (method !== 'tools/call') {
          exchange.isUnknown = true
          throw unknownMethod(method)
        }
        const params = named(given)
        const operation = byName.get(params.name)
        if (!operation) throw unknownTool(params.name)
        try {
          return await noted(callTool(operation, params.arguments, exchange, means))
        } catch (error) {
          throw refusalOf(error, exchange, params.name)
        }
      }
      return server
    },
  }
}

const instructions =
  'Find services with usp_services_list, then look closer with usp_services_get. Amounts are integers in minor ' +
  'currency units, durations ISO 8601, times RFC 3339. A result whose messages hold a type of error was refused by ' +
  'the business; content says why in words for the buyer.'

async function callTool(
  operation: Operation,
  { _meta: meta, ...input }: Record<string, unknown>,
  exchange: Exchange,
  means: CallMeans,
): Promise<CallToolResult> {
  if (!isServed(operation, await means.business.get())) throw unknownTool(operation.tool)
  const call = callOf(operation, input, exchange, meta)
  for (const check of checks) {
    await check(call, means)
    if (call.caller) exchange.principal = call.caller.principal
  }
  const { body, summary } = await dispatch(call, means)
  return { structuredContent: { ...body }, content: [{ type: 'text', text: summary }] }
}

const STAFF_TOKEN = /^bearer ust_/i

function callOf(operation: Operation, input: object, exchange: Exchange, meta?: unknown): Call {
  const { headers, http, peer, answerHeaders } = exchange
  return { binding: 'mcp', operation, input, meta, headers, peer, answerHeaders, ...(http && { http }) }
}

/** What the SDK's own schema would refuse in its own words. */
function named(params: unknown): { name: string; arguments: Record<string, unknown> } {
  const { name, arguments: given = {} } = recordOf(params)
  if (typeof name !== 'string') throw unknownTool(name)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw asJsonRpc(
      new ProtocolError('invalid_request', '`params.arguments` must be an object: parameters are passed by name.'),
    )
  return { name, arguments: recordOf(given) }
}

const unknownTool = (name: unknown) =>
  ofJsonRpc(-32602, `There is no tool named ${quoted(name)}. Ask tools/list for those there are.`)

const unknownMethod = (name: string) =>
  ofJsonRpc(-32601, `There is no method ${quoted(name)}. Tools are called with tools/call.`)

const quoted = (name: unknown) => JSON.stringify(String(name).slice(0, LONGEST_NAME))
const LONGEST_NAME = 100
