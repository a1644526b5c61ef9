// The two steps of a process's shutdown. First it starts no work that another process could do;
// shortly before the grace period is over it replies to waiting callers with what is known.

export interface Shutdown {
  /** This process starts no work that another process could do. */
  readonly hasBegun: boolean
  /** No caller waits in this process any more. */
  readonly isFinal: boolean
  begin(): void
  finish(): void
}

export function noShutdownYet(): Shutdown {
  let hasBegun = false
  let isFinal = false
  return {
    get hasBegun() {
      return hasBegun
    },
    get isFinal() {
      return isFinal
    },
    begin() {
      hasBegun = true
    },
    finish() {
      hasBegun = true
      isFinal = true
    },
  }
}
