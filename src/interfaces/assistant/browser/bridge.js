/**
 * How a view speaks with the host that shows it: JSON-RPC by messages to the window around it, as MCP Apps (2026-01-26) have
 * it. Nobody else's messages are heard.
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

/** What the host tells is given to whoever is named; what it asks is answered, since it waits for that. */
export function listen(heard) {
  addEventListener('message', ({ source, data }) => {
    if (source !== host || data?.jsonrpc !== '2.0') return
    const { id, method, params, result, error } = data
    if (method === undefined) {
      const asked = waiting.get(id)
      waiting.delete(id)
      return error ? asked?.reject(error) : asked?.resolve(result)
    }
    if (id === undefined) return heard[method]?.(params ?? {})
    if (method === 'ping' || method === 'ui/resource-teardown') return send({ id, result: {} })
    send({ id, error: { code: -32601, message: 'A view has no such method.' } })
  })
}

/** The host makes as much room as is needed, now and whenever that changes. */
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
