import { contractOf } from './contract.ts'
import { ProtocolError } from './errors.ts'
import { unstorableText } from './json.ts'
import type { Call } from './operation.ts'
import { faultsOf, lacksMembers } from './validator.ts'

/** A step every call passes before its operation runs; it throws what it refuses. */
export type Check = (call: Call) => void | Promise<void>

/** In this order, on both bindings. */
export const checks: Check[] = [checkMeta, checkText, checkInput]

/** `_meta.usp` is a closed object whose members depend on the access class; whatever is wrong with it is one code. */
function checkMeta({ binding, operation, meta }: Call) {
  if (binding === 'rest') return
  const validator = contractOf(operation).meta
  if (!validator(meta ?? {}))
    throw new ProtocolError('invalid_request', '`_meta` does not fit this tool.', {
      errors: faultsOf(validator).map(({ field, message }) => ({ field: `_meta.${field}`, message })),
    })
}

function checkText({ input }: Call) {
  const [field, ...more] = [...unstorableText(input)].slice(0, 50)
  if (field !== undefined)
    throw new ProtocolError('validation_error', 'Text may hold no NUL character and no lone surrogate.', {
      errors: [field, ...more].map((field) => ({ field, message: 'holds a character that text cannot have' })),
    })
}

function checkInput({ operation, input }: Call) {
  const validator = contractOf(operation).input
  if (validator(input)) return
  const errors = faultsOf(validator)
  const told = errors.map(({ field, message }) => `${field || 'the body'} ${message}`).join('; ')
  throw new ProtocolError(lacksMembers(validator) ? 'invalid_request' : 'validation_error', `Refused: ${told}.`, {
    errors,
  })
}
