// Work on one thing goes one after the other, work on different things side by side.

/** Answers a way to wait for one's turn at a thing; who waits holds nothing meanwhile. */
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
