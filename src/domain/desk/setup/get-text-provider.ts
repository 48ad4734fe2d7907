import { defineOperation } from '../../../protocol/define-operation.ts'
import type { GetTextProvider } from '../../../protocol/types.generated.ts'
import { describeTextProvider, onTextProvider, textProviderOutput } from './text-provider-schema.ts'

export const getTextProvider = defineOperation<GetTextProvider>({
  ...onTextProvider,
  id: 'getTextProvider',
  rest: 'GET /business/text_provider',
  tool: 'usp_business_text_provider_get',
  title: 'Get the provider of text messages',
  description:
    'Returns the provider of text messages without its secret, and the number of messages in the last 30 days.',
  effect: 'read',
  input: { type: 'object', properties: {} },
  output: textProviderOutput,
  summary: ({ text_provider: provider }) =>
    provider ? `Text messages go out through ${provider.adapter}.` : 'There is no provider of text messages.',
  handle: (context) => describeTextProvider(context),
})
