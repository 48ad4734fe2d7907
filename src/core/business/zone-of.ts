import type { Context } from '../../protocol/operation.ts'

export const zoneOf = async ({ business }: Pick<Context, 'business'>): Promise<string> =>
  (await business.get())?.business.timezone ?? 'UTC'
