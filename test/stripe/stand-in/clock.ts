// A clock that follows the host's and can be moved forward; due work runs in its order.

export interface StripeClock {
  now(): Date
  /** Seconds since the epoch, as Stripe writes its times. */
  seconds(): number
  /** Runs it at once if the moment has come, otherwise when the clock gets there. */
  after(ms: number, run: () => void): void
  advance(ms: number): void
  /** Runs the work that has fallen due as time passed. */
  catchUp(): void
}

interface Due {
  readonly at: number
  readonly run: () => void
}

export function stripeClock(startsAt?: Date): StripeClock {
  let offset = startsAt === undefined ? 0 : startsAt.getTime() - Date.now()
  /** While due work runs, the clock shows the moment at which it was due. */
  let moment: number | undefined
  let dues: Due[] = []

  const now = () => moment ?? Date.now() + offset

  function catchUp(): void {
    const until = now()
    for (;;) {
      const next = dues
        .filter(({ at }) => at <= until)
        .reduce<Due | undefined>(
          (first, one) => (first && first.at <= one.at ? first : one),
          undefined,
        )
      if (next === undefined) return
      dues = dues.filter((one) => one !== next)
      moment = next.at
      try {
        next.run()
      } finally {
        moment = undefined
      }
    }
  }

  return {
    now: () => new Date(now()),
    seconds: () => Math.floor(now() / 1000),
    after(ms, run) {
      if (ms <= 0) run()
      else dues.push({ at: now() + ms, run })
    },
    advance(ms) {
      offset += ms
      catchUp()
    },
    catchUp,
  }
}
