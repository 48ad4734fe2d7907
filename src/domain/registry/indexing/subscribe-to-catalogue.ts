import { EgressError } from '../../../core/egress/call-external-url.ts'
import { DAY } from '../../../infra/time/time-units.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { callBusiness } from './call-listed-business.ts'
import { noticesUrl } from './directory-urls.ts'
import { readBusinessProfile } from './read-business-profile.ts'
import {
  type SubscribedBusiness,
  subscriptionCheckClaim,
  subscriptionClear,
  subscriptionStore,
  type Unwanted,
  unwantedDelete,
} from './subscription-queries.ts'

type Needs = Dependencies<'db' | 'config' | 'clock' | 'log' | 'signingBox'>

const SUBSCRIPTIONS = 'dev.usp-protocol.services.catalog.subscriptions'
const LONGEST_ID = 200
const MOST_ATTEMPTS = 4

const subscriptionsUrl = (endpoint: string) => `${endpoint}/services/feed/subscriptions`

/**
 * Subscribes to the catalogue changes of a business, if the business offers subscriptions. Checks once a day whether
 * the subscription still exists. Without a subscription, the directory reads the catalogue only at planned times.
 */
export async function renewSubscription(dependencies: Needs, id: string): Promise<void> {
  const { db, clock, config, log } = dependencies
  // The business must be able to call the directory and to read its profile. Businesses call only https URLs, so
  // without https the directory does not subscribe.
  if (!config.baseUrl.startsWith('https:')) return
  const now = clock()
  const business = await subscriptionCheckClaim(db, id, now, new Date(now.getTime() + DAY))
  if (!business) return
  try {
    if (await isSubscribed(dependencies, business)) return
    if (business.subscription_id !== null) await subscriptionClear(db, business)
    const subscriptionId = await subscribe(dependencies, business)
    if (subscriptionId !== undefined) await subscriptionStore(db, business, subscriptionId)
  } catch (error) {
    if (!isTheirs(error)) throw error
    log.info({ registration: id, problem: error.message }, 'A listed business accepts no subscription to its events.')
  }
}

/**
 * Whether the business still has the subscription of the directory. If the business answers with an unexpected status,
 * the directory assumes that the subscription exists.
 */
async function isSubscribed(dependencies: Needs, { endpoint, subscription_id }: SubscribedBusiness): Promise<boolean> {
  if (subscription_id === null) return false
  const { status, body } = await callBusiness(
    dependencies,
    'GET',
    `${subscriptionsUrl(endpoint)}/${encodeURIComponent(subscription_id)}`,
  )
  if (status === 404 || status === 410) return false
  return status !== 200 || asRecord(asRecord(body).subscription).status === 'active'
}

async function subscribe(dependencies: Needs, business: SubscribedBusiness): Promise<string | undefined> {
  const { config } = dependencies
  const { capabilities, authorization } = await readBusinessProfile(
    business.profile_url,
    business.deployment_mode,
    config,
  )
  if (!capabilities.includes(SUBSCRIPTIONS)) return undefined
  if (!authorization?.accepted_mechanisms.includes('http_message_signature')) return undefined
  const { body } = await callBusiness(dependencies, 'POST', subscriptionsUrl(business.endpoint), {
    callback_url: noticesUrl(config, business.id),
  })
  const id: unknown = asRecord(asRecord(body).subscription).id
  return typeof id === 'string' && id.length <= LONGEST_ID && id.isWellFormed() && !id.includes('\0') ? id : undefined
}

/**
 * Cancels a subscription that the directory no longer needs, with a call to the business. After a few failed attempts,
 * the directory gives up.
 */
export async function cancelUnwanted(dependencies: Needs, unwanted: Unwanted): Promise<void> {
  const { endpoint, subscription_id, attempts } = unwanted
  const url = `${subscriptionsUrl(endpoint)}/${encodeURIComponent(subscription_id)}`
  const isEnded = await callBusiness(dependencies, 'DELETE', url).then(
    ({ status }) => status < 500 && status !== 429,
    (error) => {
      if (isTheirs(error)) return false
      throw error
    },
  )
  if (isEnded || attempts >= MOST_ATTEMPTS) await unwantedDelete(dependencies.db, unwanted)
}

const isTheirs = (error: unknown): error is Error => error instanceof EgressError || error instanceof ProtocolError
