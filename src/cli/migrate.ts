import { connect } from './open.ts'

export async function run() {
  const { close } = await connect({ schema: 'made new' })
  await close()
  console.log('The database has the newest schema.')
}
