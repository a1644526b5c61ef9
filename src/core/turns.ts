// Runs work on the same key one after the other, and work on different keys concurrently.

/** Returns a function that runs work in turn; waiting work holds no resources. */
export function inTurn(): <T>(thing: string, work: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<unknown>>()

  return (thing, work) => {
    const before = lasts.get(thing) ?? Promise.resolve()
    const mine = before.then(work, work)
    lasts.set(thing, mine)
    const leave = () => {
      if (lasts.get(thing) === mine) lasts.delete(thing)
    }
    mine.then(leave, leave)
    return mine
  }
}
