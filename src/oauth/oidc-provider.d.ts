/** What is used here of oidc-provider, which brings no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Context {
    status: number
    body: unknown
    /** Set where a route of the provider matched. */
    oidc?: {
      route: string
      client?: { clientId: string }
      params?: { token?: string }
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    /** The prototype of every request. */
    request: object
    Client: { prototype: { clientId: string; compareClientSecret(secret: string): unknown } }
  }

  export const errors: { InvalidTarget: new () => Error }
}
