// A waiting line in which groups have turns: all groups have the same share of what is taken. So a
// group that has thousands in the line does not delay another that has one.

export interface LineByGroup<T> {
  readonly size: number
  add(one: T): void
  /** Removes the next ones, `most` at most. Those of one group keep the order of their arrival. */
  take(most: number): T[]
}

export function lineByGroup<T>(groupOf: (one: T) => string): LineByGroup<T> {
  /** The group that has its turn next comes first. None is empty. */
  const groups = new Map<string, T[]>()
  let size = 0

  function takeAll(): T[] {
    const all = [...groups.values()].flat()
    groups.clear()
    return all
  }

  /**
   * Each group gives its share at once, since it may have thousands. The iterator also comes to the
   * groups that were put behind the others meanwhile.
   */
  function takeInTurns(most: number): T[] {
    const taken: T[] = []
    const share = Math.max(1, Math.trunc(most / groups.size))
    for (const [group, ones] of groups) {
      taken.push(...ones.splice(0, Math.min(share, most - taken.length)))
      groups.delete(group)
      if (ones.length > 0) groups.set(group, ones)
      if (taken.length === most) break
    }
    return taken
  }

  return {
    get size() {
      return size
    },
    add(one) {
      const group = groupOf(one)
      const ones = groups.get(group)
      if (ones === undefined) groups.set(group, [one])
      else ones.push(one)
      size += 1
    },
    take(most) {
      const taken = size <= most ? takeAll() : takeInTurns(most)
      size -= taken.length
      return taken
    },
  }
}
