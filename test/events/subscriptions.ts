import type { Desk, Who } from '../support/desk.ts'

/** Subscribes to the catalogue and answers the id. */
export async function createFeedSubscription(
  desk: Desk,
  callback_url: string,
  wish: { categories?: string[]; events?: string[] } = {},
  as?: Who,
): Promise<string> {
  const input = { callback_url, ...wish }
  const { data } = await desk.call('usp_services_feed_subscribe', input, as ? { as } : {})
  return data.subscription.id
}
