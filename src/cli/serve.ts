import { setFlagsFromString } from 'node:v8'
import { startCommand } from '../infra/util/command-line-error.ts'
import { refuseUnclearMode } from './check-settings.ts'
import { open } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${startCommand('[--new]')}: --new starts without the demo business; you set up yours at the desk`

export async function run(args: string[]) {
  refuseUnclearMode(process.env)
  const isNew = parseArguments({ args, options: { new: { type: 'boolean', default: false } } }, USAGE).values.new
  const opened = await open({ schema: 'made new', loadMeanwhile: () => import('./start-server.ts') })
  try {
    const { startServer } = await import('./start-server.ts')
    await startServer(opened, isNew)
  } catch (error) {
    await opened.close()
    throw error
  }
  limitHeapGrowth()
}

/**
 * Lets the heap grow by only 40 % between two garbage collections, to save memory. By default, the heap can double or
 * triple.
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=40')
