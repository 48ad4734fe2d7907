/**
 * Finds by binary search the first index for which `isSo` is false, or `count` if there is none. For all later indexes,
 * `isSo` must be false too.
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
