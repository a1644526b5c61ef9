// Whether one word is another one, misspelt.

/** An edit adds, removes or replaces a letter, or swaps two neighbours. */
export function isNear(one: string, other: string, edits: number): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const [a, b] = [one.slice(same), other.slice(same)]
  if (a === b) return true
  if (edits === 0) return false
  const isNearBeyond = (ofA: number, ofB: number) => isNear(a.slice(ofA), b.slice(ofB), edits - 1)
  const areSwapped = a[0] === b[1] && a[1] === b[0]
  return (
    isNearBeyond(1, 0) ||
    isNearBeyond(0, 1) ||
    isNearBeyond(1, 1) ||
    (areSwapped && isNearBeyond(2, 2))
  )
}
