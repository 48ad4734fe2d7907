import { money } from '../../../src/infra/util/money.ts'
import type { FeedSubscription, Service } from '../../../src/protocol/types.generated.ts'
import type { Client } from '../index.ts'
import { bookingCommands } from './booking-commands.ts'
import { type Shown, shown } from './show.ts'

export interface Command {
  /** The words after the command; optional ones in brackets. */
  argument: string
  does: string
  run(client: Client, ...argument: string[]): Promise<Shown>
}

export const commands: Record<string, Command> = {
  services: {
    argument: '[QUERY]',
    does: 'the services of the business, or those that match',
    run: async (client, query = '') =>
      shown(await client.listServices(query ? { query } : {}), ({ services }) => listed(services)),
  },
  service: {
    argument: 'ID',
    does: 'one service',
    run: async (client, service_id = '') =>
      shown(await client.getService({ service_id }), ({ service }) => described(service)),
  },
  ...bookingCommands,
  subscribe: {
    argument: 'CALLBACK_URL',
    does: 'have changes of the catalogue sent there',
    run: async (client, callback_url = '') => shown(await client.createFeedSubscription({ callback_url }), describe),
  },
  subscription: {
    argument: 'ID',
    does: 'how a subscription is doing',
    run: async (client, subscription_id = '') => shown(await client.getFeedSubscription({ subscription_id }), describe),
  },
  pause: {
    argument: 'ID',
    does: 'let a subscription rest',
    run: async (client, subscription_id = '') =>
      shown(await client.pauseFeedSubscription({ subscription_id }), describe),
  },
  resume: {
    argument: 'ID',
    does: 'go on with it',
    run: async (client, subscription_id = '') =>
      shown(await client.resumeFeedSubscription({ subscription_id }), describe),
  },
  unsubscribe: {
    argument: 'ID',
    does: 'end it for good',
    run: async (client, subscription_id = '') =>
      shown(await client.cancelFeedSubscription({ subscription_id }), describe),
  },
}

const describe = ({ subscription: { id, status, callback_url } }: { subscription: FeedSubscription }) =>
  `${id}  ${status}  ${callback_url}`

const listed = (services: Service[]) =>
  services.length === 0 ? 'No service matches.' : services.map(({ id, name }) => `${id.padEnd(20)} ${name}`).join('\n')

function described({ id, name, description = '', pricing: { model, amount, currency } }: Service): string {
  const text = typeof description === 'string' ? description : description.plain
  const price = amount === undefined ? model : `${model} ${money(amount, currency)}`
  return [`${name} (${id})`, price, ...(text ? [text] : [])].join('\n')
}
