/** The words with which people end the messages. Twilio uses the English ones too, so both sides agree. */
const STOP = [
  ...['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
  ...['STOPP', 'ENDE', 'ARRET', 'ARRÊT', 'BAJA', 'PARAR', 'SAIR', 'FERMA', 'REZYGNUJE', 'REZYGNUJĘ', '停止', 'إيقاف'],
]
const START = ['START', 'UNSTOP', 'YES']
/** The answer that confirms a visit. The second one is the digit of Arabic keyboards. */
const CONFIRM = ['1', '١']

/** What a buyer wants with a message. Undefined if the message is for a person. */
export type ReplyMeaning = 'stop' | 'start' | 'confirm' | undefined

/** Reads the meaning of a message of a buyer. The whole message must be one of the words. */
export function meaningOf(text: string): ReplyMeaning {
  // The normal form has the digit 1 also for the wide digit of Japanese keyboards.
  const word = text.slice(0, MAX_CHARACTERS).normalize('NFKC').trim().replace(/[.!]$/, '').toUpperCase()
  if (STOP.includes(word)) return 'stop'
  if (START.includes(word)) return 'start'
  return CONFIRM.includes(word) ? 'confirm' : undefined
}

/** The maximum number of characters of a message that the server reads. */
const MAX_CHARACTERS = 100
