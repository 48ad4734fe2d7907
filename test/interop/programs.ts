import { mkdtempSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Command, type FindTool, mustRun } from './tools.ts'

const here = import.meta.dirname
const node = resolve('node_modules/.bin/node')
const python = process.env.INTEROP_PYTHON ?? 'python3'
const newFolder = () => mkdtempSync(join(tmpdir(), 'usp-interop-'))

async function inPython(file: string, module: string): Promise<Command> {
  await mustRun([python, '-c', `import ${module}`])
  return [python, join(here, 'python', file)]
}

/** Java compiles a program of one file at its start. */
async function inJava(file: string): Promise<Command> {
  const libraries = join(here, 'java/target/dependency')
  await access(libraries)
  await mustRun(['java', '-version'])
  return ['java', '-cp', join(libraries, '*'), join(here, 'java', file)]
}

const go = (...args: string[]) =>
  mustRun(['go', ...args], {
    cwd: join(here, 'go'),
    env: { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' },
  })

async function inGo(name: string): Promise<Command> {
  const program = join(newFolder(), name)
  await go('build', '-o', program, `./${name}`)
  return [program]
}

/** Programs that sign and verify a message, each with the library of its language. */
export const signers: Record<string, FindTool> = {
  'http-message-sig for TypeScript': async () => [node, join(here, 'typescript/sign-or-verify.ts')],
  'http-message-signatures for Python': () => inPython('sign_or_verify.py', 'http_message_signatures'),
  'httpsig-go for Go': () => inGo('sign-or-verify'),
}

/** Programs that book with a client that a generator makes from the OpenAPI document. */
export const generatedClients: Record<string, FindTool> = {
  // test/bindings/generated-client.test.ts generates its types and checks them.
  'openapi-typescript': async () => [node, 'test/foreign/book-signed.ts'],

  async 'openapi-python-client'() {
    const program = await inPython('book.py', 'openapi_python_client')
    const folder = newFolder()
    const config = join(here, 'python/openapi-python-client.yaml')
    const generator = join(dirname(python), 'openapi-python-client')
    const options = ['--path', 'openapi/usp-rest.json', '--config', config, '--meta', 'none']
    await mustRun([generator, 'generate', ...options, '--output-path', join(folder, 'usp')])
    return ['env', `PYTHONPATH=${folder}`, ...program]
  },

  async 'oapi-codegen'() {
    await go('tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', resolve('openapi/usp-rest-3.0.json'))
    return inGo('book')
  },
}

/** Programs that read a calendar file. */
export const calendarReaders: Record<string, FindTool> = {
  'icalendar for Python': () => inPython('read_calendar.py', 'icalendar'),
  'ical4j for Java': () => inJava('ReadCalendar.java'),
}

export const schemathesis: FindTool = async () => {
  await mustRun([python, '-c', 'import schemathesis'])
  return [join(dirname(python), 'schemathesis')]
}

export const spectral: FindTool = async () => {
  const program = process.env.INTEROP_SPECTRAL ?? 'spectral'
  await mustRun([program, '--version'])
  return [program]
}
