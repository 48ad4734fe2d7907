import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Provider, Result } from 'oidc-provider'
import { type Scope, scopesIn } from '../../core/tokens/scopes.ts'
import type { Means } from '../../protocol/means.ts'
import { isAssistant } from './is-assistant.ts'

/** What a platform asks a buyer, as it came with the buyer's browser. */
export interface LinkRequest {
  /** Ours, on which the buyer answers. */
  page: string
  platform: string
  /** Whether the name is only what it says of itself. */
  isAssistant: boolean
  /** Where the buyer goes back to. */
  back: string
  requested: Scope[]
  client: string
  provider: Provider
  /** What the scopes are of. */
  resources: string[]
  /** Keeps the answer, and says where the browser goes with it. */
  finish(result: Result): Promise<string>
}

/** Nothing in a browser other than the one that was sent here, and when it took too long. */
export async function linkRequest(
  provider: Provider,
  { config }: Means<'config'>,
  raw: IncomingMessage,
  uid: string,
): Promise<LinkRequest | undefined> {
  // It reads cookies alone; what it would write goes nowhere.
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

/** Writes down what of it the buyer granted, and that the rest was refused. */
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
