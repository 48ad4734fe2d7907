import type { Providers } from '../../domain/payments/providers.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import type { Answer } from '../pages/layout.ts'
import type { PageContext } from './page-context.ts'

export type PageMeans = CountingMeans &
  Means<'config' | 'log' | 'tag' | 'makeChange' | 'strangerLimitMet'> & { payments: Providers }

export interface PageKind {
  show(context: PageContext, means: PageMeans): Answer | Promise<Answer>
  /**
   * Executes the form if possible. Repeating it has no further effect. Returns undefined to show the page again.
   * Missing for pages without a form.
   */
  submit?(context: PageContext, form: URLSearchParams, means: PageMeans): Promise<Answer | undefined>
}
