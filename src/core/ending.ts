// How near the end of a process is. It comes in two steps: nothing more is begun that another
// process could do as well, and shortly before the time is up whoever waits is told what is known.

export interface Ending {
  /** Other processes go on: nothing is begun here that could be done there. */
  readonly isNear: boolean
  /** Nobody waits here any longer. */
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
