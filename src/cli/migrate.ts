import { connect } from './open.ts'

export async function run() {
  // Connecting migrates.
  const { close } = await connect()
  await close()
  console.log('The database has the newest schema.')
}
