/** How many of so many, from the first on, are as told: found by halves, where none is again after one that is not. */
export function partition(count: number, isSo: (index: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSo(middle)) low = middle + 1
    else high = middle
  }
  return low
}
