// Calls that come at the same time go on together: to the database, to the queue, to whoever takes
// many as easily as one.
//
// The first caller goes at once, alone if nobody else came in the same turn of the event loop; who
// comes while `atOnce` rounds are under way waits for the next, with everybody else who did. So
// gathering costs nothing when the house is idle, and makes one statement of many when it is busy:
// the busier, the cheaper each.

export interface GatherOptions {
  /** Inputs of one round, at most. */
  readonly most: number
  /**
   * Rounds under way at once. Two keep the database busy while answers are read; more only make
   * rounds smaller.
   */
  readonly atOnce: number
  /**
   * Whether a failed round may have failed for one input's sake, and surely did nothing: then each
   * goes alone.
   */
  readonly isOnesFault: (error: unknown) => boolean
}

interface Waiting<I, O> {
  readonly input: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

/** `run` answers one output for each input, in their order. */
export function gather<I, O>(
  run: (inputs: readonly I[]) => Promise<readonly O[]>,
  options: GatherOptions,
): (input: I) => Promise<O> {
  let waiting: Waiting<I, O>[] = []
  let underWay = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || underWay >= options.atOnce) return
    isScheduled = true
    setImmediate(startRounds)
  }

  function startRounds(): void {
    isScheduled = false
    while (waiting.length > 0 && underWay < options.atOnce) {
      const round = waiting.slice(0, options.most)
      waiting = waiting.slice(options.most)
      underWay += 1
      void settle(round).then(() => {
        underWay -= 1
        schedule()
      })
    }
  }

  async function settle(round: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outputs = await run(round.map((one) => one.input))
      round.forEach((one, i) => {
        one.resolve(outputs[i] as O)
      })
    } catch (error) {
      if (round.length > 1 && options.isOnesFault(error)) return alone(round)
      for (const one of round) one.reject(error)
    }
  }

  async function alone(round: readonly Waiting<I, O>[]): Promise<void> {
    for (const one of round) await settle([one])
  }

  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      schedule()
    })
}
