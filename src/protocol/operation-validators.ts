import { moneyReader, type ReadMoney } from './convert-money-strings.ts'
import type { Access, Operation } from './define-operation.ts'
import { type Schema, shape } from './json-schemas.ts'
import { answerSchema } from './response-envelope.ts'
import { compile, type Validator } from './schema-validator.ts'

interface OperationValidators {
  input: Validator
  /** Converts the amounts of money in a valid input to numbers. Undefined if the input schema contains no amounts. */
  money: ReadMoney | undefined
  meta: Validator
  answer: Validator
}

const cache = new WeakMap<Operation, OperationValidators>()

/**
 * Returns the compiled validators of an operation. The server compiles all validators when it starts, so that no caller
 * waits for a compilation.
 */
export function validatorsOf(operation: Operation): OperationValidators {
  const contract = cache.get(operation) ?? {
    input: compile(operation.input),
    money: moneyReader(operation.input),
    meta: compile(metaSchema(operation) ?? businessMeta),
    answer: compile(answerSchema(operation)),
  }
  cache.set(operation, contract)
  return contract
}

/**
 * JSON Schema of the argument `_meta` for staff tools. The tool descriptions do not list `_meta`, but callers can send
 * an idempotency key and a revision in it. If a platform sends its proof there, `checkCaller` refuses the call.
 */
const businessMeta: Schema = { type: 'object', properties: { usp: shape('McpUspMetaBusinessOnly') } }

const metaShapes: Record<Access, { read: string; write: string } | undefined> = {
  public: { read: 'McpUspMetaPublic', write: 'McpUspMetaPublic' },
  privileged_platform: { read: 'McpUspMetaPrivilegedPlatformNoIdempotency', write: 'McpUspMetaPrivilegedPlatform' },
  privileged_scoped: { read: 'McpUspMetaPrivilegedScopedNoIdempotency', write: 'McpUspMetaPrivilegedScoped' },
  business_only: undefined,
}

/**
 * Returns the JSON Schema of the argument `_meta` of an MCP tool. Returns undefined for staff tools, because their
 * descriptions do not list `_meta`.
 */
export function metaSchema({ access, effect }: Operation): Schema | undefined {
  const shapes = metaShapes[access]
  if (!shapes) return undefined
  return {
    type: 'object',
    description: 'Protocol metadata: the caller and its proof.',
    ...(access === 'public' ? {} : { required: ['usp'] }),
    properties: { usp: shape(effect === 'read' ? shapes.read : shapes.write) },
  }
}
