/** Work that a process repeats, and does not do twice at once. */
export interface Repeated {
  /** Begins the work now, unless it is under way. */
  begin(): Promise<void>
  /** No more of it begins. Returns when what is under way has ended. */
  close(): Promise<void>
}

/** The work reports its failures itself. It does not keep the process alive. */
export function every(ms: number, work: () => Promise<void>): Repeated {
  let underWay: Promise<void> | undefined

  function begin(): Promise<void> {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  const timer = setInterval(begin, ms).unref()
  return {
    begin,
    async close() {
      clearInterval(timer)
      await underWay
    },
  }
}
