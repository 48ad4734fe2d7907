/**
 * Connects the booking view to the program that shows it (its MCP host). Both sides exchange JSON-RPC messages by
 * `postMessage`, as MCP Apps (2026-01-26) specifies. The view ignores messages from other windows.
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
 * Passes each notification of the host program to the function in `heard` with its name. Also answers each request of
 * the host program, because the program waits for an answer.
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

/** Reports the size of the booking view now and after each change, so the host program can adjust the frame. */
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
