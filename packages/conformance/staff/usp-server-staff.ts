import type { Target } from '../target/target.ts'
import { withoutService, withStatus } from './edit-definition.ts'
import type { Staff } from './staff.ts'

/** Performs staff actions on a usp-server, with the token of an owner. */
export function uspServerStaff(target: Target, token: string): Staff {
  // The paths of the staff are the same, even if the profile does not offer REST.
  const base = target.bindings.includes('rest') ? target.endpoint('rest') : `${target.origin}/usp/v1`
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`The server answered the staff request ${path} with HTTP ${response.status}.`)
    return response.json()
  }
  const post = (path: string, body: object = {}) => send('POST', path, body)
  const readDefinition = async (): Promise<string> => (await send('GET', '/business/definition')).definition
  const apply = (definition: string): Promise<void> => send('PUT', '/business/definition', { definition })
  return {
    bearer: token,
    confirm: (id) => post(`/bookings/${encodeURIComponent(id)}/confirm`),
    cancel: (id) => post(`/business/bookings/${encodeURIComponent(id)}/cancel`),
    start: (id) => post(`/business/bookings/${encodeURIComponent(id)}/start`),
    complete: (id) => post(`/business/bookings/${encodeURIComponent(id)}/complete`),
    markNoShow: (id) => post(`/business/bookings/${encodeURIComponent(id)}/no-show`),
    setServiceStatus: async (id, status) => apply(withStatus(await readDefinition(), id, status)),
    removeService: async (id) => {
      const definition = await readDefinition()
      await apply(withoutService(definition, id))
      return () => apply(definition)
    },
  }
}
