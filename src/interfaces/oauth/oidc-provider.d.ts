/** The types of the part of oidc-provider that this server uses. The package itself has no types. */
declare module 'oidc-provider' {
  import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

  export interface Client {
    clientId: string
    clientName?: string
    clientAuthMethod: string
    grantTypeAllowed(name: string): boolean
  }

  export interface Context {
    status: number
    body: unknown
    url: string
    headers: IncomingHttpHeaders
    set(headers: Record<string, string>): void
    remove(header: string): void
    response: { get(header: string): string }
    /** The data of the OAuth library about a request. Undefined if the request matched none of the library's routes. */
    oidc?: {
      route: string
      provider: Provider
      client?: Client
      params?: { token?: string; grant_type?: string; scope?: string }
      result?: Result
    }
  }

  /** The buyer's decision on the sign-in page and the consent page of this server. */
  export interface Result {
    login?: { accountId: string; remember: boolean }
    consent?: { grantId: string }
    error?: string
    error_description?: string
  }

  /** A pending authorization request in the OAuth library, and the buyer's decision if there is one. */
  export interface Interaction {
    uid: string
    params: Record<string, unknown>
    result?: Result
  }

  export interface Grant {
    addResourceScope(resource: string, scope: string): void
    rejectResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    /** Stores the buyer's decision about an authorization request, and returns the next URL for the browser. */
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: Result,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<string>
    /** The prototype of the request object that the OAuth library creates for each HTTP request. */
    request: object
    Client: {
      prototype: { clientId: string; compareClientSecret(secret: string): unknown }
      find(id: string): Promise<Client | undefined>
    }
    Grant: {
      new (properties: { accountId: string; clientId: string }): Grant
      find(id: string): Promise<Grant | undefined>
    }
  }

  export const errors: {
    InvalidTarget: new () => Error
    InvalidGrant: new (detail: string) => Error
    InvalidScope: new (description: string, scope: string) => Error
    SessionNotFound: new (description: string) => Error
  }
}
