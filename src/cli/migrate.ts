import { open } from './open.ts'

export async function run() {
  // Opening migrates.
  const { close } = await open()
  await close()
  console.log('The database has the newest schema.')
}
