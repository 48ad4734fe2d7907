import { presentsCredential } from '../core/authentication/authenticate.ts'
import { declared } from '../core/authentication/mechanisms.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { unstorableText } from '../protocol/json.ts'
import type { ReadMoney } from '../protocol/money-strings.ts'
import type { Call } from '../protocol/operation.ts'
import { validatorsOf } from '../protocol/operation-validators.ts'
import { fieldAt, findingsOf, MOST_FAULTS } from '../protocol/validator.ts'
import { namesUcpAgent } from './check-agent.ts'

/**
 * Validates `_meta.usp` of a tool call. The access class of the operation determines the allowed members. An unknown
 * member is a fault. All faults have the code `invalid_request`.
 */
export function checkMeta(call: Call) {
  const { binding, operation, meta } = call
  if (binding !== 'mcp') return
  const validator = validatorsOf(operation).meta
  const sentMeta = meta ?? {}
  if (validator(sentMeta)) return
  const { faults, lacksMembers } = findingsOf(validator, sentMeta)
  // If the caller presents no credential, a later check asks for authentication first. The server reports the other
  // missing members in later calls.
  if (operation.access !== 'public' && lacksMembers && !presentsCredential(call)) return
  const errors = faults
    .filter(({ field, message }) => field !== 'usp.profile' || (message === 'is missing' && !namesUcpAgent(call)))
    .filter(({ field }) => !(field === 'usp.authorization.proof' && typeof declared(call)?.proof === 'string'))
    .map(({ field, message }) => ({ field: field ? `_meta.${field}` : '_meta', message }))
  // Leaves out two faults that later checks report with special codes: a profile that is not a URL, and a proof that is
  // not a JWS. A missing profile is no fault if the arguments name the profile as in UCP.
  if (errors.length > 0)
    throw new ProtocolError('invalid_request', '`_meta` does not match the schema of this tool.', { errors })
}

export function checkText({ input }: Pick<Call, 'input'>) {
  const places = unstorableText(input, MOST_FAULTS)
  if (places.length > 0)
    throw new ProtocolError('validation_error', 'Text must not contain a NUL character or a lone surrogate.', {
      errors: places.map((path) => ({ field: fieldAt(path), message: 'contains a character that text cannot have' })),
    })
}

/** Validates the input and converts its amounts to numbers. So "12000" and 12000 are the same request. */
export function checkInput(call: Call) {
  const { operation, input } = call
  const { input: validator, money } = validatorsOf(operation)
  if (validator(input)) {
    if (money) call.input = withNumbers(money(input))
    return
  }
  const { faults: errors, lacksMembers } = findingsOf(validator, input)
  const faults = errors.map(({ field, message }) => `${field || 'the body'} ${message}`).join('; ')
  throw new ProtocolError(lacksMembers ? 'invalid_request' : 'validation_error', `Refused: ${faults}.`, {
    errors,
  })
}

function withNumbers({ value, tooLarge }: ReturnType<ReadMoney>): unknown {
  if (tooLarge === undefined) return value
  throw new ProtocolError('validation_error', `Refused: ${tooLarge} is too large.`, {
    errors: [{ field: tooLarge, message: 'is too large' }],
  })
}
