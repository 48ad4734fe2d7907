interface Exchange {
  input: object
  output: object
}

export interface Route<T extends Exchange = Exchange> {
  rest: string
  tool: string
  /**
   * Says how the operation is protected. A `public` operation needs no proof, and a `write` needs an idempotency key.
   */
  access: 'public' | 'read' | 'write'
  /**
   * The name of the input member with the id of a hold, booking or waitlist entry. Undefined if the business issues no
   * credential for it.
   */
  resource: string | undefined
  /** This member is never set. It only tells TypeScript the types of the operation's input and output. */
  exchange?: T
}

const route =
  (access: Route['access']) =>
  <T extends Exchange>(rest: string, tool: string, resource?: string): Route<T> => ({ rest, tool, access, resource })

export const open = route('public')
export const read = route('read')
export const write = route('write')
