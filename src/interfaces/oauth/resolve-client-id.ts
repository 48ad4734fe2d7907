import type { FastifyRequest } from 'fastify'
import { policyOf } from '../../core/authentication/authentication-policy.ts'
import { assistantDocuments } from '../../core/tokens/fetch-oauth-client-metadata.ts'
import { isDocumentId } from '../../core/tokens/registered-assistants.ts'
import { InvalidClientMetadataError } from '../../core/tokens/validate-client-metadata.ts'
import { errors, ProtocolError } from '../../protocol/errors.ts'
import { failedPage } from './failed-authorization-page.ts'
import type { OauthDependencies } from './serve.ts'

/**
 * A function that resolves the OAuth client id of a request. It returns undefined if the request may continue, or else
 * an error page.
 */
export type ResolveClient = (request: FastifyRequest) => Promise<Awaited<ReturnType<typeof failedPage>> | undefined>

/**
 * Returns a function for client ids that are the URL of a metadata document. It fetches the document, stores the
 * client, and replaces the URL in the request with the id of the stored client.
 */
export function clientResolver(dependencies: OauthDependencies): ResolveClient {
  const { business, config } = dependencies
  const learn = assistantDocuments(dependencies)

  const settle = async ({ raw, ip }: FastifyRequest) => {
    const [path = '', ...rest] = (raw.url ?? '').split('?')
    const query = new URLSearchParams(rest.join('?'))
    // With the response mode `form_post`, the OAuth library answers with a page that submits a form to the redirect
    // URL. Any caller can register a redirect URL. Therefore `form_post` would bypass the page that warns the person
    // before a redirect.
    if (query.getAll('response_mode').includes('form_post'))
      throw new ProtocolError('invalid_request', 'The only supported response_mode is query.')
    const [id = '', ...more] = query.getAll('client_id')
    if (isDocumentId(id))
      throw new InvalidClientMetadataError(
        'invalid_client_metadata',
        'The client id must be the address of its document.',
      )
    if (!id.startsWith('https:') || more.length > 0 || !policyOf(await business.get(), config).assistants) return
    query.set('client_id', await learn(id, ip))
    raw.url = `${path}?${query}`
  }

  return async (request) => {
    try {
      await settle(request)
    } catch (error) {
      if (!(error instanceof InvalidClientMetadataError || error instanceof ProtocolError)) throw error
      const status = error instanceof ProtocolError ? errors[error.code].http : 400
      return failedPage({ status, why: error.message, url: request.url, headers: request.headers }, dependencies)
    }
  }
}
