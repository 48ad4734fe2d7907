import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Provider, Result } from 'oidc-provider'
import type { Means } from '../../protocol/means.ts'
import { type Scope, scopesIn } from '../../tokens/scopes.ts'

/** What a platform asks a buyer, as it came with the buyer's browser. */
export interface LinkRequest {
  /** Ours, on which the buyer answers. */
  page: string
  platform: string
  /** Where the buyer goes back to. */
  back: string
  requested: Scope[]
  client: string
  provider: Provider
  /** The issuer, which is the resource the scopes are of. */
  resource: string
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
  const { client_id, redirect_uri, scope } = found.params
  const client = String(client_id)
  return {
    page: `/link/${uid}`,
    client,
    platform: (await provider.Client.find(client))?.clientName ?? client,
    back: String(redirect_uri),
    requested: scopesIn(scope),
    provider,
    resource: config.baseUrl,
    finish: (result) => provider.interactionResult(raw, nowhere, result, { mergeWithLastSubmission: false }),
  }
}

/** Writes down what of it the buyer granted, and that the rest was refused. */
export async function grantOf(
  { provider, client, resource, requested }: LinkRequest,
  accountId: string,
  ticked: readonly string[],
): Promise<string> {
  const grant = new provider.Grant({ accountId, clientId: client })
  const granted = requested.filter((scope) => ticked.includes(scope))
  const refused = requested.filter((scope) => !ticked.includes(scope))
  if (granted.length > 0) grant.addResourceScope(resource, granted.join(' '))
  if (refused.length > 0) grant.rejectResourceScope(resource, refused.join(' '))
  return grant.save()
}
