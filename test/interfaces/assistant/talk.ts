import { expect } from 'vitest'
import { service } from '../../support/definitions.ts'
import type { TestServer } from '../../support/server.ts'

/** What a tool said: the same twice, in words and as data. */
export interface Heard {
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  data: any
  isError: boolean
}

/** An assistant that calls tools one after the other. */
export function assistant(shop: TestServer, from: { headers?: Record<string, string>; remoteAddress?: string } = {}) {
  const send = async (method: string, params: object = {}) => {
    const { status, body } = await shop.raw({
      method: 'POST',
      url: '/mcp',
      payload: { jsonrpc: '2.0', id: 1, method, params },
      ...from,
      headers: { 'content-type': 'application/json', ...from.headers },
    })
    return { status, body }
  }
  return {
    send,
    async call(name: string, args: object = {}): Promise<Heard> {
      const { body } = await send('tools/call', { name, arguments: args })
      expect(body.error).toBeUndefined()
      const { content, structuredContent, isError = false } = body.result
      return { text: content[0].text, data: structuredContent, isError }
    },
  }
}

/** What costs something to move, and to cancel. */
export const lateService = service('svc_late', {
  policies: {
    ...service('svc_late').policies,
    cancellation: { allowed: true, free_cancellation_until: 'P60D', late_cancellation_fee: 2500 },
    rescheduling: { allowed: true, free_reschedule_until: 'P60D', fee: 1000 },
  },
})

/** Of an address only what a browser sends to the server. */
export const pathOf = (link: string) => link.replace(/^https?:\/\/[^/]+/, '')
