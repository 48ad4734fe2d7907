import type { BuyerAccount } from '../../domain/accounts/buyer-accounts.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import type { Means } from '../../protocol/means.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** What, when, where, in which state, and the page of it. */
export interface Item {
  what: string
  when: string
  where: string | undefined
  state: string
  url: string
}

/** Who looks, and how they are spoken to. */
export interface Looking {
  account: BuyerAccount
  definition: BusinessDefinition
  speech: Speech
}

/** What it takes to say when something is, and to lead to its page. */
export type ItemMeans = Means<'clock' | 'config' | 'tag'>
