import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Provider, Result } from 'oidc-provider'
import { type Scope, scopesIn } from '../../core/tokens/oauth-scopes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isAssistant } from './is-assistant-client.ts'

/** A request of a platform or an assistant for access to a buyer's account. The buyer's browser sent the request. */
export interface LinkRequest {
  /** The path of the page that asks the buyer for permission. */
  page: string
  platform: string
  /** Whether the request comes from an assistant. The page then says that the assistant itself chose the shown name. */
  isAssistant: boolean
  back: string
  requested: Scope[]
  client: string
  provider: Provider
  resources: string[]
  /** Stores the buyer's decision about the authorization request, and returns the next URL for the browser. */
  finish(result: Result): Promise<string>
}

/**
 * Finds the authorization request of a browser. Returns undefined if the request has expired or belongs to another
 * browser.
 */
export async function linkRequest(
  provider: Provider,
  { config }: Dependencies<'config'>,
  raw: IncomingMessage,
  uid: string,
): Promise<LinkRequest | undefined> {
  // The OAuth library reads the cookies of the request, but also requires a response object. The server never sends
  // this response.
  const nowhere = new ServerResponse(raw)
  const found = await provider.interactionDetails(raw, nowhere).catch(() => undefined)
  if (found?.uid !== uid) return undefined
  const { client_id, redirect_uri, scope, resource = config.baseUrl } = found.params
  const client = await provider.Client.find(String(client_id))
  if (!client) return undefined
  return {
    page: `/link/${uid}`,
    client: client.clientId,
    platform: client.clientName ?? client.clientId,
    isAssistant: isAssistant(client),
    back: String(redirect_uri),
    requested: scopesIn(scope),
    provider,
    resources: [resource].flat().map(String),
    finish: (result) => provider.interactionResult(raw, nowhere, result, { mergeWithLastSubmission: false }),
  }
}

/**
 * Stores the buyer's permission (the OAuth grant), and returns its id. The grant allows the scopes that the buyer
 * checked, and rejects the other requested scopes.
 */
export async function grantOf(
  { provider, client, resources, requested }: LinkRequest,
  accountId: string,
  ticked: readonly string[],
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: client })
  const granted = requested.filter((scope) => ticked.includes(scope))
  const refused = requested.filter((scope) => !ticked.includes(scope))
  for (const resource of resources) {
    if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '))
    if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '))
  }
  return grant.save()
}
