/** The headers of a request: a `Headers` object, or the header object of Node. */
export type WebhookHeaders =
  | { forEach(callback: (value: string, name: string) => void): void }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** A request of Express, Fastify or another server that does not use the `Request` of the Fetch API. */
export interface RawRequest {
  method: string
  /** The whole address, with the host name under which the business knows the webhook. */
  url: string
  headers: WebhookHeaders
  /** The body as it arrived, and not the parsed JSON: the signature covers the exact bytes. */
  body: string | Uint8Array
}

/** The members of a Fetch API `Request` that the client reads. */
export interface FetchRequest {
  method: string
  url: string
  headers: WebhookHeaders
  arrayBuffer(): Promise<ArrayBuffer>
}
