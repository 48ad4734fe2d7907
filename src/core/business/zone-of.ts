import type { Context } from '../../protocol/operation.ts'

/** The zone that times are written in. */
export const zoneOf = async ({ business }: Pick<Context, 'business'>): Promise<string> =>
  (await business.get())?.business.timezone ?? 'UTC'
