import {
  type PresentedToken,
  presentedToken,
  verifyAssistantToken,
  wasIssuedToAssistant,
} from '../../core/authentication/verify-assistant-token.ts'
import { bearerChallenge, dpopChallenge } from '../../core/authentication/www-authenticate-header.ts'
import { countFailureOf, refuseGuessing } from '../../core/limits/failed-authentication-limit.ts'
import { ASSISTANT_SCOPE } from '../../core/tokens/oauth-scopes.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { ASSISTANT_PATH } from '../../protocol/base-url-paths.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { asJsonRpc, jsonRpcErrorOf } from '../mcp/json-rpc-errors.ts'
import { InvalidMessageError } from '../mcp/mcp-message.ts'
import type { McpContext } from '../mcp/mcp-request-context.ts'
import type { AssistantDependencies } from './tool-definition.ts'
import { toolOf } from './tool-list.ts'

/**
 * The HTTP status and text of each refusal: for a missing token, an invalid token, and a token without the required
 * permission. After a refusal, the assistant asks its user to sign in.
 */
const refusals = {
  none: [401, 'Sign in for the person first.'],
  invalid_token: [401, 'The access token is invalid or has expired. Sign in again.'],
  insufficient_scope: [403, 'The person did not allow the assistant to book for them. Sign in again and ask for it.'],
} as const

/**
 * Verifies the access token in a request from an assistant. Refuses a request without a token only if the requested
 * tool needs an account. After a refusal, the MCP client (the assistant's program) starts a sign-in.
 */
export async function authenticate(
  message: unknown,
  exchange: McpContext,
  dependencies: AssistantDependencies,
): Promise<void> {
  const { method, params, id = null } = asRecord(message)
  const toolParams = asRecord(params)
  const tool = method === 'tools/call' ? toolOf(toolParams.name) : undefined
  const { link, person } = asRecord(toolParams.arguments)
  const needsAccount = tool?.needsAccount === true || (tool?.needsAccount && link === undefined)
  const shown = presentedToken(exchange)
  const refuse = (why: keyof typeof refusals) => signInChallenge({ why, id, scheme: shown?.as }, exchange, dependencies)
  if (!shown) {
    if (needsAccount) throw refuse('none')
    return
  }
  const { address } = exchange.peer
  const now = dependencies.clock()
  try {
    await refuseGuessing(dependencies, address, now)
  } catch (error) {
    throw new InvalidMessageError(429, id, jsonRpcErrorOf(error, exchange), exchange.answerHeaders)
  }
  const assistant = await verifyAssistantToken(shown, dependencies, now)
  if (!assistant) {
    if (!(await wasIssuedToAssistant(shown.token, dependencies, now)))
      await countFailureOf(address, dependencies, (await dependencies.business.get())?.limits, now)
    throw refuse('invalid_token')
  }
  if (tool && (needsAccount || person !== undefined) && !assistant.scopes.includes(ASSISTANT_SCOPE))
    throw refuse('insufficient_scope')
  Object.assign(exchange, { assistant, principal: assistant.principal })
}

interface Refusal {
  why: keyof typeof refusals
  /** The JSON-RPC id of the refused message. The error answer repeats this id. */
  id: unknown
  /** The authentication scheme of the refused token, such as `Bearer`. Undefined if the request contained no token. */
  scheme: PresentedToken['as'] | undefined
}

function signInChallenge(
  { why, id, scheme = 'Bearer' }: Refusal,
  { headers }: McpContext,
  { config }: AssistantDependencies,
): InvalidMessageError {
  const [status, sentence] = refusals[why]
  const fault = why === 'none' ? undefined : why
  const bearer = bearerChallenge(
    {
      path: ASSISTANT_PATH,
      host: headers.host,
      scope: ASSISTANT_SCOPE,
      ...(fault && scheme === 'Bearer' && { error: fault }),
    },
    config,
  )
  // MCP clients read the metadata URL and the scope only from the first challenge in the header `WWW-Authenticate`.
  // Only the Bearer challenge contains them, so it comes first.
  const challenge = `${bearer}, ${dpopChallenge(scheme === 'DPoP' ? fault : undefined)}`
  const bookingsHint = `Without signing in here, they find their bookings at ${config.baseUrl}/my.`
  const error = new ProtocolError('authentication_required', why === 'none' ? `${sentence} ${bookingsHint}` : sentence)
  return new InvalidMessageError(
    status,
    id,
    { ...asJsonRpc(error), message: error.message },
    { 'www-authenticate': challenge },
  )
}
