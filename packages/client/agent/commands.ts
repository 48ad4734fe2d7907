import { minorUnits, money } from '../../../src/infra/util/round-money.ts'
import type { FeedSubscription, Service } from '../../../src/protocol/types.generated.ts'
import type { Client } from '../index.ts'
import { bookingCommands } from './booking-commands.ts'
import { type CommandResult, resultOf } from './command-output.ts'

export interface Command {
  /** The usage text for a command's arguments, such as `[QUERY]`. Brackets mean that an argument is optional. */
  argument: string
  description: string
  run(client: Client, ...argument: string[]): Promise<CommandResult>
}

export const commands: Record<string, Command> = {
  services: {
    argument: '[QUERY]',
    description: 'list the services of the business, or those that match',
    run: async (client, query = '') =>
      resultOf(await client.listServices(query ? { query } : {}), ({ services }) => servicesText(services)),
  },
  service: {
    argument: 'ID',
    description: 'show a service',
    run: async (client, service_id = '') =>
      resultOf(await client.getService({ service_id }), ({ service }) => serviceText(service)),
  },
  ...bookingCommands,
  subscribe: {
    argument: 'CALLBACK_URL',
    description: 'subscribe an address to changes of the catalogue',
    run: async (client, callback_url = '') =>
      resultOf(await client.createFeedSubscription({ callback_url }), subscriptionText),
  },
  subscription: {
    argument: 'ID',
    description: 'show a subscription',
    run: async (client, subscription_id = '') =>
      resultOf(await client.getFeedSubscription({ subscription_id }), subscriptionText),
  },
  pause: {
    argument: 'ID',
    description: 'pause a subscription',
    run: async (client, subscription_id = '') =>
      resultOf(await client.pauseFeedSubscription({ subscription_id }), subscriptionText),
  },
  resume: {
    argument: 'ID',
    description: 'resume a subscription',
    run: async (client, subscription_id = '') =>
      resultOf(await client.resumeFeedSubscription({ subscription_id }), subscriptionText),
  },
  unsubscribe: {
    argument: 'ID',
    description: 'cancel a subscription',
    run: async (client, subscription_id = '') =>
      resultOf(await client.cancelFeedSubscription({ subscription_id }), subscriptionText),
  },
}

const subscriptionText = ({ subscription: { id, status, callback_url } }: { subscription: FeedSubscription }) =>
  `${id}  ${status}  ${callback_url}`

const servicesText = (services: Service[]) =>
  services.length === 0 ? 'No service matches.' : services.map(({ id, name }) => `${id.padEnd(20)} ${name}`).join('\n')

function serviceText({ id, name, description = '', pricing: { model, amount, currency } }: Service): string {
  const text = typeof description === 'string' ? description : description.plain
  const price = amount === undefined ? model : `${model} ${money(minorUnits(amount), currency)}`
  return [`${name} (${id})`, price, ...(text ? [text] : [])].join('\n')
}
