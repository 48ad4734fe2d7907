/**
 * Binary search: returns the first index where `isSo` is false, or `count` if there is none. `isSo` must also be false
 * for all later indexes.
 */
export function lowerBound(count: number, isSo: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(middle)) low = middle + 1
    else high = middle
  }
  return low
}
