// Ascending numbers, as the dates of a rule are kept.

/** Where the first one after it stands. */
export function indexAfter(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}

export function isIn(sorted: readonly number[], value: number): boolean {
  return sorted[indexAfter(sorted, value) - 1] === value
}
