import { localizerFor } from '../../infra/i18n/localizer.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { CreateCheckout } from '../../protocol/types.generated.ts'

/**
 * Returns the language of the buyer, if the platform sent one and the server has texts in this language. Otherwise, the
 * result is null.
 */
export function localeOfBuyer({ context }: Pick<CreateCheckout['input'], 'context'>): string | null {
  const { language } = asRecord(context)
  return typeof language === 'string' ? (localizerFor(language)?.locale ?? null) : null
}
