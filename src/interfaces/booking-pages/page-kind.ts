import type { Providers } from '../../domain/payments/providers.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import type { Answer } from '../pages/layout.ts'
import type { PageContext } from './page-context.ts'

export type PageMeans = CountingMeans &
  Means<'config' | 'log' | 'tag' | 'makeChange' | 'strangerLimitMet'> & { payments: Providers }

/** What one kind of page shows and does. */
export interface PageKind {
  show(context: PageContext, means: PageMeans): Answer | Promise<Answer>
  /**
   * Does what its form asks for, if it can be done; twice does no more than once. Nothing is for looking at the page anew.
   * What has no form has nothing to do.
   */
  submit?(context: PageContext, form: URLSearchParams, means: PageMeans): Promise<Answer | undefined>
}
