import { canBeAnswered, type StoredTextProvider } from '../../infra/config/text-provider.ts'
import { fittingText } from '../texts/count-segments.ts'
import type { TextMessage } from './notification-text.ts'

/** Returns the text of a message as the provider gets it. */
export const textToSend = (
  { texts, answerableTexts = texts }: TextMessage,
  provider: StoredTextProvider | undefined,
): string => fittingText(provider && canBeAnswered(provider) ? answerableTexts : texts)
