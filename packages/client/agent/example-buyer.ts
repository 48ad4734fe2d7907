/** The buyer for whom the example platform books. */
export const buyer = { first_name: 'Alice', last_name: 'Example', email: 'alice@example.com' }

/**
 * Removes the data of the buyer from a text of the business. The protocol forbids a business to quote them in errors, but
 * the printed text may end up in a log.
 */
export const withoutBuyer = (text: string): string =>
  [buyer.email, buyer.first_name, buyer.last_name].reduce((rest, value) => rest.replaceAll(value, '[buyer]'), text)
