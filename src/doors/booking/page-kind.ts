import type { Providers } from '../../payments/providers.ts'
import type { CountingMeans } from '../../pipeline/check-rate.ts'
import type { Means } from '../../protocol/means.ts'
import type { View } from '../pages/layout.ts'
import type { PageContext } from './page-context.ts'

export type PageMeans = CountingMeans & Means<'config' | 'log' | 'tag' | 'makeChange'> & { payments: Providers }

/** What one kind of page shows and does. */
export interface PageKind {
  show(context: PageContext, means: PageMeans): View
  /**
   * Does what its form asks for, if it can be done; twice does no more than once. Then the browser goes to the address
   * that is returned, or sees the view, or looks at the page anew.
   */
  submit(context: PageContext, form: URLSearchParams, means: PageMeans): Promise<View | { to: string } | undefined>
}
