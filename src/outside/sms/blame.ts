// Whether it is the provider's fault or the message's when the provider fails. In an outage no
// message must lose a try; but one message that always makes the provider fail must not stop all
// others.
//
// So a failure is the provider's, until others have got through since the same message failed
// before. Kept in this process only: who starts anew gives every message the benefit of the doubt
// once more.

export interface Blame {
  /** The provider dealt with this one, whatever it decided. */
  gotThrough(deliveryId: string): void
  /** The provider failed over this one: answers whether it is this one's fault. */
  failed(deliveryId: string): boolean
}

/** Failures remembered. In an outage few are sent, one after the other; the oldest go first. */
const MOST_REMEMBERED = 1_000

export function newBlame(): Blame {
  let through = 0
  const throughAtFailure = new Map<string, number>()
  return {
    gotThrough(deliveryId) {
      through += 1
      throughAtFailure.delete(deliveryId)
    },
    failed(deliveryId) {
      const before = throughAtFailure.get(deliveryId)
      throughAtFailure.delete(deliveryId)
      throughAtFailure.set(deliveryId, through)
      const [oldest] = throughAtFailure.keys()
      if (throughAtFailure.size > MOST_REMEMBERED && oldest !== undefined) {
        throughAtFailure.delete(oldest)
      }
      return before !== undefined && through > before
    },
  }
}
