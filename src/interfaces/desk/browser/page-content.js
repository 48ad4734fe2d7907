/** Compares and replaces the content of a page, without a loss of what the user does there. */

export const pageOf = (text) => new DOMParser().parseFromString(text, 'text/html')

/**
 * Removes the form tokens from the HTML of a page. Each response has new tokens, so equal pages would otherwise look
 * different.
 */
const withoutTokens = (markup) => markup.replace(/ name="form" value="[^"]*"/g, '')

export const isSame = (one, other) => withoutTokens(one.innerHTML) === withoutTokens(other.innerHTML)

/** Whether the user edits a field, has opened a section, sees an error, or drags a booking. */
export const isEdited = (content) =>
  content.contains(document.activeElement?.closest('input, textarea, select')) ||
  !!content.querySelector('details[open], [role=alert], [data-draft], [data-read], .dropping') ||
  [...content.querySelectorAll('input, textarea')].some(
    ({ value, defaultValue, checked, defaultChecked }) => value !== defaultValue || checked !== defaultChecked,
  )

/**
 * Returns a text that identifies the focused element: its link address, or else its text and form. After a refresh, the
 * script finds the element by this text and focuses the element again.
 */
const keyOf = (one) =>
  one.getAttribute('href') ?? one.textContent + withoutTokens((one.form ?? one.closest('details') ?? one).outerHTML)

/** Returns the elements that can scroll. A refresh of the page keeps their scroll positions. */
const scrollersIn = (content) => [...content.querySelectorAll('.columns, .toolbar, .people')]

/** Shows the children of `next` in `content`. Keeps the focus and the scroll positions. */
export function replaceContent(content, next) {
  const focused = content.contains(document.activeElement) && keyOf(document.activeElement)
  const scrolled = scrollersIn(content).map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
  content.replaceChildren(...next.childNodes)
  if (focused) [...content.querySelectorAll('a, button, summary')].find((one) => keyOf(one) === focused)?.focus()
  for (const [nth, one] of scrollersIn(content).entries()) if (scrolled[nth]) one.scrollTo(...scrolled[nth])
}
