import { describe } from 'vitest'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import type { TestServer } from './server.ts'

export interface BindingAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  payload: any
  error: { code: string; content: string; errors?: { field: string; message: string }[] } | undefined
}

export type Caller = (tool: string, input?: Record<string, unknown>) => Promise<BindingAnswer>

/** Runs the same tests over REST and over MCP. A caller names the tool, and both bindings return the same form. */
export function onBothBindings(server: TestServer, tests: (call: Caller) => void) {
  describe('over REST', () => tests(overRest(server)))
  describe('over MCP', () => tests(overMcp(server)))
}

export const overRest =
  (server: TestServer): Caller =>
  async (tool, input = {}) => {
    const operation = operations.find((one) => one.tool === tool)
    if (!operation) throw new Error(`There is no tool ${tool}`)
    const { method, path, parameters } = restRouteOf(operation)
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name])))
    const rest = Object.entries(input).filter(([name]) => !parameters.includes(name))
    const query = new URLSearchParams(
      rest.filter(([, value]) => value != null).map(([name, value]) => [name, String(value)]),
    )
    const { status, body } =
      method === 'GET'
        ? await server.rest(method, query.size > 0 ? `${filled}?${query}` : filled)
        : await server.rest(method, filled, Object.fromEntries(rest))
    const error = status >= 400 ? { code: body.code, content: body.detail, errors: body.errors } : undefined
    return { payload: error ? undefined : body, error }
  }

export const overMcp =
  (server: TestServer): Caller =>
  async (tool, input = {}) => {
    const { body } = await server.tool(tool, input)
    return { payload: body.result?.structuredContent, error: body.error?.data }
  }
