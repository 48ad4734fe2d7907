import {
  type FoundListing,
  listingsFind,
  registrationDelete,
} from '../domain/registry/listings/registration-queries.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { table } from './format-table.ts'
import { connect } from './open-database.ts'

const USAGE = `Usage: ${USP} listings list [TEXT] | remove ID`

/**
 * Lists the businesses in the directory, or removes one of them. The operator of the directory can remove any business.
 */
export async function run(args: string[]) {
  const [action = '', argument = '', ...more] = args
  if (!['list', 'remove'].includes(action) || more.length > 0 || (action === 'remove' && !argument))
    throw new PlainError(USAGE)
  const { db, close } = await connect()
  try {
    if (action === 'list') console.log(table((await listingsFind(db, argument)).map(shown)))
    else if (await registrationDelete(db, argument)) console.log(`${argument} is not listed any more.`)
    else throw new PlainError(`There is no listing ${argument}. See: ${USP} listings list`)
  } finally {
    await close()
  }
}

/**
 * Removes control characters from the name of a listed business. Strangers choose this name, and a terminal could
 * execute control characters in it.
 */
const shown = ({ name, ...listing }: FoundListing) => ({ ...listing, name: name.replace(/\p{C}/gu, '') })
