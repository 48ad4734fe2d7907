import { PlainError } from '../plain-error.ts'
import { addClient, type Credentials, listClients, revokeClient, rotateCredentials } from '../trust/api-keys.ts'
import { connect } from './open.ts'
import { table } from './table.ts'

const USAGE = 'Usage: npm run usp -- clients add NAME | list | rotate ID | revoke ID'
/** How long the old key and secret work beside new ones. */
const OVERLAP_DAYS = 7

export async function run([action = '', name = '']: string[]) {
  if (!['add', 'list', 'rotate', 'revoke'].includes(action) || (action !== 'list' && !name)) throw new PlainError(USAGE)
  const { db, close } = await connect()
  const now = new Date()
  try {
    if (action === 'list') console.log(table(await listClients(db)))
    if (action === 'add') {
      const { id, ...credentials } = await addClient(db, name, now)
      console.log(`${name} is ${id}.\n\n${shown(id, credentials)}`)
    }
    if (action === 'rotate') {
      requireClient(
        name,
        (await listClients(db)).some(({ id }) => id === name),
      )
      const overlapEnds = new Date(now.getTime() + OVERLAP_DAYS * 24 * 3_600_000)
      const credentials = await rotateCredentials(db, name, overlapEnds, now)
      console.log(`${shown(name, credentials)}\nThe old ones work for ${OVERLAP_DAYS} more days.`)
    }
    if (action === 'revoke') {
      requireClient(name, await revokeClient(db, name))
      console.log(`${name}, its keys and its secrets are gone.`)
    }
  } finally {
    await close()
  }
}

function requireClient(id: string, found: boolean) {
  if (!found) throw new PlainError(`There is no client with the id ${id}. See: npm run usp -- clients list`)
}

const shown = (id: string, { key, secret }: Credentials) => `Shown this once:

  API key        ${key}
  client id      ${id}
  client secret  ${secret}

Either send the key as: Authorization: Bearer KEY
or, where oauth2_bearer is accepted, obtain access tokens with id and secret at /oauth/token.`
