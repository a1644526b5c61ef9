// The two steps of a process's shutdown. First it starts no work that another process could do;
// shortly before the grace period is over it replies to waiting callers with what is known.

export interface Ending {
  /** This process starts no work that another process could do. */
  readonly isNear: boolean
  /** No caller waits in this process any more. */
  readonly isHere: boolean
  approach(): void
  arrive(): void
}

export function noEndingYet(): Ending {
  let isNear = false
  let isHere = false
  return {
    get isNear() {
      return isNear
    },
    get isHere() {
      return isHere
    },
    approach() {
      isNear = true
    },
    arrive() {
      isNear = true
      isHere = true
    },
  }
}
