interface Exchange {
  input: object
  output: object
}

/** Where an operation is reached on either binding, and what it asks of the caller. */
export interface Route<T extends Exchange = Exchange> {
  rest: string
  tool: string
  /** A public operation asks for no proof; a write is sent under an idempotency key. */
  access: 'public' | 'read' | 'write'
  /** The member of the input that names the one thing the call is about, where a credential may exist for it. */
  resource: string | undefined
  /** Never there: it tells the compiler what goes in and what comes out. */
  exchange?: T
}

const route =
  (access: Route['access']) =>
  <T extends Exchange>(rest: string, tool: string, resource?: string): Route<T> => ({ rest, tool, access, resource })

export const open = route('public')
export const read = route('read')
export const write = route('write')
