import { presentsCredential } from '../core/authentication/authenticate-caller.ts'
import { declared } from '../core/authentication/authentication-policy.ts'
import { asRecord } from '../infra/util/object-members.ts'
import type { ReadMoney } from '../protocol/convert-money-strings.ts'
import { type Call, restRouteOf } from '../protocol/define-operation.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { validatorsOf } from '../protocol/operation-validators.ts'
import { unstorableText } from '../protocol/parse-json-safely.ts'
import { fieldAt, findingsOf, MOST_FAULTS } from '../protocol/schema-validator.ts'
import { namesUcpAgent } from './check-platform-profile.ts'

/**
 * Validates the property `_meta.usp` of an MCP tool call. The operation determines the allowed properties, and the
 * server refuses all others. All faults have the error code `invalid_request`.
 */
export function checkMeta(call: Call) {
  const { binding, operation, meta } = call
  if (binding !== 'mcp') return
  const validator = validatorsOf(operation).meta
  const sentMeta = meta ?? {}
  if (validator(sentMeta)) return
  const { faults, lacksMembers } = findingsOf(validator, sentMeta)
  // A later check asks a caller without a credential to authenticate. Therefore this check reports missing properties
  // only to callers with a credential.
  if (operation.access !== 'public' && lacksMembers && !presentsCredential(call)) return
  const errors = faults
    .filter(({ field, message }) => field !== 'usp.profile' || (message === 'is missing' && !namesUcpAgent(call)))
    .filter(({ field }) => !(field === 'usp.authorization.proof' && typeof declared(call)?.proof === 'string'))
    .map(({ field, message }) => ({ field: field ? `_meta.${field}` : '_meta', message }))
  // Two faults are missing in this list, because later checks report them with special error codes: a platform profile
  // that is not a URL, and a proof that is not a JWS. A UCP call may name its profile in the arguments instead.
  if (errors.length > 0)
    throw new ProtocolError('invalid_request', '`_meta` does not match the schema of this tool.', { errors })
}

/**
 * Refuses text that PostgreSQL cannot store. Ids in the URL path are an exception: no object has such an id. Therefore
 * the operation answers that the id is unknown.
 */
export function checkText(call: Pick<Call, 'input'> & Partial<Pick<Call, 'operation'>>) {
  const places = unstorableText(call.input, MOST_FAULTS)
  if (places.length === 0) return
  const ids = call.operation ? restRouteOf(call.operation).parameters : []
  const faults = places.map(fieldAt).filter((field) => !ids.includes(field))
  if (faults.length > 0)
    throw new ProtocolError('validation_error', 'Text must not contain a NUL character or a lone surrogate.', {
      errors: faults.map((field) => ({ field, message: 'contains a character that text cannot have' })),
    })
  call.input = withStorableIds(asRecord(call.input), ids)
}

/** Replaces each character that PostgreSQL cannot store with U+FFFD. No id on this server contains U+FFFD. */
const withStorableIds = (input: Readonly<Record<string, unknown>>, ids: readonly string[]) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const isText = typeof value === 'string' && ids.includes(name)
      return [name, isText ? value.replaceAll('\0', '\ufffd').toWellFormed() : value]
    }),
  )

/**
 * Validates the input of a call, and converts amounts of money from text to numbers. Therefore the input "12000" counts
 * as the same input as 12000.
 */
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

function withNumbers({ value, fault }: ReturnType<ReadMoney>): unknown {
  if (!fault) return value
  throw new ProtocolError('validation_error', `Refused: ${fault.field} ${fault.message}.`, {
    errors: [fault],
  })
}
