// Limits how much work on the same thing is under way at once; work on different things never waits
// for each other. Waiting work holds no resources.

interface Turns {
  underWay: number
  readonly waiting: (() => void)[]
}

/** Each thing has a queue of its own. Work that leaves hands its turn to the next. */
export function queuesOf(mostAtOnce: number) {
  const things = new Map<string, Turns>()
  return {
    async enter(thing: string): Promise<void> {
      const turns = things.get(thing) ?? { underWay: 0, waiting: [] }
      things.set(thing, turns)
      if (turns.underWay >= mostAtOnce) {
        await new Promise<void>((resolve) => turns.waiting.push(resolve))
      } else turns.underWay += 1
    },
    leave(thing: string): void {
      const turns = things.get(thing)
      if (turns === undefined) return
      const next = turns.waiting.shift()
      if (next === undefined) turns.underWay -= 1
      else next()
      if (turns.underWay === 0) things.delete(thing)
    },
  }
}

/** Returns a function that runs work on the same thing one after the other. */
export function inTurn() {
  const queues = queuesOf(1)
  return async <T>(thing: string, work: () => Promise<T>): Promise<T> => {
    await queues.enter(thing)
    try {
      return await work()
    } finally {
      queues.leave(thing)
    }
  }
}
