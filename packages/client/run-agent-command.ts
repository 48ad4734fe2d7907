import { once } from 'node:events'
import { inspect, parseArgs } from 'node:util'
import { readOrCreateSecret } from '../../src/infra/config/data-folder.ts'
import { PlainError } from '../../src/infra/util/command-line-error.ts'
import { type Command, commands } from './agent/commands.ts'
import { withoutBuyer } from './agent/example-buyer.ts'
import { profileFor, publish } from './agent/publish-platform-profile.ts'
import { fetchProfile } from './discover-business.ts'
import { createClient, generateKey, UnreachableError, UspError } from './index.ts'

const usage = `Usage: npm run agent -- COMMAND [--url URL] [--mcp] [--sign] [--json]

${Object.entries(commands)
  .map(([name, { argument, description }]) => `  ${`${name} ${argument}`.padEnd(34)} ${description}`)
  .join('\n')}
  ${'profile'.padEnd(34)} serve the profile of the agent until Ctrl-C, for another client`

/** Runs one command of the example platform, which calls a business on the same machine. */
async function run(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args)
  const [name = 'help', ...words] = positionals
  if (name === 'help' || values.help) return console.log(usage)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (name !== 'profile' && !(command && hasEnoughWords(command, words))) throw new PlainError(usage)

  const { USP_DATA_DIR = '.data', AGENT_PORT = '8443' } = process.env
  const newKey = JSON.stringify(await generateKey())
  const key = JSON.parse(readOrCreateSecret(USP_DATA_DIR, 'agent-key.json', () => newKey))
  const profileUrl = URL.parse('/.well-known/usp', values.url)?.href
  if (profileUrl === undefined) throw new PlainError(`--url ${values.url} is not a URL.`)
  const platform = await publish(await profileFor(await fetchProfile(profileUrl), key), Number(AGENT_PORT))
  try {
    if (!command) {
      console.log(platform.url)
      return void (await once(process, 'SIGINT'))
    }
    const client = createClient({
      profileUrl,
      platformProfile: platform.url,
      key,
      authentication: values.sign ? 'signature' : 'proof',
      binding: values.mcp ? 'mcp' : 'rest',
    })
    const { text, payload } = await command.run(client, ...words)
    console.log(values.json ? JSON.stringify(payload, null, 2) : text)
  } finally {
    platform.close()
  }
}

/** Whether the command accepts this number of arguments. Arguments in brackets in the usage text are optional. */
function hasEnoughWords({ argument }: Command, words: string[]): boolean {
  const parts = argument.split(' ')
  const needed = parts.filter((word) => !word.startsWith('['))
  return needed.length <= words.length && words.length <= parts.length
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:8080' },
        mcp: { type: 'boolean', default: false },
        sign: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new PlainError(error instanceof Error ? error.message : usage)
  }
}

/**
 * Returns the text that a failed command prints: one line for an expected error, or the error with its stack trace for
 * a bug. The text contains no data of the buyer, even if the business quotes them.
 */
const errorText = (error: unknown): string => withoutBuyer(wholeText(error))

function wholeText(error: unknown): string {
  if (error instanceof UspError)
    return `${error.code}: ${error.message}${error.reversePayment ? ' The booking is not confirmed: reverse the payment.' : ''}`
  if (error instanceof UnreachableError) return `${error.message}. Start a business with npm start, or set --url.`
  return error instanceof PlainError ? error.message : inspect(error)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(errorText(error))
  process.exitCode = 1
}
