import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import type { Means } from '../../protocol/means.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** A booking or waitlist entry in a list, with the URL of its page. */
export interface Item {
  what: string
  when: string
  where: string | undefined
  state: string
  url: string
}

/** The signed-in account, and the language to use. */
export interface Looking {
  account: BuyerAccount
  definition: BusinessDefinition
  speech: Speech
}

export type ItemMeans = Means<'clock' | 'config' | 'tag'>
