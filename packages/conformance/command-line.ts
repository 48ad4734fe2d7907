import { parseArgs } from 'node:util'

export const USAGE = `Usage: usp-conformance URL [options]

Checks over the network whether the server at URL implements the Universal Scheduling Protocol. The checks book and hold
free times of the business, and cancel everything again. Do not run them against a business that serves people.

  --only NAMES        run only these rules, families or levels, separated by commas: HLD-012,CAT,Events
  --staff ADAPTER     a person of the business: usp-server:TOKEN, or the path of a JavaScript module
  --api-key KEY       an API key that the business issued to the suite
  --client ID:SECRET  a client that the business registered, for access tokens
  --payment-token TOKEN
                      a payment token that pays each checkout of the run, for a business with a UCP checkout. TYPE:TOKEN
                      also names the type of the credential.
  --races NUMBER      also let 50 platforms race for each of so many slots (1000 take about five minutes), and run a
                      tenth as many rounds for the last spot of a group slot, and for the slot of a checkout
  --i-own-this        also attack the server with hostile inputs and connections, and guess credentials. Only for a
                      server of your own.
  --attack-rate N     send at most N hostile requests in a second (20)
  --seed NUMBER       repeat the random choices of an earlier run
  --at-once NUMBER    how many checks run at the same time (4)
  --json FILE         write the results as JSON
  --junit FILE        write the results as JUnit XML
  --html FILE         write the report as one HTML page
  --badge FILE        write an SVG badge; with --results-url URL it links to the published results
  --sign FILE         sign the JSON with this private key (PEM, Ed25519)
  --public-url URL    the address at which the business reaches this program (https), if not 127.0.0.1
  --port NUMBER       the port on which this program serves the profiles of its platforms
  --certificate FILE  the certificate of that address, with --private-key FILE
  --repeat-failures   run each failed check once more; it fails only if it fails again
  --verbose           print the passed and the skipped checks, too
  --list              print the checks, and run none
  --help              print this text
`

export interface CommandLine {
  url: string
  only: string[]
  staff: string | undefined
  apiKey: string | undefined
  client: string | undefined
  /** A payment token, or the type of its credential and the token: `TYPE:TOKEN`. */
  paymentToken: string | undefined
  /** The number of contested slots. */
  races: number
  /** Whether the person said that the server is theirs. The attacks run then. */
  attacks: boolean
  /** The maximum number of hostile requests in a second. */
  attackRate: number
  seed: number
  atOnce: number
  json: string | undefined
  junit: string | undefined
  html: string | undefined
  badge: string | undefined
  resultsUrl: string | undefined
  sign: string | undefined
  publicUrl: string | undefined
  port: number
  certificate: string | undefined
  privateKey: string | undefined
  list: boolean
  repeatFailures: boolean
  verbose: boolean
}

/** Reads the arguments. Returns undefined if the person asks for help, or gave no address. */
export function readCommandLine(args: string[]): CommandLine | undefined {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: text,
      staff: text,
      'api-key': text,
      client: text,
      'payment-token': text,
      races: text,
      'i-own-this': flag,
      'attack-rate': text,
      seed: text,
      'at-once': text,
      json: text,
      junit: text,
      html: text,
      badge: text,
      'results-url': text,
      sign: text,
      'public-url': text,
      port: text,
      certificate: text,
      'private-key': text,
      'repeat-failures': flag,
      verbose: flag,
      list: flag,
      help: flag,
    },
  })
  const [url = ''] = positionals
  if (values.help || (url === '' && !values.list)) return undefined
  if ((values['api-key'] ?? values.client) !== undefined && values.port === undefined)
    throw new Error('Set --port with --api-key or --client, because such a client keeps to one platform profile.')
  return {
    url,
    only: values.only?.split(',').filter(Boolean) ?? [],
    staff: values.staff,
    apiKey: values['api-key'],
    client: values.client,
    paymentToken: values['payment-token'],
    races: number('--races', values.races) ?? 0,
    attacks: values['i-own-this'],
    attackRate: number('--attack-rate', values['attack-rate']) || 20,
    seed: number('--seed', values.seed) ?? Math.floor(Math.random() * 2 ** 31),
    atOnce: number('--at-once', values['at-once']) ?? 4,
    json: values.json,
    junit: values.junit,
    html: values.html,
    badge: values.badge,
    resultsUrl: values['results-url'],
    sign: values.sign,
    publicUrl: values['public-url'],
    port: number('--port', values.port) ?? 0,
    certificate: values.certificate,
    privateKey: values['private-key'],
    list: values.list,
    repeatFailures: values['repeat-failures'],
    verbose: values.verbose,
  }
}

function number(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d+$/.test(value)) throw new Error(`${name} must be a whole number, not ${value}.`)
  return Number(value)
}
