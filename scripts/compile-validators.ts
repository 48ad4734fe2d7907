import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { bookingCalendar } from '../src/domain/calendar/get-booking-calendar.ts'
import { ucpOperations } from '../src/domain/ucp-checkouts/operations.ts'
import { makeAjv } from '../src/protocol/make-ajv.ts'
import { validatorsOf } from '../src/protocol/operation-validators.ts'
import { validators } from '../src/protocol/schema-validator.ts'
import { operations } from '../src/server/all-operations.ts'
// Loads the tools for assistants, which compile their schemas.
import '../src/server/build-http-app.ts'

/**
 * Compiles all schemas of the server to JavaScript, for the build. Returns the text of a module that replaces
 * `src/protocol/prebuilt-validators.ts`.
 */
export async function compileValidators(): Promise<string> {
  await compileAll()
  const ajv = makeAjv({ allErrors: false, keepsCode: true })
  for (const [digest, { schema }] of validators) ajv.addSchema({ ...Object(schema) }, digest)
  const names = [...validators.keys()].map((digest, nth) => [`validator${nth}`, digest])
  const code = standaloneCode.default(ajv, Object.fromEntries(names))
  return `
import { formats, hasUniqueItems } from './json-schema-formats.ts'
${withImports(code)}
export const prebuiltValidators = new Map([${names.map(([name, digest]) => `['${digest}', ${name}]`)}])`
}

/** Compiles each schema of the server: those of modules, which compile them when they load, and those of operations. */
async function compileAll() {
  const root = join(import.meta.dirname, '..')
  const importers = globSync('src/**/*.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes("/schema-validator.ts'"),
  )
  for (const file of importers) await import(join(root, file))
  for (const operation of [...operations, ...ucpOperations, bookingCalendar]) validatorsOf(operation)
}

/** Replaces each call of `require` by an import, because the built files are ES modules. */
function withImports(code: string): string {
  const imports = new Map<string, string>()
  const body = code.replaceAll(/require\("([^"]+)"\)/g, (_, path: string) => {
    const name = imports.get(path) ?? `imported${imports.size}`
    imports.set(path, name)
    return name
  })
  return [...[...imports].map(([path, name]) => `import ${name} from '${path}.js'`), body].join('\n')
}
