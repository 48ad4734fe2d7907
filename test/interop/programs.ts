import { dirname, join, resolve } from 'node:path'
import { go, here, inCompiledJava, inGo, inJava, inPython, inRust, newFolder, node, python } from './languages.ts'
import { type FindTool, mustRun } from './tools.ts'

/** Programs that sign and verify a message, each with the library of its language. */
export const signers: Record<string, FindTool> = {
  'http-message-sig for TypeScript': async () => [node, join(here, 'typescript/sign-or-verify.ts')],
  'http-message-signatures for Python': () => inPython('sign_or_verify.py', 'http_message_signatures'),
  'httpsig-go for Go': () => inGo('sign-or-verify'),
  'httpsig-hyper for Rust': () => inRust('sign-or-verify'),
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

  async 'openapi-generator for Java'() {
    const folder = newFolder()
    await generateClient('java', folder)
    return inCompiledJava('Book', join(folder, 'src/main/java'))
  },

  async 'openapi-generator for Rust'() {
    await generateClient('rust', join(here, 'rust/usp'))
    return inRust('book')
  },
}

const generateClient = (language: string, folder: string) =>
  mustRun(['bash', join(here, 'openapi-generator/generate.sh'), language, folder])

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
