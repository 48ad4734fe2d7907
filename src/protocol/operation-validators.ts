import { answerSchema } from './envelope.ts'
import { moneyReader, type ReadMoney } from './money-strings.ts'
import type { Access, Operation } from './operation.ts'
import { type Schema, shape } from './schemas.ts'
import { compile, type Validator } from './validator.ts'

interface OperationValidators {
  input: Validator
  /** Reads the amounts of a valid input; undefined when it has none. */
  money: ReadMoney | undefined
  meta: Validator
  answer: Validator
}

const cache = new WeakMap<Operation, OperationValidators>()

/**
 * Returns the compiled schemas of an operation. The bindings compile all schemas at the start, so that no caller waits
 * for a compilation.
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
 * The `_meta` of staff tools. Their descriptions do not list `_meta`, but they accept an idempotency key and a revision
 * in it. `checkCaller` refuses the proof of a platform.
 */
const businessMeta: Schema = { type: 'object', properties: { usp: shape('McpUspMetaBusinessOnly') } }

const metaShapes: Record<Access, { read: string; write: string } | undefined> = {
  public: { read: 'McpUspMetaPublic', write: 'McpUspMetaPublic' },
  privileged_platform: { read: 'McpUspMetaPrivilegedPlatformNoIdempotency', write: 'McpUspMetaPrivilegedPlatform' },
  privileged_scoped: { read: 'McpUspMetaPrivilegedScopedNoIdempotency', write: 'McpUspMetaPrivilegedScoped' },
  business_only: undefined,
}

/** The schema of the parameter `_meta` of a tool; undefined if the tool does not list the parameter. */
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
