import {
  addClient,
  type Credentials,
  clientFind,
  listClients,
  revokeClient,
  rotateCredentials,
  setRedirectUris,
} from '../core/authentication/api-keys.ts'
import { checkRedirectUris } from '../core/tokens/validate-client-metadata.ts'
import { DAY } from '../infra/time/time-units.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { table } from './format-table.ts'
import { connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} clients add NAME [--redirect URI]... | redirect ID [--redirect URI]... | list | rotate ID [--now] | revoke ID`
/** The number of days for which the old key and secret of a client stay valid after the creation of new ones. */
const OVERLAP_DAYS = 7

export async function run(args: string[]) {
  const { action, name, redirects, isAtOnce } = read(args)
  const { db, config, clock, close } = await connect()
  const now = clock()
  try {
    if (action === 'list') console.log(table(await listClients(db)))
    if (action === 'add') {
      checkRedirectUris(redirects, config)
      const { id, ...credentials } = await addClient(db, name, now, redirects)
      console.log(`${name} is ${id}.\n\n${shown(id, credentials)}`)
    }
    if (action === 'redirect') {
      checkRedirectUris(redirects, config)
      requireClient(name, (await clientFind(db, name)) !== undefined)
      await setRedirectUris(db, name, redirects)
      console.log(
        `Buyers return to ${name} at ${redirects.join(', ') || 'no address: it can no longer ask them for permission'}.`,
      )
    }
    if (action === 'rotate') {
      requireClient(name, (await clientFind(db, name)) !== undefined)
      // With `--now`, the old credentials end immediately. The stored end is in 1970, so that it is in the past even
      // for servers with a wrong clock.
      const overlapEnds = new Date(isAtOnce ? 0 : now.getTime() + OVERLAP_DAYS * DAY)
      const credentials = await rotateCredentials(db, name, overlapEnds, now)
      const old = isAtOnce ? 'no longer work' : `work for ${OVERLAP_DAYS} more days`
      console.log(`${shown(name, credentials)}\nThe old ones ${old}.`)
    }
    if (action === 'revoke') {
      requireClient(name, await revokeClient(db, name))
      console.log(`${name} was deleted. Its keys and secrets no longer work.`)
    }
  } finally {
    await close()
  }
}

function read(args: string[]) {
  const options = { redirect: { type: 'string', multiple: true }, now: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options }, USAGE)
  const [action = '', name = ''] = positionals
  const known = ['add', 'redirect', 'list', 'rotate', 'revoke'].includes(action)
  if (!known || (action !== 'list' && !name)) throw new PlainError(USAGE)
  return { action, name, redirects: values.redirect ?? [], isAtOnce: values.now }
}

function requireClient(id: string, found: boolean) {
  if (!found) throw new PlainError(`There is no client with the id ${id}. See: ${USP} clients list`)
}

const shown = (id: string, { key, secret }: Credentials) => `Shown this once:

  API key        ${key}
  client id      ${id}
  client secret  ${secret}

Either send the key as: Authorization: Bearer KEY
or, where oauth2_bearer is accepted, obtain access tokens with id and secret at /oauth/token.`
