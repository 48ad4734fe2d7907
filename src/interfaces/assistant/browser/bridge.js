/**
 * Connects the booking view (an HTML page) to the assistant program that shows the page. Both exchange JSON-RPC
 * messages with `postMessage`, as the MCP Apps specification (2026-01-26) requires. The page ignores messages from
 * other windows.
 */

const host = window.parent
const waiting = new Map()
let last = 0

const send = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*')

export const tell = (method, params = {}) => send({ method, params })

export function ask(method, params = {}) {
  const id = ++last
  send({ id, method, params })
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}

/**
 * Receives the messages of the host program, which shows this page. `heard` contains one function for each kind of
 * notification. The host program waits for an answer to each of its requests, so the page answers every request.
 */
export function listen(heard) {
  addEventListener('message', ({ source, data }) => {
    if (source !== host || data?.jsonrpc !== '2.0') return
    const { id, method, params, result, error } = data
    if (method === undefined) {
      const pending = waiting.get(id)
      waiting.delete(id)
      return error ? pending?.reject(error) : pending?.resolve(result)
    }
    if (id === undefined) return heard[method]?.(params ?? {})
    if (method === 'ping' || method === 'ui/resource-teardown') return send({ id, result: {} })
    send({ id, error: { code: -32601, message: 'A view has no such method.' } })
  })
}

/**
 * Reports the size of the page to the host program, now and after each change. The host program can then adjust the
 * frame around the page.
 */
export function tellSize() {
  const page = document.documentElement
  const observer = new ResizeObserver(() =>
    tell('ui/notifications/size-changed', {
      width: Math.ceil(page.getBoundingClientRect().width),
      height: Math.ceil(page.getBoundingClientRect().height),
    }),
  )
  observer.observe(page)
}
