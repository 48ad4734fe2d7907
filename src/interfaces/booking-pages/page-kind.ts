import type { Providers } from '../../domain/payments/providers.ts'
import type { CountingDependencies } from '../../pipeline/check-rate.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { Answer } from '../pages/layout.ts'
import type { PageContext } from './page-context.ts'

export type PageDependencies = CountingDependencies &
  Dependencies<'config' | 'log' | 'tag' | 'makeChange' | 'strangerLimitMet'> & { payments: Providers }

export interface PageKind {
  show(context: PageContext, means: PageDependencies): Answer | Promise<Answer>
  /**
   * Executes the form if possible. Repeating it has no further effect. Returns undefined to show the page again.
   * Missing for pages without a form.
   */
  submit?(context: PageContext, form: URLSearchParams, means: PageDependencies): Promise<Answer | undefined>
}
