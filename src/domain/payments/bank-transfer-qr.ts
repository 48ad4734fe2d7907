import type { BusinessDefinition } from '../../protocol/types.generated.ts'

type Account = NonNullable<NonNullable<NonNullable<BusinessDefinition['payments']>['manual']>['bank_transfer']>

const LONGEST_NAME = 70
const MOST = 999_999_999_99

/**
 * Returns the content of a QR code for a bank transfer, in the format that banking apps read (EPC069-12). The result is
 * undefined if the amount is not in euros or the account has no IBAN.
 */
export function giroCode(
  { account_holder, iban, bic = '' }: Account,
  { amount, currency }: { amount: number; currency: string },
  reference: string,
): string | undefined {
  const number = iban.replaceAll(' ', '')
  if (currency !== 'EUR' || amount < 1 || amount > MOST || !isIban(number)) return undefined
  const name = [...account_holder].slice(0, LONGEST_NAME).join('')
  return ['BCD', '002', '1', 'SCT', bic, name, number, `EUR${(amount / 100).toFixed(2)}`, '', '', reference].join('\n')
}

/**
 * Tells whether an account number is an IBAN with correct check digits (ISO 7064). Accounts with other numbers get no
 * QR code.
 */
function isIban(number: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(number)) return false
  const digits = [...number.slice(4), ...number.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}
